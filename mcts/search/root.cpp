#include "mcts/search/root.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace chuhe::mcts {

void mix_noise(std::span<float> priors, double alpha, double share, Random& random) {
  if (share <= 0 || priors.empty()) return;
  std::vector<float> noise(priors.size());
  random.dirichlet(alpha * 35 / double(priors.size()), noise);
  for (size_t i = 0; i < priors.size(); ++i)
    priors[i] = float((1 - share) * double(priors[i]) + share * double(noise[i]));
}

std::vector<uint32_t> halving_schedule(int moves, int simulations) {
  std::vector<uint32_t> schedule;
  schedule.reserve(size_t(simulations));
  if (moves <= 1) {
    for (int i = 0; i < simulations; ++i) schedule.push_back(uint32_t(i));
    return schedule;
  }
  const int phases = std::bit_width(uint32_t(moves) - 1);  // ceil(log2 moves)
  uint32_t visits = 0;                                     // of each move still considered
  for (int considered = moves; int(schedule.size()) < simulations; considered = std::max(2, considered / 2)) {
    const int rounds = std::max(1, simulations / (phases * considered));
    for (int r = 0; r < rounds && int(schedule.size()) < simulations; ++r, ++visits) {
      const int room = simulations - int(schedule.size());
      schedule.insert(schedule.end(), size_t(std::min(considered, room)), visits);
    }
  }
  return schedule;
}

GumbelRoot::GumbelRoot(const Tree& tree, const SearchParams& params, int simulations, Random& random) {
  const Node& root = tree.root();
  for (int i = 0; i < root.edge_count; ++i) {
    const double gumbel = params.gumbel_scale > 0 ? params.gumbel_scale * random.gumbel() : 0;
    scores_.push_back(gumbel + det_log(tree.prior(root, i)));
    base_visits_.push_back(tree[root.children + uint32_t(i)].visits);
  }
  schedule_ = halving_schedule(std::min<int>(params.gumbel_moves, root.edge_count), simulations);
}

template <class Eligible>
int GumbelRoot::highest(const Tree& tree, const SelectTerms& terms, const Eligible& eligible) const {
  const Node& root = tree.root();
  const CompletedQ completed(tree, root, terms);
  int best = -1;
  double best_score = 0;
  for (int i = 0; i < root.child_count; ++i) {
    const Node& child = tree[root.children + uint32_t(i)];
    if (!eligible(child, base_visits_[size_t(i)])) continue;
    const double score = scores_[size_t(i)] + completed.sigma_of_child(child);
    if (best >= 0 && score <= best_score) continue;
    best = i;
    best_score = score;
  }
  return best;
}

int GumbelRoot::select(const Tree& tree, const SelectTerms& terms, int started) const {
  const uint32_t wanted = schedule_[size_t(started)];
  const int edge = highest(tree, terms, [&](const Node& child, uint32_t base) {
    return child.visits + child.in_flight - base == wanted;
  });
  CHUHE_CHECK(edge >= 0, "simulation {}: no root move has {} visits", started, wanted);
  return edge;
}

int GumbelRoot::best(const Tree& tree, const SelectTerms& terms) const {
  const Node& root = tree.root();
  std::pair<int, uint32_t> top = {0, 0};
  const auto rank = [](const Node& child, uint32_t base) {
    return std::pair(proof_rank(child), child.visits - base);
  };
  for (int i = 0; i < root.child_count; ++i)
    top = std::max(top, rank(tree[root.children + uint32_t(i)], base_visits_[size_t(i)]));
  return highest(tree, terms, [&](const Node& child, uint32_t base) { return rank(child, base) == top; });
}

ImprovedPolicy::ImprovedPolicy(const Tree& tree, const SelectTerms& terms) {
  const Node& root = tree.root();
  const CompletedQ completed(tree, root, terms);
  const double top = completed.sigma(completed.highest());
  double sum = 0;
  for (int i = 0; i < root.child_count; ++i) {
    const Node& child = tree[root.children + uint32_t(i)];
    shares.push_back(tree.prior(root, i) * det_exp(completed.sigma_of_child(child) - top));
    sum += shares.back();
  }
  for (int i = 0; i < root.child_count; ++i) {
    const Node& child = tree[root.children + uint32_t(i)];
    shares[size_t(i)] /= sum;
    value += shares[size_t(i)] * (child.visits > 0 ? -child.value() : completed.v_mix);
  }
}

}  // namespace chuhe::mcts
