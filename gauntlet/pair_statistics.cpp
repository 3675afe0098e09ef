#include "gauntlet/pair_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/statistics.h"

namespace chuhe::gauntlet {
namespace {

constexpr double kNormalizedScale = 800 / 2.302585092994046;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Moments {
  double n, mean, variance;  // of a pair's points per game
};

Moments moments(const PairCounts& counts) {
  Moments m{double(pairs(counts)), 0.5, 0};
  if (m.n == 0) return m;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    sum += double(counts[i]) * double(i) / 4;
    squares += double(counts[i]) * double(i * i) / 16;
  }
  m.mean = sum / m.n;
  m.variance = std::max(0.0, squares / m.n - m.mean * m.mean);
  return m;
}

}  // namespace

int64_t pairs(const PairCounts& counts) {
  int64_t n = 0;
  for (const int64_t c : counts) n += c;
  return n;
}

Interval score(const PairCounts& counts) {
  const Moments m = moments(counts);
  if (m.n == 0) return {0.5, 0, 1};
  // Games of a player that wins with chance `mean` have variance mean (1 - mean); n of them give the pairs'
  // variance of the mean.
  const double of_mean = m.variance / m.n;
  const double n = of_mean > 1e-12 ? m.mean * (1 - m.mean) / of_mean : 2 * m.n;
  const auto [low, high] = wilson_interval(m.mean, n);
  return {m.mean, low, high};
}

double elo_of_score(double s) {
  if (s <= 0) return -kInfinity;
  if (s >= 1) return kInfinity;
  return -400 * std::log10(1 / s - 1);
}

Interval normalized_elo(const PairCounts& counts) {
  const Moments m = moments(counts);
  if (m.n == 0) return {0, -kInfinity, kInfinity};
  const double half = kZ95 * kNormalizedScale / std::sqrt(2 * m.n);
  if (m.variance < 1e-12) {
    const double value = m.mean > 0.5 ? kInfinity : m.mean < 0.5 ? -kInfinity : 0;
    return {value, value - half, value + half};
  }
  const double value = (m.mean - 0.5) / (std::sqrt(2) * std::sqrt(m.variance)) * kNormalizedScale;
  return {value, value - half, value + half};
}

double likelihood_of_superiority(const PairCounts& counts) {
  const Moments m = moments(counts);
  if (m.n == 0 || m.variance < 1e-12) return m.mean > 0.5 ? 1 : m.mean < 0.5 ? 0 : 0.5;
  return 0.5 * std::erfc(-(m.mean - 0.5) / std::sqrt(2 * m.variance / m.n));
}

}  // namespace chuhe::gauntlet
