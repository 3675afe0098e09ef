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
  double fpu_reduction =
      0.3;  // an unvisited child's value: parent's value - reduction * sqrt(visited prior mass)
  double root_fpu_reduction = 0.1;
  double noise_alpha =
      0.3;  // Dirichlet; alpha of each move is noise_alpha * 10 / moves... see describe(); 0 share = off
  double noise_share = 0.0;
  // Gumbel (Danihelka et al. 2022)
  int gumbel_moves = 16;      // moves sampled at the root
  double gumbel_scale = 1.0;  // 0 for deterministic play
  double c_visit = 50;
  double c_scale = 0.1;
  // Draws and repetition
  double draw_value = 0.0;                // of a draw, for the side to move at the root
  std::string tree_repetition = "first";  // first: a position's second occurrence, both inside the tree, is
                                          // decided by the judge at once; rule: as the rules say
  int64_t max_nodes = 4'000'000;          // memory bound of the arena: a full arena ends the search

  void describe(Fields& f);
};

}  // namespace chuhe::mcts
