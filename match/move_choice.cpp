#include "match/move_choice.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace chuhe::match {
namespace {

double temperature_at(const MoveChoice& choice, int ply) {
  return ply < choice.temperature_plies ? choice.temperature : choice.end_temperature;
}

// Draws an index with chance weights^(1/T). Weights of 0 are never drawn; at least one is positive.
int draw(std::span<const double> weights, double temperature, Random& random) {
  const double greatest = *std::max_element(weights.begin(), weights.end());
  CHUHE_CHECK(greatest > 0, "nothing to draw from");
  std::vector<double> sums(weights.size());
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) sum += det_exp(det_log(weights[i] / greatest) / temperature);
    sums[i] = sum;
  }
  const double point = random.uniform() * sum;
  for (size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0 && point < sums[i]) return int(i);
  return int(std::max_element(weights.begin(), weights.end()) - weights.begin());  // rounding at the very end
}

}  // namespace

xiangqi::Move choose_move(const MoveChoice& choice, bool gumbel, const mcts::SearchResult& result, int ply,
                          Random& random) {
  const double temperature = temperature_at(choice, ply);
  if (temperature <= 0) return result.best;
  const auto best = std::find_if(result.moves.begin(), result.moves.end(),
                                 [&](const mcts::RootMove& m) { return m.move == result.best; });
  if (best == result.moves.end() || best->visits == 0) return result.best;
  const double least_value = best->value - choice.max_value_loss;
  std::vector<double> weights;
  for (const mcts::RootMove& m : result.moves) {
    const bool allowed = m.visits > 0 && (m.value >= least_value || m.move == result.best);
    weights.push_back(!allowed ? 0 : gumbel ? m.target : double(m.visits));
  }
  // A target may be too small for a float's share; the search's own choice then stands.
  if (*std::max_element(weights.begin(), weights.end()) <= 0) return result.best;
  return result.moves[size_t(draw(weights, temperature, random))].move;
}

int choose_prior(const MoveChoice& choice, std::span<const float> priors, int ply, Random& random) {
  const double temperature = temperature_at(choice, ply);
  if (temperature <= 0) return int(std::max_element(priors.begin(), priors.end()) - priors.begin());
  return draw(std::vector<double>(priors.begin(), priors.end()), temperature, random);
}

std::vector<shards::PolicyEntry> stored_policy(const mcts::SearchResult& result) {
  std::vector<shards::PolicyEntry> policy;
  for (const mcts::RootMove& m : result.moves) {
    const auto weight = uint16_t(std::lround(std::clamp(m.target, 0.0, 1.0) * 65535));
    if (weight > 0) policy.push_back({m.move, weight});
  }
  std::sort(policy.begin(), policy.end(),
            [](const auto& a, const auto& b) { return a.move.bits < b.move.bits; });
  return policy;
}

}  // namespace chuhe::match
