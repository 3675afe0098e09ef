// How games end: by the rules first, then by resignation and the ply cap. Cases of others' trouble carry
// their number (U015 and so on).

#include <gtest/gtest.h>

#include "play_game.h"

namespace chuhe::match {
namespace {

using shards::GameRecord;
using xiangqi::EndReason;
using xiangqi::Outcome;

GameSpec from(const char* fen, int visits = 40) {
  GameSpec spec = small_spec(0, "puct", visits);
  spec.start_fen = fen;
  spec.adjudication = {};
  for (PlayerSpec& player : spec.players) {
    player.choice.temperature = 0;
    player.search.noise_share = 0;
  }
  return spec;
}

// Black always has a pawn to move, so that only mate wins.
constexpr const char* kMateInOne = "4k4/R8/1R7/9/9/8p/9/9/9/3K5 w - - {} 80";
constexpr const char* kMateInTwo = "4k4/9/R8/1R7/9/8p/9/9/9/3K5 w - - {} 80";

GameRecord play_with_quiet_plies(const char* fen, int quiet_plies, int ply_cap = 0) {
  std::string text = fen;
  GameSpec spec = from(text.replace(text.find("{}"), 2, std::to_string(quiet_plies)).c_str());
  spec.adjudication.ply_cap = ply_cap;
  spec.players[0] = builtin_player("ab:4");
  spec.players[1] = builtin_player("random");
  const GameRecord record = play_game(spec);
  EXPECT_FALSE(shards::find_fault(record).has_value());
  return record;
}

// U015: a mating move at the natural limit is a mate, in every kind of game, and what the rules decide is
// never adjudicated otherwise.
TEST(GameEnds, MateComesBeforeTheNaturalLimit) {
  const GameRecord mate = play_with_quiet_plies(kMateInOne, 119);
  EXPECT_EQ(mate.plies.size(), 1u);
  EXPECT_EQ(mate.outcome, Outcome::RedWins);
  EXPECT_EQ(mate.reason, EndReason::Checkmate);
  // Mate in two cannot come in time with 118 plies on the counter: drawn by the rule, with that reason
  // stored.
  const GameRecord limit = play_with_quiet_plies(kMateInTwo, 118);
  EXPECT_EQ(limit.plies.size(), 2u);
  EXPECT_EQ(limit.outcome, Outcome::Draw);
  EXPECT_EQ(limit.reason, EndReason::NaturalLimit);
  EXPECT_EQ(play_with_quiet_plies(kMateInTwo, 117).reason, EndReason::Checkmate);
}

TEST(GameEnds, MateAtThePlyCapIsAMate) {
  EXPECT_EQ(play_with_quiet_plies(kMateInOne, 0, 1).reason, EndReason::Checkmate);
  EXPECT_EQ(play_with_quiet_plies(kMateInTwo, 0, 1).reason, EndReason::PlyCapDraw);
}

// A win that a table knows ends the game at once, whoever is to move; a draw of the table does not, and
// neither does a win that the natural limit may cut short.
TEST(GameEnds, AnEndgameTableCallsWinsAlone) {
  const auto play = [](const char* fen, int endgame_mib) {
    GameSpec spec = from(fen);
    spec.adjudication.ply_cap = 4;
    spec.adjudication.endgame_mib = endgame_mib;
    spec.endgames = spec.adjudication.endgame_tables();
    spec.players[0] = spec.players[1] = builtin_player("random");
    const GameRecord record = play_game(spec);
    EXPECT_EQ(shards::find_fault(record).value_or("none"), "none");
    return record;
  };
  constexpr const char* kNineteenPlies = "9/9/4k4/9/9/9/P8/9/9/3K5 w - - {} 1";
  const auto after = [&](int quiet_plies) {
    std::string text = kNineteenPlies;
    return text.replace(text.find("{}"), 2, std::to_string(quiet_plies));
  };
  const GameRecord won = play(after(101).c_str(), 1);
  EXPECT_EQ(won.plies.size(), 0u);
  EXPECT_EQ(won.reason, EndReason::Tablebase);
  EXPECT_EQ(won.outcome, Outcome::RedWins);
  EXPECT_NE(play(after(102).c_str(), 1).reason, EndReason::Tablebase) << "120 plies come first";
  EXPECT_EQ(play(after(0).c_str(), 0).reason, EndReason::PlyCapDraw) << "off";
  // Black to move and lost; a horse that does not hold the rook, which takes more than a MiB to know; a lone
  // cannon.
  EXPECT_EQ(play("3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1", 1).reason, EndReason::Tablebase);
  EXPECT_EQ(play("4k4/9/9/9/9/9/9/2n6/9/3K4R w - - 0 1", 64).reason, EndReason::Tablebase);
  EXPECT_EQ(play("5k3/9/9/5C3/9/9/9/5K3/9/9 w - - 0 1", 64).plies.size(), 4u);
  EXPECT_EQ(play("4k4/9/9/9/9/9/9/2n6/9/3K4R w - - 0 1", 1).plies.size(), 4u);
}

// U022: at the cap the result is a choice, and the reason says which it was.
TEST(GameEnds, PlyCapByChoice) {
  GameSpec spec = from("3ak4/9/9/9/9/9/9/9/9/3K4R w");
  spec.adjudication.ply_cap = 2;
  for (PlayerSpec& player : spec.players) player = builtin_player("random");
  GameRecord record = play_game(spec);
  EXPECT_EQ(record.plies.size(), 2u);
  EXPECT_EQ(record.outcome, Outcome::Draw);
  EXPECT_EQ(record.reason, EndReason::PlyCapDraw);
  spec.adjudication.cap_result = "material";
  record = play_game(spec);
  EXPECT_EQ(record.outcome, Outcome::RedWins) << "9 against 2 pawns";
  EXPECT_EQ(record.reason, EndReason::PlyCapMaterial);
  EXPECT_FALSE(shards::find_fault(record).has_value());
  spec.adjudication.cap_margin = 8;
  record = play_game(spec);
  EXPECT_EQ(record.outcome, Outcome::Draw) << "not enough ahead";
  EXPECT_EQ(record.reason, EndReason::PlyCapDraw);
  spec.start_fen = "3k4r/9/9/9/9/9/9/9/9/3AK4 w";
  spec.adjudication.cap_margin = 1;
  EXPECT_EQ(play_game(spec).outcome, Outcome::BlackWins);
}

TEST(GameEnds, RepetitionNamesItsArticle) {
  // Red threatens mate with every move: forbidden by the full rules alone.
  for (const auto& [rules, reason] : {std::pair{"checks_only", EndReason::Repetition},
                                      {"none", EndReason::Repetition},
                                      {"cxa2007", EndReason::PerpetualChase}}) {
    GameSpec spec = from("3k5/9/9/9/9/9/9/9/4R4/4K4 w");
    spec.rule_set = rules;
    for (PlayerSpec& player : spec.players) player.kind = PlayerKind::External;
    GameRunner game(spec);
    for (int i = 0; i < 2; ++i)
      for (const char* move : {"e1e2", "d9d8", "e2e1", "d8d9"}) {
        game.advance();
        ASSERT_TRUE(game.waits_for_outside());
        game.play_outside(xiangqi::parse_uci(move));
      }
    game.advance();
    ASSERT_TRUE(game.finished());
    const GameRecord record = game.take_record();
    EXPECT_EQ(record.rule_set, rules);
    EXPECT_EQ(record.reason, reason) << rules;
    EXPECT_EQ(record.outcome, reason == EndReason::Repetition ? Outcome::Draw : Outcome::BlackWins);
    EXPECT_FALSE(record.article.empty());
    EXPECT_FALSE(shards::find_fault(record).has_value());
  }
}

// Black has nothing but advisors against two rooks and two cannons.
constexpr const char* kLost = "3aka3/9/9/9/9/9/9/9/9/RC1K3CR w";

TEST(GameEnds, TheLosingSideResigns) {
  GameSpec spec = from(kLost, 8);
  spec.adjudication.resign_threshold = 0.9;
  spec.adjudication.resign_plies = 2;
  spec.adjudication.played_out_share = 0;
  const GameRecord record = play_game(spec, "material");
  EXPECT_EQ(record.reason, EndReason::Resignation);
  EXPECT_EQ(record.outcome, Outcome::RedWins);
  EXPECT_FALSE(record.resign_disabled);
  EXPECT_EQ(record.resign_ply, 3) << "Black's second move below the threshold";
  EXPECT_EQ(record.plies.size(), 3u);
  EXPECT_FALSE(shards::find_fault(record).has_value());
  spec.adjudication.resign_threshold = 0;
  const GameRecord played = play_game(spec, "material");
  EXPECT_NE(played.reason, EndReason::Resignation);
  EXPECT_EQ(played.resign_ply, -1);
}

// U021: a share of the games is played out, and these remember when a side would have resigned.
TEST(GameEnds, AShareIsPlayedOut) {
  GameSpec spec = from(kLost, 8);
  spec.adjudication.resign_threshold = 0.9;
  spec.adjudication.resign_plies = 2;
  spec.adjudication.played_out_share = 1;
  const GameRecord out = play_game(spec, "material");
  EXPECT_TRUE(out.resign_disabled);
  EXPECT_EQ(out.resign_ply, 3);
  EXPECT_NE(out.reason, EndReason::Resignation);
  spec.adjudication.played_out_share = 0.3;
  spec.adjudication.ply_cap = 4;
  int disabled = 0;
  for (spec.id = 0; spec.id < 400; ++spec.id) disabled += play_game(spec, "material").resign_disabled;
  EXPECT_NEAR(disabled, 120, 30);
}

// U020: with temperature 1 to the end a won ending drags on; an end temperature of 0 wins it at once.
TEST(GameEnds, ALateTemperatureDelaysWins) {
  const auto plies_to_win = [](double end_temperature) {
    size_t plies = 0;
    for (uint64_t id = 0; id < 12; ++id) {
      GameSpec spec = from("4k4/4a4/9/9/9/9/4R4/9/9/4K4 w", 30);
      spec.id = id;
      spec.players[0].choice.temperature = 1;
      spec.players[0].choice.temperature_plies = 0;
      spec.players[0].choice.end_temperature = end_temperature;
      spec.players[0].choice.max_value_loss = 2;
      spec.players[1] = builtin_player("ab:1");
      plies += play_game(spec, "material").plies.size();
    }
    return plies;
  };
  EXPECT_EQ(plies_to_win(0), 12u * 3);
  EXPECT_GT(plies_to_win(1), 12u * 4);
}

// U024: nobody resigns, the game is long, the tree's memory is bounded.
TEST(GameEnds, ALongGameEndsInBoundedMemory) {
  GameSpec spec = small_spec(0, "puct", 400);
  spec.adjudication = {};
  spec.adjudication.ply_cap = 600;
  for (PlayerSpec& player : spec.players) player.search.max_nodes = 50;
  const GameRecord record = play_game(spec, "uniform");
  EXPECT_LE(record.plies.size(), 600u);
  for (const auto& ply : record.plies) EXPECT_LE(ply.visits, 60u) << "a full arena ends the search";
}

}  // namespace
}  // namespace chuhe::match
