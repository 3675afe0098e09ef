#pragma once
// What happens at the root only: Dirichlet noise, and Gumbel's sampling without replacement with sequential
// halving.

#include <span>
#include <vector>

#include "base/random.h"
#include "mcts/search/select.h"
#include "mcts/tree/tree.h"

namespace chuhe::mcts {

/// Mixes a symmetric Dirichlet sample into priors that sum to 1: (1 - share) * prior + share * noise. The
/// concentration of each of n moves is alpha * 35 / n, so that alpha means the same in narrow and wide
/// positions (0.3: about 10 in all).
void mix_noise(std::span<float> priors, double alpha, double share, Random& random);

/// Sequential halving as a schedule: simulation t goes to a move with schedule[t] visits so far. `moves` are
/// considered at first, after each of ceil(log2 moves) phases the better half, at least two; the length is
/// exactly `simulations`.
std::vector<uint32_t> halving_schedule(int moves, int simulations);

/// Gumbel's state at the root. Visits are counted from construction on, so a subtree kept from an earlier
/// search takes part through its values only.
class GumbelRoot {
 public:
  GumbelRoot() = default;
  GumbelRoot(const Tree& tree, const SearchParams& params, int simulations, Random& random);
  /// The edge for the simulation numbered `started` from 0.
  int select(const Tree& tree, const SelectTerms& terms, int started) const;
  /// The winner: a proven win if there is one, no proven loss if that can be helped; then of the moves with
  /// most visits the one with the highest gumbel + logit + sigma(q).
  int best(const Tree& tree, const SelectTerms& terms) const;

 private:
  template <class Eligible>
  int highest(const Tree& tree, const SelectTerms& terms, const Eligible& eligible) const;
  std::vector<double> scores_;         // gumbel + logit by edge
  std::vector<uint32_t> base_visits_;  // by edge
  std::vector<uint32_t> schedule_;
};

/// 2 for a root move that wins by proof, 0 for one that loses, 1 else.
inline int proof_rank(const Node& child) {
  return child.proof() == Proof::Loss ? 2 : child.proof() == Proof::Win ? 0 : 1;
}

/// The improved policy softmax(logits + sigma(completed q)) over the edges of an open root, and the mean of
/// completed q under it.
struct ImprovedPolicy {
  std::vector<double> shares;
  double value = 0;
  ImprovedPolicy(const Tree& tree, const SelectTerms& terms);
};

}  // namespace chuhe::mcts
