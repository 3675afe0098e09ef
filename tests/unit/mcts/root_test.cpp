#include "mcts/search/root.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace chuhe::mcts {
namespace {

using testing::ElementsAre;

TEST(Noise, KeepsTheSumAndTheShare) {
  for (const int moves : {1, 2, 17, 44, 110}) {
    Random random(uint64_t(moves), "noise", 0);
    std::vector<float> priors(size_t(moves), 0);
    priors[0] = 1;
    mix_noise(priors, 0.3, 0.25, random);
    EXPECT_NEAR(std::accumulate(priors.begin(), priors.end(), 0.0), 1, 1e-6) << moves;
    EXPECT_GE(priors[0], 0.75f) << moves;
  }
}

TEST(Noise, ShareZeroDrawsNothing) {
  Random random(1), untouched(1);
  std::vector<float> priors = {0.5f, 0.5f};
  mix_noise(priors, 0.3, 0, random);
  EXPECT_THAT(priors, ElementsAre(0.5f, 0.5f));
  EXPECT_EQ(random.next(), untouched.next());
}

// The concentration is 35 alpha in all: the variance of one of n shares is (1/n)(1 - 1/n) / (35 alpha + 1).
TEST(Noise, ConcentrationFollowsTheNumberOfMoves) {
  for (const int moves : {5, 40}) {
    Random random(7);
    double sum = 0, squares = 0;
    constexpr int kSamples = 4000;
    for (int i = 0; i < kSamples; ++i) {
      std::vector<float> priors(size_t(moves), 0);
      mix_noise(priors, 0.3, 1, random);
      sum += double(priors[0]);
      squares += double(priors[0]) * double(priors[0]);
    }
    const double mean = sum / kSamples, variance = squares / kSamples - mean * mean, p = 1.0 / moves;
    EXPECT_NEAR(mean / p, 1, 0.15) << moves;
    EXPECT_NEAR(variance / (p * (1 - p) / 11.5), 1, 0.2) << moves;
  }
}

TEST(Halving, Schedules) {
  EXPECT_THAT(halving_schedule(4, 8), ElementsAre(0, 0, 0, 0, 1, 1, 2, 2));
  EXPECT_THAT(halving_schedule(1, 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(halving_schedule(2, 5), ElementsAre(0, 0, 1, 1, 2));
  // Three moves: two phases, of three moves and then two.
  EXPECT_THAT(halving_schedule(3, 7), ElementsAre(0, 0, 0, 1, 1, 2, 2));
  // Fewer visits than moves.
  EXPECT_THAT(halving_schedule(16, 5), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(halving_schedule(16, 0), ElementsAre());
  const auto full = halving_schedule(16, 64);  // four phases of 16 visits: 16 x 1, 8 x 2, 4 x 4, 2 x 8
  std::vector<int> with_visits(20, 0);
  for (const uint32_t v : full) ++with_visits[v];
  EXPECT_THAT(std::vector(with_visits.begin(), with_visits.begin() + 16),
              ElementsAre(16, 8, 8, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 0));
}

TEST(Halving, EveryLengthIsExact) {
  for (int moves = 1; moves <= 40; ++moves)
    for (int n = 0; n <= 100; ++n) {
      const auto schedule = halving_schedule(moves, n);
      ASSERT_EQ(schedule.size(), size_t(n));
      // Each visit count is asked of no more moves than had reached it.
      std::vector<int> count(size_t(n) + 2, 0);
      for (const uint32_t v : schedule) ++count[v];
      for (size_t v = 0; v + 1 < count.size(); ++v) ASSERT_GE(v == 0 ? moves : count[v - 1], count[v]);
    }
}

}  // namespace
}  // namespace chuhe::mcts
