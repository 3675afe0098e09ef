#include "match/game_runner.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "play_game.h"

namespace chuhe::match {
namespace {

using shards::GameRecord;
using shards::SearchKind;

void expect_sound(const GameRecord& record) {
  const auto fault = shards::find_fault(record);
  EXPECT_FALSE(fault.has_value()) << "game " << record.id << ": " << *fault;
}

TEST(GameRunner, GamesOfAllKindsReplay) {
  std::set<xiangqi::EndReason> reasons;
  for (uint64_t id = 0; id < 240; ++id) {
    GameSpec spec = small_spec(id, id % 2 ? "gumbel" : "puct");
    spec.adjudication.cap_result = id % 3 ? "material" : "draw";
    spec.adjudication.resign_threshold = id % 5 ? 0 : 0.5;
    spec.random_opening_plies = int(id % 7);
    if (id % 4 == 1) spec.players[0] = builtin_player(id % 8 == 1 ? "random" : "greedy");
    if (id % 4 == 2) spec.players[1] = builtin_player("random");
    if (id % 4 == 3) spec.players[1].kind = PlayerKind::PolicyOnly;
    if (id % 6 == 0) {
      for (PlayerSpec& player : spec.players) {
        player.cheap_visits = 3;
        player.full_share = 0.3;
      }
    }
    const GameRecord record = play_game(spec, id % 3 ? "hash" : "material");
    expect_sound(record);
    EXPECT_LE(record.plies.size(), 120u);
    EXPECT_NE(record.reason, xiangqi::EndReason::None);
    reasons.insert(record.reason);
  }
  EXPECT_GE(reasons.size(), 4u) << "the games should end in many ways";
}

// A memory that has seen other games saves work and changes no record.
TEST(GameRunner, RecordsDoNotDependOnTheJudgesMemory) {
  xiangqi::JudgeMemory shared;
  for (uint64_t id = 0; id < 40; ++id) {
    GameSpec spec = small_spec(id, id % 2 ? "gumbel" : "puct", 20);
    spec.rule_set = "cxa2007";
    spec.start_fen = "3k5/9/9/9/9/9/9/9/4A4/R3K3r w - - 0 1";
    if (id % 3 == 0) spec.players[0] = builtin_player("ab:2");
    EXPECT_EQ(play_game(spec, "hash", &shared), play_game(spec, "hash")) << id;
  }
  EXPECT_GT(shared.counts().cycles_known, 0);
}

TEST(GameRunner, BuiltinPlayersNeedNoEvaluator) {
  for (uint64_t id = 0; id < 60; ++id) {
    GameSpec spec = small_spec(id);
    spec.adjudication.ply_cap = 0;
    spec.players[0] = builtin_player(id % 3 == 0 ? "ab:1" : "random");
    spec.players[1] = builtin_player(id % 2 ? "greedy" : "random");
    GameRunner game(spec);
    game.advance();
    ASSERT_TRUE(game.finished());
    const GameRecord record = game.take_record();
    expect_sound(record);
    EXPECT_TRUE(record.nets.empty());
    EXPECT_EQ(record.players[0], spec.players[0].name);
    for (const auto& ply : record.plies) EXPECT_EQ(ply.search, SearchKind::None);
  }
}

TEST(GameRunner, AdvanceStopsAfterSoManyMoves) {
  GameSpec spec = small_spec(0);
  spec.players[0] = spec.players[1] = builtin_player("random");
  GameRunner game(spec);
  game.advance(1);
  EXPECT_EQ(game.history().plies(), 1);
  game.advance(5);
  EXPECT_EQ(game.history().plies(), 6);
}

TEST(GameRunner, DependsOnSeedWriterAndIdAlone) {
  const auto same = [](const GameSpec& a, const GameSpec& b) {
    return play_game(a).plies == play_game(b).plies;
  };
  for (const char* algorithm : {"puct", "gumbel"}) {
    const GameSpec spec = small_spec(3, algorithm);
    EXPECT_EQ(play_game(spec), play_game(spec));
    GameSpec other = spec;
    other.id = 4;
    EXPECT_FALSE(same(spec, other));
    other = spec;
    other.seed = 8;
    EXPECT_FALSE(same(spec, other));
    other = spec;
    other.writer = "second";
    EXPECT_FALSE(same(spec, other));
  }
}

TEST(GameRunner, AGameIsTheSameAmongOthersInABatch) {
  const auto evaluator = nn::make_hash_evaluator();
  const auto batch = evaluator->make_batch(8);
  std::vector<GameRunner> games;
  for (uint64_t id = 0; id < 8; ++id) games.emplace_back(small_spec(id, id % 2 ? "gumbel" : "puct"));
  for (GameRunner& game : games) game.set_net(0, "hash");
  for (bool any = true; any;) {
    batch->clear();
    std::vector<GameRunner*> waiting;
    for (GameRunner& game : games)
      if (game.gather(*batch, 1) > 0) waiting.push_back(&game);
    any = !waiting.empty();
    if (any) evaluator->evaluate(*batch);
    for (GameRunner* game : waiting) game->absorb(*batch);
  }
  for (uint64_t id = 0; id < 8; ++id)
    EXPECT_EQ(games[id].take_record(), play_game(small_spec(id, id % 2 ? "gumbel" : "puct")));
}

TEST(GameRunner, RecordsWhatASearchFound) {
  const GameRecord record = play_game(small_spec(1, "puct", 12));
  ASSERT_FALSE(record.plies.empty());
  for (const auto& ply : record.plies) {
    EXPECT_EQ(ply.search, SearchKind::Full);
    EXPECT_EQ(ply.visits, 12u);
    EXPECT_GE(ply.root_value, -1);
    EXPECT_LE(ply.root_value, 1);
    int sum = 0;
    for (const auto& entry : ply.policy) sum += entry.weight;
    EXPECT_NEAR(sum, 65535, 20);
  }
  ASSERT_EQ(record.nets.size(), 1u);
  EXPECT_EQ(record.nets[0], (shards::NetRun{0, "hash"}));
}

TEST(GameRunner, PlayoutCapMixesFullAndCheapSearches) {
  int full = 0, cheap = 0;
  for (uint64_t id = 0; id < 20; ++id) {
    GameSpec spec = small_spec(id, id % 2 ? "puct" : "gumbel", 10);
    for (PlayerSpec& player : spec.players) {
      player.cheap_visits = 4;
      player.full_share = 0.25;
    }
    for (const auto& ply : play_game(spec).plies) {
      if (ply.search == SearchKind::Full) {
        ++full;
        EXPECT_EQ(ply.visits, 10u);
        EXPECT_FALSE(ply.policy.empty());
      } else {
        ++cheap;
        EXPECT_EQ(ply.visits, 4u);
        EXPECT_TRUE(ply.policy.empty());
      }
    }
  }
  EXPECT_NEAR(double(full) / (full + cheap), 0.25, 0.05);
}

TEST(GameRunner, OpeningAndRandomPliesAreNoTargets) {
  std::set<size_t> lengths;
  for (uint64_t id = 0; id < 30; ++id) {
    GameSpec spec = small_spec(id);
    spec.opening = {xiangqi::parse_uci("h2e2"), xiangqi::parse_uci("h9g7")};
    spec.random_opening_plies = 3;
    const GameRecord record = play_game(spec);
    EXPECT_EQ(xiangqi::to_uci(record.plies[1].move), "h9g7");
    size_t unsearched = 0;
    while (record.plies[unsearched].search == SearchKind::None) ++unsearched;
    lengths.insert(unsearched);
    EXPECT_EQ(record.nets.at(0).ply, unsearched);
  }
  EXPECT_EQ(lengths, (std::set<size_t>{2, 3, 4, 5}));
  GameSpec bad = small_spec(0);
  bad.opening = {xiangqi::parse_uci("a0a9")};
  EXPECT_THROW(GameRunner{bad}, Error);
}

TEST(GameRunner, NetsOfTwoEvaluatorsAlternateAndChangesAreNoted) {
  GameSpec spec = small_spec(2);
  spec.players[1].evaluator = 1;
  std::vector<std::unique_ptr<nn::Evaluator>> two;
  two.push_back(nn::make_hash_evaluator());
  two.push_back(nn::make_material_evaluator());
  const GameRecord record = play_game(spec, two);
  expect_sound(record);
  ASSERT_GE(record.nets.size(), 2u);
  EXPECT_EQ(record.nets[0], (shards::NetRun{0, "hash"}));
  EXPECT_EQ(record.nets[1], (shards::NetRun{1, "material"}));

  // One evaluator whose net changes in the middle of the game.
  GameRunner game(small_spec(2));
  const auto evaluator = nn::make_hash_evaluator();
  const auto batch = evaluator->make_batch(1);
  while (game.advance(), !game.finished()) {
    game.set_net(0, game.history().plies() < 10 ? "n1" : "n2");
    batch->clear();
    if (game.gather(*batch, 1) == 0) continue;
    evaluator->evaluate(*batch);
    game.absorb(*batch);
  }
  EXPECT_EQ(game.take_record().nets, (std::vector<shards::NetRun>{{0, "n1"}, {10, "n2"}}));
}

TEST(GameRunner, PolicyAlonePlaysTheGreatestPrior) {
  GameSpec spec = small_spec(0);
  for (PlayerSpec& player : spec.players) {
    player.kind = PlayerKind::PolicyOnly;
    player.choice.temperature = 0;
  }
  spec.adjudication.ply_cap = 40;
  const GameRecord record = play_game(spec, "hash");
  expect_sound(record);
  EXPECT_EQ(record.plies.at(0).search, SearchKind::None);
  EXPECT_EQ(record, play_game(spec, "hash"));
  // Equal priors: the first legal move.
  const GameRecord uniform = play_game(spec, "uniform");
  EXPECT_EQ(uniform.plies[0].move, xiangqi::Position().legal_moves()[0]);
}

TEST(GameRunner, WaitsForOutsidePlayers) {
  GameSpec spec = small_spec(0);
  spec.players[0].kind = PlayerKind::External;
  spec.players[1] = builtin_player("random");
  GameRunner game(spec);
  game.advance();
  ASSERT_TRUE(game.waits_for_outside());
  const auto batch = nn::make_hash_evaluator()->make_batch(1);
  EXPECT_EQ(game.gather(*batch, 1), 0);
  game.play_outside(xiangqi::parse_uci("h2e2"));
  game.advance();
  ASSERT_TRUE(game.waits_for_outside());
  EXPECT_EQ(game.history().plies(), 2);
  game.forfeit(xiangqi::EndReason::TimeForfeit);
  ASSERT_TRUE(game.finished());
  const GameRecord record = game.take_record();
  EXPECT_EQ(record.outcome, xiangqi::Outcome::BlackWins);
  EXPECT_EQ(record.reason, xiangqi::EndReason::TimeForfeit);
  expect_sound(record);
}

}  // namespace
}  // namespace chuhe::match
