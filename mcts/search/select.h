#pragma once
// Which edge a simulation takes. Below the root the answer is an edge number up to child_count: that one is
// the first unvisited edge. At the root all edges have nodes. Ties go to the lowest edge number.
//
// N of a node counts the simulations that passed it, its own evaluation and those in flight included; n of a
// child likewise. A child's value q, from its parent's side to move, is proven or the mean of its visits.
// Simulations in flight only count as visits, they add no loss.

#include <span>

#include "mcts/search/search_params.h"
#include "mcts/tree/tree.h"

namespace chuhe::mcts {

/// The parameters that selection reads, in the form in which it reads them.
struct SelectTerms {
  double cpuct_init, cpuct_base, fpu_reduction, root_fpu_reduction, c_visit, c_scale;
  explicit SelectTerms(const SearchParams& p)
      : cpuct_init(p.cpuct_init),
        cpuct_base(p.cpuct_base),
        fpu_reduction(p.fpu_reduction),
        root_fpu_reduction(p.root_fpu_reduction),
        c_visit(p.c_visit),
        c_scale(p.c_scale) {}
};

/// argmax q + c(N) P sqrt(N) / (1 + n); an unvisited child's q is the node's mean - reduction * sqrt(visited
/// prior mass).
int select_puct(const Tree& tree, const Node& node, const SelectTerms& terms);
/// The same over all edges of an open root with the priors given (noise mixed in).
int select_puct_root(const Tree& tree, std::span<const float> priors, const SelectTerms& terms);

/// What Gumbel's rules make of a node's children (Danihelka et al. 2022, equation 33 and appendix D): the
/// mixed value v_mix stands for the q of unvisited ones, and q is rescaled to 0..1 between the least and the
/// greatest, v_mix included.
struct CompletedQ {
  double v_mix, low, range, scale;
  CompletedQ(const Tree& tree, const Node& node, const SelectTerms& terms);
  double sigma(double q) const { return scale * ((q - low) / range); }
  double sigma_of_child(const Node& child) const { return sigma(child.visits > 0 ? -child.value() : v_mix); }
  double highest() const { return low + range; }
};

/// argmax pi'(a) - n(a) / (1 + sum of n) with pi' = softmax(logits + sigma(completed q)).
int select_gumbel(const Tree& tree, const Node& node, const SelectTerms& terms);

}  // namespace chuhe::mcts
