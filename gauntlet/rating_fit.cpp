#include "gauntlet/rating_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/statistics.h"

namespace chuhe::gauntlet {
namespace {

constexpr double kVirtualDraws = 2;
constexpr double kEloPerNat = 400 / 2.302585092994046;

using Meetings = std::map<std::pair<int, int>, double>;  // games of each pair, the lower index first

/// Variance of each log strength minus the anchor's. The virtual draws make the matrix positive definite.
Eigen::VectorXd variances(const std::vector<double>& strength, const Meetings& met, int anchor) {
  const auto n = Eigen::Index(strength.size());
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double s = strength[size_t(i)];
    information(i, i) = kVirtualDraws * s / ((s + 1) * (s + 1));
  }
  for (const auto& [pair, count] : met) {
    const auto [a, b] = pair;
    const double sum = strength[size_t(a)] + strength[size_t(b)];
    const double curvature = count * strength[size_t(a)] * strength[size_t(b)] / (sum * sum);
    information(a, a) += curvature;
    information(b, b) += curvature;
    information(a, b) -= curvature;
    information(b, a) -= curvature;
  }
  const Eigen::MatrixXd covariance = information.ldlt().solve(Eigen::MatrixXd::Identity(n, n));
  Eigen::VectorXd out(n);
  for (Eigen::Index i = 0; i < n; ++i)
    out(i) = std::max(0.0, covariance(i, i) + covariance(anchor, anchor) - 2 * covariance(i, anchor));
  out(anchor) = 0;
  return out;
}

}  // namespace

std::vector<Rating> fit_ratings(std::span<const PairResult> results, const std::string& anchor) {
  std::map<std::string, int> index;
  for (const PairResult& r : results) {
    index.try_emplace(r.a, int(index.size()));
    index.try_emplace(r.b, int(index.size()));
  }
  if (!index.contains(anchor)) throw Error("ratings: the anchor '{}' has played no game", anchor);
  const size_t n = index.size();
  std::vector<double> points(n, kVirtualDraws / 2), strength(n, 1.0);
  std::vector<int> games(n, 0);
  Meetings met;
  for (const PairResult& r : results) {
    const int a = index[r.a], b = index[r.b];
    points[a] += r.score_a;
    points[b] += r.games - r.score_a;
    games[a] += r.games;
    games[b] += r.games;
    met[{std::min(a, b), std::max(a, b)}] += r.games;
  }
  for (int round = 0; round < 100000; ++round) {
    std::vector<double> weight(n);
    for (size_t i = 0; i < n; ++i) weight[i] = kVirtualDraws / (strength[i] + 1);
    for (const auto& [pair, count] : met) {
      const double w = count / (strength[pair.first] + strength[pair.second]);
      weight[pair.first] += w;
      weight[pair.second] += w;
    }
    double change = 0;
    for (size_t i = 0; i < n; ++i) {
      const double next = points[i] / weight[i];
      change = std::max(change, std::abs(std::log(next / strength[i])));
      strength[i] = next;
    }
    if (change < 1e-10) break;
  }
  std::vector<Rating> ratings;
  const int fixed = index[anchor];
  const double zero = std::log(strength[size_t(fixed)]);
  const Eigen::VectorXd variance = variances(strength, met, fixed);
  for (const auto& [player, i] : index)
    ratings.push_back({player, kEloPerNat * (std::log(strength[i]) - zero),
                       kZ95 * kEloPerNat * std::sqrt(variance(i)), games[i]});
  std::stable_sort(ratings.begin(), ratings.end(),
                   [](const Rating& x, const Rating& y) { return x.elo > y.elo; });
  return ratings;
}

}  // namespace chuhe::gauntlet
