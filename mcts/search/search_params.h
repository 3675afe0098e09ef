#pragma once
#include <string>

#include "base/config.h"

namespace chuhe::mcts {

/// How a search behaves. Values are win - loss in -1..1; "visits" are simulations that passed a node.
struct SearchParams {
  std::string algorithm = "puct";  // puct, gumbel
  int visits = 100;                // per move, the root's own evaluation not counted
  // PUCT (Silver et al. 2018): c = c_init + log((1 + N + c_base) / c_base)
  double cpuct_init = 1.5;
  double cpuct_base = 19652;
  // an unvisited child's value: parent's value - reduction * sqrt(visited prior mass)
  double fpu_reduction = 0.3;
  double root_fpu_reduction = 0.1;
  // Dirichlet noise in the root's priors; the concentration of each of n moves is noise_alpha * 35 / n
  double noise_alpha = 0.3;
  double noise_share = 0.0;  // 0 = none
  // Gumbel (Danihelka et al. 2022)
  int gumbel_moves = 16;      // moves sampled at the root
  double gumbel_scale = 1.0;  // 0 for deterministic play
  // sigma(q) = (c_visit + most visits) * c_scale * q, with q rescaled to 0..1 between least and greatest.
  // (The paper's c_scale of 1 goes with values that are not rescaled: here it turns any difference into
  // certainty.)
  double c_visit = 50;
  double c_scale = 0.1;
  // Draws and repetition
  double draw_value = 0.0;  // of a draw, for the side to move at the root
  // of a position's second occurrence, both in the tree (the root counts). first: the judge's verdict on the
  // cycle is final at once; draw: it counts as a draw; rule: play goes on, only the rules end it (at the
  // third)
  std::string tree_repetition = "first";
  // memory bound: a full arena ends the search; places take some 250 bytes, edges and spare room included
  int64_t max_nodes = 4'000'000;

  void describe(Fields& f);
};

}  // namespace chuhe::mcts
