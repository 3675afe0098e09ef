#include "gauntlet/pair_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace chuhe::gauntlet {
namespace {

// Published figures of chess engine tests, counts from losing both to winning both.
TEST(PairStatistics, MatchesPublishedNormalizedElo) {
  const Interval n = normalized_elo({379, 10170, 21828, 10640, 343});
  EXPECT_NEAR(n.value, 3.05, 0.005);
  EXPECT_NEAR(n.high - n.value, 2.31, 0.005);
}

TEST(PairStatistics, MatchesPublishedEloAndLos) {
  const PairCounts counts = {13, 37, 50, 25, 3};
  EXPECT_NEAR(elo_of_score(score(counts).value), -43.66, 0.005);
  EXPECT_NEAR(normalized_elo(counts).value, -63.97, 0.005);
  EXPECT_NEAR(likelihood_of_superiority(counts), 0.0016, 0.00005);
}

TEST(PairStatistics, IntervalIsTheNormalOneForMany) {
  const PairCounts counts = {1300, 3700, 5000, 2500, 300};
  const double mean = (0.25 * 3700 + 0.5 * 5000 + 0.75 * 2500 + 300) / 12800;
  const double square = (0.0625 * 3700 + 0.25 * 5000 + 0.5625 * 2500 + 300) / 12800;
  const double half = 1.96 * std::sqrt((square - mean * mean) / 12800);
  const Interval s = score(counts);
  EXPECT_NEAR(s.value, mean, 1e-12);
  EXPECT_NEAR(s.high - s.low, 2 * half, 1e-4);
}

TEST(PairStatistics, OneSidedMatchesKeepAWidth) {
  const Interval all = score({0, 0, 0, 0, 100});
  EXPECT_EQ(all.value, 1);
  EXPECT_EQ(all.high, 1);
  EXPECT_LT(all.low, 0.99);
  EXPECT_GT(all.low, 0.97);
  const Interval drawn = score({0, 0, 100, 0, 0});
  EXPECT_LT(drawn.low, 0.45);
  EXPECT_GT(drawn.high, 0.55);
  EXPECT_TRUE(std::isinf(elo_of_score(1)));
  EXPECT_EQ(likelihood_of_superiority({0, 0, 100, 0, 0}), 0.5);
}

TEST(PairStatistics, NothingPlayedSaysNothing) {
  const Interval s = score({});
  EXPECT_EQ(s.low, 0);
  EXPECT_EQ(s.high, 1);
  EXPECT_EQ(likelihood_of_superiority({}), 0.5);
}

TEST(PairStatistics, IsFiniteAndOrderedForAnyCounts) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
          for (int e = 0; e < 3; ++e) {
            const Interval s = score({a, b, c, d, e});
            EXPECT_TRUE(0 <= s.low && s.low <= s.value && s.value <= s.high && s.high <= 1)
                << a << b << c << d << e << ": " << s.low << " " << s.value << " " << s.high;
          }
}

}  // namespace
}  // namespace chuhe::gauntlet
