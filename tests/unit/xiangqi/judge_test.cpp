#include "xiangqi/rules/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/xiangqi/golden.h"

namespace chuhe::xiangqi {
namespace {

using testing::HasSubstr;

const RuleSet& checks_only() {
  return rule_set("checks_only");
}

/// The four symmetries: as it is, mirrored, colours swapped, both.
enum class View { Plain, Mirrored, Swapped, Both };
constexpr View kViews[] = {View::Plain, View::Mirrored, View::Swapped, View::Both};
bool is_mirrored(View v) {
  return v == View::Mirrored || v == View::Both;
}
bool is_swapped(View v) {
  return v == View::Swapped || v == View::Both;
}

Square seen(View v, Square s) {
  if (is_mirrored(v)) s = mirrored(s);
  return is_swapped(v) ? flipped(s) : s;
}
Move seen(View v, Move m) {
  return Move(seen(v, m.from()), seen(v, m.to()));
}
Position seen(View v, Position p) {
  if (is_mirrored(v)) p = p.mirrored();
  return is_swapped(v) ? p.color_swapped() : p;
}
Outcome seen(View v, Outcome o) {
  return is_swapped(v) ? mirrored(o) : o;
}

GameHistory history_of(const std::string& fen, const std::string& moves, View view = View::Plain,
                       int checks = 10) {
  GameHistory history(seen(view, position(fen)), checks);
  for (const std::string& text : words(moves)) {
    const Move m = seen(view, parse_uci(text));
    EXPECT_TRUE(history.current().is_legal(m)) << text << " in " << history.current().to_fen();
    if (!history.current().is_legal(m)) break;
    history.push(m);
  }
  return history;
}

std::optional<GameEnd> end_of(const GameHistory& history, const RuleSet& rules = checks_only(),
                              int occurrences = 0) {
  return game_end(history, history.current().legal_moves(), rules, occurrences);
}

// user case U071: a perpetual check of one colour was scored as a draw.
TEST(Judge, GoldenRepetitionsFromAllFourSides) {
  int losses = 0;
  for (const Row& row : golden("repetition_checks_only.tsv"))
    for (View view : kViews) {
      const GameHistory history = history_of(row.at(1), row.at(2), view);
      const auto expected = words(row.at(3));
      const auto verdict = judge(history, checks_only());
      ASSERT_TRUE(verdict) << row[0];
      const Outcome plain = expected[0] == "red_loses"     ? Outcome::BlackWins
                            : expected[0] == "black_loses" ? Outcome::RedWins
                                                           : Outcome::Draw;
      EXPECT_EQ(verdict->outcome, seen(view, plain)) << row[0] << " view " << int(view);
      EXPECT_EQ(verdict->reason, plain == Outcome::Draw ? EndReason::Repetition : EndReason::PerpetualCheck)
          << row[0];
      EXPECT_EQ(verdict->article, plain == Outcome::Draw ? "26.2" : "26.1") << row[0];
      EXPECT_FALSE(verdict->must_change);
      EXPECT_EQ("occurrences=" + std::to_string(history.occurrences()), expected[1]) << row[0];
      EXPECT_EQ(end_of(history), (GameEnd{verdict->outcome, verdict->reason})) << row[0];
      EXPECT_EQ(judge(history, rule_set("none"))->outcome, Outcome::Draw) << row[0];
      losses += plain != Outcome::Draw;
    }
  EXPECT_EQ(losses, 10 * 4);
}

TEST(Judge, OneCycleEarlierOnlyASearchSeesTheVerdict) {
  for (const Row& row : golden("repetition_checks_only.tsv")) {
    GameHistory history = history_of(row.at(1), row.at(2));
    const auto last = judge(history, checks_only());
    ASSERT_TRUE(last);
    if (history.occurrences() != 3) continue;
    // Back to the second occurrence of the same position.
    history.pop(history.plies() - 1 - history.previous_occurrence());
    ASSERT_EQ(history.occurrences(), 2) << row[0];
    EXPECT_FALSE(judge(history, checks_only())) << row[0];
    EXPECT_FALSE(end_of(history)) << row[0];
    const auto first = judge(history, checks_only(), 2);
    ASSERT_TRUE(first) << row[0];
    EXPECT_EQ(first->outcome, last->outcome) << row[0];
    EXPECT_EQ(end_of(history, checks_only(), 2), (GameEnd{last->outcome, last->reason})) << row[0];
    history.pop(1);
    EXPECT_FALSE(judge(history, checks_only(), 2) && history.occurrences() < 2) << row[0];
  }
}

TEST(Judge, TheCycleIsClassifiedPlyByPly) {
  const GameHistory history =
      history_of("4k4/9/9/9/2R6/9/9/9/9/5K3 w", "c5d5 e9e8 d5e5 e8d8 e5d5 d8e8 d5e5 e8d8 e5d5 d8e8");
  const auto verdict = judge(history, checks_only());
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->cycle.size(), 8u) << "from the first to the third occurrence";
  for (size_t i = 0; i < 8; ++i) {
    const CyclePly& ply = verdict->cycle[i];
    EXPECT_EQ(ply.ply, int(i) + 2);
    EXPECT_EQ(ply.move, history.facts()[i + 2].move);
    EXPECT_EQ(ply.finding.ply_class, i % 2 == 0 ? PlyClass::Check : PlyClass::Idle);
  }
  const std::string text = explain(*verdict, history, checks_only());
  EXPECT_THAT(text, HasSubstr("Ruling: Red loses."));
  EXPECT_THAT(text, HasSubstr("7. Red   车六平五 d5e5  check 将"));
  EXPECT_THAT(text, HasSubstr("8. Black 将5平4 e8d8  idle 闲"));
}

TEST(Judge, AnEarlierQuietMoveOutsideTheCycleDoesNotHelp) {
  // Red checks with each move of the cycle that closes; the quiet moves before it are no part of it.
  const std::string cycle = "d5e5 e9d9 e5d5 d9e9 ";
  const GameHistory history =
      history_of("4k4/9/9/9/2R6/9/9/9/9/5K3 w", "c5b5 e9e8 b5d5 e8e9 " + cycle + cycle);
  EXPECT_EQ(history.occurrences(), 3);
  EXPECT_EQ(end_of(history), (GameEnd{Outcome::BlackWins, EndReason::PerpetualCheck}));
}

TEST(Judge, OneQuietMoveInTheCycleMakesItADraw) {
  const std::string cycle = "d5e5 e9d9 e5e4 d9d8 e4d4 d8e8 d4d5 e8e9 ";
  const GameHistory history = history_of("4k4/9/9/9/3R5/9/9/9/9/5K3 w", cycle + cycle);
  EXPECT_EQ(history.occurrences(), 3);
  EXPECT_EQ(end_of(history), (GameEnd{Outcome::Draw, EndReason::Repetition}));
}

TEST(Judge, RepetitionCountIsTheRuleSets) {
  const std::string cycle = "d5e5 e9d9 e5d5 d9e9 ";
  RuleSet rules = checks_only();
  rules.repetition_count = 4;
  EXPECT_FALSE(end_of(history_of("4k4/9/9/9/3R5/9/9/9/9/5K3 w", cycle + cycle), rules));
  EXPECT_TRUE(end_of(history_of("4k4/9/9/9/3R5/9/9/9/9/5K3 w", cycle + cycle + cycle), rules));
  rules.repetition_count = 0;
  EXPECT_FALSE(end_of(history_of("4k4/9/9/9/3R5/9/9/9/9/5K3 w", cycle + cycle + cycle), rules));
}

// ----------------------------------------------------------------------------- ends of the game

// user case U074: a side without a move loses, and was scored for the wrong player.
TEST(GameEnd, NoLegalMoveLosesForBothColors) {
  for (View view : kViews) {
    const GameHistory history = history_of("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1", "", view);
    EXPECT_FALSE(history.current().in_check());
    EXPECT_EQ(end_of(history), (GameEnd{seen(view, Outcome::RedWins), EndReason::NoLegalMove}));
  }
}

TEST(GameEnd, MateAndStalemateOfTheGoldenPositions) {
  int mates = 0, stalemates = 0;
  for (const Row& row : golden("positions.tsv"))
    for (View view : kViews) {
      const bool mate = row.at(4) == "checkmate", stalemate = row.at(1) == "stalemate";
      if (!mate && !stalemate) continue;
      const GameHistory history = history_of(row.at(2), row.at(3), view);
      const Color loser = history.current().side_to_move();
      EXPECT_EQ(end_of(history),
                (GameEnd{win_for(~loser), mate ? EndReason::Checkmate : EndReason::NoLegalMove}))
          << row[0];
      (mate ? mates : stalemates)++;
    }
  EXPECT_EQ(mates, 11 * 4);
  EXPECT_EQ(stalemates, 6 * 4);
}

// user case U070: the limit, and which plies count, differ between programs; here both are fields of the rule
// set.
TEST(GameEnd, NaturalLimitOneBeforeAtAndAfter) {
  const std::string board = "3k5/9/9/9/9/9/9/4B4/4R4/5K3 w - - ";
  const auto end_at = [&](int quiet_before, const std::string& moves) {
    return end_of(history_of(board + std::to_string(quiet_before) + " 90", moves));
  };
  const GameEnd draw{Outcome::Draw, EndReason::NaturalLimit};
  EXPECT_FALSE(end_at(118, "e1h1"));               // 119
  EXPECT_EQ(end_at(118, "e1h1 d9d8"), draw);       // 120
  EXPECT_EQ(end_at(119, "e1h1"), draw);            // 120
  EXPECT_EQ(end_at(118, "e1h1 d9d8 h1h2"), draw);  // 121, had nobody looked before
  EXPECT_FALSE(end_at(0, "e1h1"));

  RuleSet rules = checks_only();
  rules.natural_limit_plies = 0;
  EXPECT_FALSE(end_of(history_of(board + "500 300", "e1h1"), rules));
  rules.natural_limit_plies = 100;
  EXPECT_FALSE(end_of(history_of(board + "98 60", "e1h1"), rules));
  EXPECT_TRUE(end_of(history_of(board + "99 60", "e1h1"), rules));
}

TEST(GameEnd, NaturalLimitCountsTenChecksOfASide) {
  const std::string fen = "4k4/9/9/9/3R5/9/9/9/9/5K3 w - - 90 50";
  std::string moves;
  for (int i = 0; i < 30; i += 4) moves += "d5e5 e9d9 e5d5 d9e9 ";
  RuleSet rules = checks_only();
  rules.repetition_count = 0;
  const GameHistory ten = history_of(fen, moves), all = history_of(fen, moves, View::Plain, 1000);
  EXPECT_EQ(ten.current().quiet_plies(), 122);
  EXPECT_FALSE(end_of(ten, rules));
  EXPECT_TRUE(end_of(all, rules));
}

TEST(GameEnd, MateComesBeforeTheNaturalLimit) {
  const GameHistory history = history_of("3k5/8R/9/9/9/9/9/9/R8/4K4 w - - 119 90", "a1a9");
  EXPECT_EQ(history.counted_plies(), 120);
  EXPECT_EQ(end_of(history), (GameEnd{Outcome::RedWins, EndReason::Checkmate}));
}

TEST(GameEnd, ACaptureAtTheLimitPlaysOn) {
  EXPECT_FALSE(end_of(history_of("3k5/9/9/9/9/4p4/9/9/4R4/5K3 w - - 119 90", "e1e4")));
}

TEST(GameEnd, NaturalLimitComesAfterRepetition) {
  const std::string cycle = "d5e5 e9d9 e5d5 d9e9 ";
  const GameHistory history = history_of("4k4/9/9/9/3R5/9/9/9/9/5K3 w - - 112 50", cycle + cycle);
  EXPECT_EQ(history.counted_plies(), 120);
  EXPECT_EQ(end_of(history), (GameEnd{Outcome::BlackWins, EndReason::PerpetualCheck}));
}

TEST(GameEnd, BareMaterialDraws) {
  const std::string fen = "2bak4/4a4/4b4/9/9/9/9/4n4/4A4/5K3 w";
  EXPECT_FALSE(end_of(history_of(fen, "")));
  const GameHistory history = history_of("2bak4/4a4/4b4/9/9/9/9/5n3/4A4/5K3 w", "e1f2");
  EXPECT_EQ(end_of(history), (GameEnd{Outcome::Draw, EndReason::BareMaterial}));
  RuleSet rules = checks_only();
  rules.bare_material_draw = false;
  EXPECT_FALSE(end_of(history, rules));
}

// ----------------------------------------------------------------------------- names and tables

TEST(RuleSets, NamesAreKnownOrRefusedWithTheList) {
  for (std::string_view name : rule_set_names()) {
    const RuleSet& rules = rule_set(name);
    EXPECT_EQ(rules.name, name);
    ASSERT_FALSE(rules.clauses.empty());
    EXPECT_EQ(rules.clauses.back().predicate, Predicate::AnyRepetition);
  }
  try {
    rule_set("cxa");
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("unknown rule set 'cxa', expected one of: cxa2007, cxa1999,"));
  }
}

TEST(EndReasons, NamesComeBack) {
  for (int i = 0; i < kEndReasons; ++i) EXPECT_EQ(end_reason(name_of(EndReason(i))), EndReason(i));
  EXPECT_EQ(name_of(EndReason::Forfeit), "forfeit");
  EXPECT_EQ(name_of(Outcome::BlackWins), "black_wins");
  EXPECT_THROW(end_reason("boredom"), Error);
}

}  // namespace
}  // namespace chuhe::xiangqi
