#include "match/move_choice.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace chuhe::match {
namespace {

using xiangqi::Move;

mcts::SearchResult result_of(const std::vector<mcts::RootMove>& moves) {
  mcts::SearchResult result;
  result.moves = moves;
  result.best = moves[0].move;
  return result;
}

// Visits 60, 30, 10, 0; the third move is much worse.
mcts::SearchResult example() {
  return result_of({{Move(0, 1), 0.2f, 60, 0.5f, 0.6},
                    {Move(0, 2), 0.2f, 30, 0.4f, 0.3},
                    {Move(0, 3), 0.2f, 10, -0.9f, 0.05},
                    {Move(0, 4), 0.4f, 0, 0.0f, 0.05}});
}

std::map<int, double> shares(const MoveChoice& choice, bool gumbel, int ply) {
  std::map<int, double> counts;
  Random random(11);
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i)
    counts[choose_move(choice, gumbel, example(), ply, random).to()] += 1.0 / kDraws;
  return counts;
}

TEST(MoveChoice, TemperatureOneFollowsTheVisits) {
  MoveChoice choice;
  choice.max_value_loss = 2;
  const auto s = shares(choice, false, 0);
  EXPECT_NEAR(s.at(1), 0.6, 0.02);
  EXPECT_NEAR(s.at(2), 0.3, 0.02);
  EXPECT_NEAR(s.at(3), 0.1, 0.02);
  EXPECT_FALSE(s.contains(4)) << "never a move without visits";
}

TEST(MoveChoice, LowTemperatureSharpens) {
  MoveChoice choice;
  choice.temperature = 0.5;
  choice.max_value_loss = 2;
  const auto s = shares(choice, false, 0);
  EXPECT_NEAR(s.at(1), 3600.0 / 4600, 0.02);
  EXPECT_NEAR(s.at(3), 100.0 / 4600, 0.01);
}

// U020: late in the game, chance must not throw away what is won.
TEST(MoveChoice, EndTemperatureAppliesFromItsPlyOn) {
  MoveChoice choice;
  choice.temperature_plies = 30;
  EXPECT_GT(shares(choice, false, 29).size(), 1u);
  EXPECT_EQ(shares(choice, false, 30).size(), 1u);
  EXPECT_TRUE(shares(choice, false, 30).contains(1));
}

TEST(MoveChoice, BlundersAreNotDrawn) {
  MoveChoice choice;
  choice.max_value_loss = 1.0;  // the third move is 1.4 below
  EXPECT_FALSE(shares(choice, false, 0).contains(3));
  choice.max_value_loss = 0.05;
  EXPECT_EQ(shares(choice, false, 0).size(), 1u) << "the best stays";
}

TEST(MoveChoice, GumbelDrawsFromTheTargetOfVisitedMoves) {
  MoveChoice choice;
  choice.max_value_loss = 2;
  const auto s = shares(choice, true, 0);
  EXPECT_NEAR(s.at(1), 0.6 / 0.95, 0.02);
  EXPECT_FALSE(s.contains(4));
  choice.temperature = 0;
  EXPECT_EQ(shares(choice, true, 0).size(), 1u);
}

TEST(MoveChoice, PriorsTieToTheLowestIndex) {
  MoveChoice choice;
  choice.temperature = 0;
  Random random(1);
  const float priors[] = {0.2f, 0.3f, 0.3f, 0.2f};
  EXPECT_EQ(choose_prior(choice, priors, 0, random), 1);
  choice.temperature = 1;
  int counts[4] = {};
  for (int i = 0; i < 10000; ++i) ++counts[choose_prior(choice, priors, 0, random)];
  EXPECT_NEAR(counts[0], 2000, 200);
  EXPECT_NEAR(counts[2], 3000, 200);
}

TEST(StoredPolicy, IsSortedAndSumsToOne) {
  const auto policy = stored_policy(example());
  ASSERT_EQ(policy.size(), 4u);
  EXPECT_EQ(policy[0].weight, 39321);  // 0.6 * 65535
  int sum = 0;
  for (size_t i = 0; i < policy.size(); ++i) {
    sum += policy[i].weight;
    if (i > 0) {
      EXPECT_LT(policy[i - 1].move.bits, policy[i].move.bits);
    }
  }
  EXPECT_NEAR(sum, 65535, 2);
  EXPECT_EQ(stored_policy(result_of({{Move(0, 1), 0, 1, 0, 1.0}, {Move(0, 2), 0, 0, 0, 1e-6}})).size(), 1u)
      << "zeros are left out";
}

}  // namespace
}  // namespace chuhe::match
