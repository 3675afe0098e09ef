#include "mcts/search/select.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"

namespace chuhe::mcts {
namespace {

double exploration(double n, const SelectTerms& terms) {
  return (terms.cpuct_init + det_log((1 + n + terms.cpuct_base) / terms.cpuct_base)) * std::sqrt(n);
}

struct Best {
  double score = -1e300;
  int edge = 0;
  void offer(double s, int e) {
    if (s > score || (s == score && e < edge)) {
      score = s;
      edge = e;
    }
  }
};

}  // namespace

int select_puct(const Tree& tree, const Node& node, const SelectTerms& terms) {
  const int count = node.child_count;
  if (count == 0) return 0;
  const double u = exploration(double(node.visits) + node.in_flight, terms);
  const Node* children = &tree[node.children];
  const uint16_t* priors = tree.prior_codes(node);
  Best best;
  double mass = 0;
  bool any_awaited = false;
  for (int i = 0; i < count; ++i) {
    const Node& c = children[i];
    if (c.visits == 0) [[unlikely]] {
      any_awaited = true;
      continue;
    }
    const double p = decode_prior(priors[i]);
    mass += p;
    best.offer(u * p / (1.0 + c.visits + c.in_flight) - c.value(), i);
  }
  const double unvisited = node.mean() - terms.fpu_reduction * std::sqrt(mass);
  if (count < node.edge_count) best.offer(unvisited + u * decode_prior(priors[count]), count);
  if (any_awaited)
    for (int i = 0; i < count; ++i)
      if (children[i].visits == 0)
        best.offer(unvisited + u * decode_prior(priors[i]) / (1.0 + children[i].in_flight), i);
  return best.edge;
}

int select_puct_root(const Tree& tree, std::span<const float> priors, const SelectTerms& terms) {
  const Node& node = tree.root();
  const double u = exploration(double(node.visits) + node.in_flight, terms);
  const Node* children = &tree[node.children];
  double mass = 0;
  for (int i = 0; i < node.child_count; ++i)
    if (children[i].visits > 0) mass += priors[size_t(i)];
  const double unvisited = node.mean() - terms.root_fpu_reduction * std::sqrt(mass);
  Best best;
  for (int i = 0; i < node.child_count; ++i) {
    const Node& c = children[i];
    const double q = c.visits > 0 ? -c.value() : unvisited;
    best.offer(u * priors[size_t(i)] / (1.0 + c.visits + c.in_flight) + q, i);
  }
  return best.edge;
}

CompletedQ::CompletedQ(const Tree& tree, const Node& node, const SelectTerms& terms) {
  const Node* children = node.child_count > 0 ? &tree[node.children] : nullptr;
  double mass = 0, weighted = 0, lowest = 1e300, highest_q = -1e300;
  uint32_t visits = 0, most = 0;
  for (int i = 0; i < node.child_count; ++i) {
    const Node& c = children[i];
    if (c.visits == 0) continue;
    const double p = tree.prior(node, i), q = -c.value();
    mass += p;
    weighted += p * q;
    visits += c.visits;
    most = std::max(most, c.visits);
    lowest = std::min(lowest, q);
    highest_q = std::max(highest_q, q);
  }
  v_mix =
      visits == 0 ? double(node.own_value) : (node.own_value + visits * (weighted / mass)) / (1.0 + visits);
  low = std::min(lowest, v_mix);
  range = std::max(std::max(highest_q, v_mix) - low, 1e-8);
  scale = (terms.c_visit + most) * terms.c_scale;
}

// exp(logit + sigma) is prior * exp(sigma), and all unvisited edges share one sigma: one exponential per
// visited child.
int select_gumbel(const Tree& tree, const Node& node, const SelectTerms& terms) {
  const int count = node.child_count;
  if (count == 0) return 0;
  const CompletedQ completed(tree, node, terms);
  const Node* children = &tree[node.children];
  const double top = completed.sigma(completed.highest());
  std::array<double, xiangqi::kMaxMoves> weights;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    weights[size_t(i)] = tree.prior(node, i) * det_exp(completed.sigma_of_child(children[i]) - top);
    sum += weights[size_t(i)];
  }
  double rest = 0;
  for (int i = count; i < node.edge_count; ++i) rest += tree.prior(node, i);
  const double unvisited = det_exp(completed.sigma(completed.v_mix) - top);
  sum += rest * unvisited;
  const double visits = double(node.visits) + node.in_flight;  // 1 + the sum of the children's
  Best best;
  for (int i = 0; i < count; ++i)
    best.offer(weights[size_t(i)] / sum - (double(children[i].visits) + children[i].in_flight) / visits, i);
  if (count < node.edge_count) best.offer(tree.prior(node, count) * unvisited / sum, count);
  return best.edge;
}

}  // namespace chuhe::mcts
