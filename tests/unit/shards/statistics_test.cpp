#include "shards/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/support/sample_games.h"
#include "xiangqi/board/position.h"

namespace chuhe::shards {
namespace {

using xiangqi::EndReason;
using xiangqi::Outcome;

std::map<std::string, double> figures_of(const Statistics& statistics) {
  std::map<std::string, double> map;
  for (const auto& [name, value] : statistics.figures()) EXPECT_TRUE(map.emplace(name, value).second) << name;
  return map;
}

GameRecord game_of(std::vector<std::string> moves) {
  GameRecord game;
  game.start_fen = xiangqi::kStartFen;
  for (const auto& move : moves) game.plies.push_back({.move = xiangqi::parse_uci(move), .policy = {}});
  game.reason = EndReason::PlyCapDraw;
  return game;
}

TEST(StatisticsTest, NothingGivesZeros) {
  for (const auto& [name, value] : figures_of({})) EXPECT_EQ(value, 0) << name;
}

TEST(StatisticsTest, CountsSearchesAndSizes) {
  GameRecord game = game_of({"h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "b0c2", "a9b9", "a0b0", "b7b5"});
  game.plies[2].search = SearchKind::Cheap;
  game.plies[2].visits = 6;
  game.plies[3].search = game.plies[4].search = SearchKind::Full;
  game.plies[3].visits = 16;
  game.plies[4].visits = 18;
  const auto half = uint16_t(32768);
  game.plies[3].policy = {{xiangqi::parse_uci("i9h9"), half}, {xiangqi::parse_uci("a9a8"), half}};
  game.plies[4].policy = {{xiangqi::parse_uci("i0h0"), 65535}};
  game.nets = {{0, "a"}, {5, "b"}};
  Statistics statistics;
  statistics.add(game);
  statistics.add_file(500);
  const auto f = figures_of(statistics);
  EXPECT_EQ(f.at("games"), 1);
  EXPECT_EQ(f.at("positions"), 10);
  EXPECT_EQ(f.at("bytes_per_position"), 50);
  EXPECT_DOUBLE_EQ(f.at("searched"), 0.3);
  EXPECT_DOUBLE_EQ(f.at("full_searches"), 2.0 / 3);
  EXPECT_EQ(f.at("cheap_visits"), 6);
  EXPECT_EQ(f.at("full_visits"), 17);
  EXPECT_EQ(f.at("policy_entries"), 1.5);
  EXPECT_NEAR(f.at("policy_entropy"), std::log(2) / 2, 1e-4);
  EXPECT_EQ(f.at("short_history"), 0.8);
  EXPECT_EQ(f.at("nets"), 2);
  EXPECT_EQ(f.at("cut_at_cap"), 1);
}

TEST(StatisticsTest, CountsResultsAndFalseResignations) {
  Statistics statistics;
  GameRecord game = game_of({"h2e2", "h9g7"});
  game.outcome = Outcome::RedWins;
  game.reason = EndReason::Resignation;
  statistics.add(game);
  game.resign_disabled = true;
  game.resign_ply = 1;  // Black would have resigned, and lost
  statistics.add(game);
  game.outcome = Outcome::Draw;
  game.reason = EndReason::Repetition;  // ... and held the draw
  statistics.add(game);
  game.start_fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";
  game.plies.clear();
  game.resign_ply = 0;  // Black is first to move here
  game.outcome = Outcome::RedWins;
  game.reason = EndReason::Checkmate;
  statistics.add(game);
  const auto f = figures_of(statistics);
  EXPECT_EQ(f.at("red_wins"), 0.75);
  EXPECT_EQ(f.at("draws"), 0.25);
  EXPECT_EQ(f.at("cut_at_cap"), 0);
  EXPECT_EQ(f.at("resign_tests"), 3);
  EXPECT_EQ(f.at("false_resignations"), 0);
  EXPECT_DOUBLE_EQ(f.at("drawn_resignations"), 1.0 / 3);
  game.outcome = Outcome::BlackWins;  // ... and won
  statistics.add(game);
  const auto more = figures_of(statistics);
  EXPECT_EQ(more.at("resign_tests"), 4);
  EXPECT_EQ(more.at("false_resignations"), 0.25) << "won games only: draws have their own name";
  EXPECT_EQ(more.at("drawn_resignations"), 0.25);
  EXPECT_EQ(statistics.ends().at({Outcome::Draw, EndReason::Repetition}), 1u);
}

TEST(StatisticsTest, CountsDistinctPositionsNotMoveOrders) {
  Statistics statistics;
  statistics.add(game_of({"h2e2", "h9g7", "b0c2", "b9c7"}));
  statistics.add(game_of({"b0c2", "b9c7", "h2e2", "h9g7"}));  // the same position by another order
  statistics.add(game_of({"h2e2", "h9g7", "h0g2"}));          // too short
  const auto f = figures_of(statistics);
  EXPECT_EQ(f.at("games_at_ply_4"), 2);
  EXPECT_EQ(f.at("distinct_at_ply_4"), 1);
  EXPECT_EQ(f.at("games_at_ply_8"), 0);
}

}  // namespace
}  // namespace chuhe::shards
