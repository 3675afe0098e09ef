#include "gauntlet/rating_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace chuhe::gauntlet {
namespace {

double elo_of(const std::vector<Rating>& ratings, const std::string& player) {
  for (const Rating& r : ratings)
    if (r.player == player) return r.elo;
  ADD_FAILURE() << player;
  return 0;
}

TEST(RatingFit, TwoPlayersMatchTheLogisticFormula) {
  const std::vector<PairResult> results = {{"a", "b", 7500, 10000}};
  const auto ratings = fit_ratings(results, "b");
  EXPECT_NEAR(elo_of(ratings, "a"), 400 * std::log10(3), 0.1);
  EXPECT_EQ(ratings.front().player, "a");
  // Standard error of a proportion, through the logistic slope.
  EXPECT_NEAR(ratings.front().error, 1.96 * (400 / std::log(10)) / std::sqrt(10000 * 0.75 * 0.25), 0.05);
}

TEST(RatingFit, StrengthsAddUpAlongAChain) {
  std::vector<PairResult> results = {{"a", "b", 6400, 10000}, {"b", "c", 6400, 10000}};
  const auto ratings = fit_ratings(results, "c");
  EXPECT_NEAR(elo_of(ratings, "a"), 2 * elo_of(ratings, "b"), 0.5);
}

double error_of(const std::vector<Rating>& ratings, const std::string& player) {
  for (const Rating& r : ratings)
    if (r.player == player) return r.error;
  ADD_FAILURE() << player;
  return 0;
}

// An error is that of the distance to the anchor: along a chain the links' variances add up.
TEST(RatingFit, ErrorsAddUpAlongAChain) {
  const std::vector<PairResult> results = {{"a", "b", 6400, 10000}, {"b", "c", 6400, 10000}};
  const auto ratings = fit_ratings(results, "c");
  const double link = 1.96 * (400 / std::log(10)) / std::sqrt(10000 * 0.64 * 0.36);
  EXPECT_EQ(error_of(ratings, "c"), 0);
  EXPECT_NEAR(error_of(ratings, "b"), link, 0.01 * link);
  EXPECT_NEAR(error_of(ratings, "a"), std::sqrt(2) * link, 0.01 * link);
  // Seen from the middle both ends are one link away.
  const auto middle = fit_ratings(results, "b");
  EXPECT_EQ(error_of(middle, "b"), 0);
  EXPECT_NEAR(error_of(middle, "a"), link, 0.01 * link);
  EXPECT_NEAR(error_of(middle, "c"), link, 0.01 * link);
}

TEST(RatingFit, AllWinsStayFiniteAndOrderOfNamesDoesNotMatter) {
  const std::vector<PairResult> forward = {{"net", "random", 40, 40}}, backward = {{"random", "net", 0, 40}};
  const double elo = elo_of(fit_ratings(forward, "random"), "net");
  EXPECT_GT(elo, 400);
  EXPECT_LT(elo, 3000);
  EXPECT_NEAR(elo, elo_of(fit_ratings(backward, "random"), "net"), 1e-6);
}

TEST(RatingFit, AnchorWithoutGamesIsAnError) {
  const std::vector<PairResult> results = {{"a", "b", 1, 2}};
  EXPECT_THROW(fit_ratings(results, "c"), Error);
}

}  // namespace
}  // namespace chuhe::gauntlet
