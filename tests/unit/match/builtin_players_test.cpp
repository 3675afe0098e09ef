#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "match/material.h"
#include "match/player.h"

namespace chuhe::match {
namespace {

using xiangqi::GameHistory;
using xiangqi::Position;

const xiangqi::RuleSet& rules() {
  return xiangqi::rule_set("checks_only");
}

TEST(BuiltinPlayers, AreKnownByName) {
  for (const char* name : {"random", "greedy", "ab:1", "ab:8"}) {
    EXPECT_TRUE(is_builtin(name)) << name;
    EXPECT_NE(make_builtin(name), nullptr) << name;
  }
  for (const char* name : {"", "hash", "ab", "ab:", "ab:0", "ab:9", "ab:12", "ab:x", "Random"}) {
    EXPECT_FALSE(is_builtin(name)) << name;
    EXPECT_THROW(make_builtin(name), Error) << name;
  }
  try {
    make_builtin("stockfish");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "unknown player 'stockfish', expected random, greedy or ab:N with N from 1 to 8");
  }
}

TEST(BuiltinPlayers, RandomPlaysEveryMoveAboutEquallyOften) {
  const GameHistory history;
  xiangqi::JudgeMemory memory;
  Random random(5);
  const auto player = make_builtin("random");
  std::map<uint16_t, int> counts;
  for (int i = 0; i < 4400; ++i) ++counts[player->choose(history, rules(), memory, random).bits];
  EXPECT_EQ(counts.size(), 44u);
  for (const auto& [move, count] : counts) EXPECT_NEAR(count, 100, 50) << move;
}

TEST(BuiltinPlayers, GreedyTakesTheMostValuablePiece) {
  // The rook on e4 may take a cannon (e7) or two pawns, one across the river (a4).
  const GameHistory history(Position::from_fen("4k4/9/4c4/9/9/p3R3p/9/9/9/3K5 w").value());
  xiangqi::JudgeMemory memory;
  Random random(1);
  const auto player = make_builtin("greedy");
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(xiangqi::to_uci(player->choose(history, rules(), memory, random)), "e4e7");
}

TEST(BuiltinPlayers, GreedyChoosesByChanceAmongEqualsAndWithoutCaptures) {
  xiangqi::JudgeMemory memory;
  Random random(1);
  const auto player = make_builtin("greedy");
  std::set<std::string> moves;
  const GameHistory two_pawns(Position::from_fen("5k3/9/9/9/9/p3R3p/9/9/9/3K5 w").value());
  for (int i = 0; i < 50; ++i)
    moves.insert(xiangqi::to_uci(player->choose(two_pawns, rules(), memory, random)));
  EXPECT_EQ(moves, (std::set<std::string>{"e4a4", "e4i4"}));
  moves.clear();
  const GameHistory quiet(Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w").value());
  for (int i = 0; i < 300; ++i) moves.insert(xiangqi::to_uci(player->choose(quiet, rules(), memory, random)));
  EXPECT_EQ(int(moves.size()), quiet.current().legal_moves().size());
}

TEST(Material, CountsHalfPawns) {
  EXPECT_EQ(material_balance(Position(), xiangqi::Color::Red), 0);
  // Red: rook and a pawn across the river; Black: cannon, horse, elephant, pawn at home.
  const Position p = Position::from_fen("3k2b2/9/9/p3P4/9/9/9/1c7/2n6/4K3R w").value();
  EXPECT_EQ(material_balance(p, xiangqi::Color::Red), 18 + 4 - (9 + 8 + 4 + 2));
  EXPECT_EQ(material_balance(p, xiangqi::Color::Black), -material_balance(p, xiangqi::Color::Red));
}

}  // namespace
}  // namespace chuhe::match
