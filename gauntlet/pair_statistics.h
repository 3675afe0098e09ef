#pragma once
// What a match says about two players. The unit is a pair: two games on one opening with the colours swapped,
// whose results depend on each other. Formulas of the field: the logistic Elo scale; normalized Elo and the
// likelihood of superiority from the pairs' mean and variance.

#include <array>
#include <cstdint>

namespace chuhe::gauntlet {

/// Pairs by the first player's points, in half points of the pair: 0 = lost both ... 4 = won both.
using PairCounts = std::array<int64_t, 5>;

struct Interval {
  double value, low, high;
};

int64_t pairs(const PairCounts& counts);
/// Points per game, 0..1, with the 95 % interval: Wilson's (1927) with the number of independent games that
/// would give the pairs' variance, so that it stays inside 0..1 and has a width where all pairs agree.
/// Without a pair: 0.5 in 0..1.
Interval score(const PairCounts& counts);
/// Elo of a score: -400 log10(1/s - 1); infinite at 0 and 1.
double elo_of_score(double score);
/// (mean - 1/2) / (sqrt(2) sigma) * 800 / ln 10, and the half width of its 95 % interval. Infinite where all
/// pairs agree, unless the score is 1/2: then 0.
Interval normalized_elo(const PairCounts& counts);
/// Chance that the first player is the better one: Phi((mean - 1/2) / (sigma / sqrt(pairs))).
double likelihood_of_superiority(const PairCounts& counts);

}  // namespace chuhe::gauntlet
