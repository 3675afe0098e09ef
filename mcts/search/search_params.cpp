#include "mcts/search/search_params.h"

namespace chuhe::mcts {

void SearchParams::describe(Fields& f) {
  f("algorithm", algorithm, "how the search spends its visits and what it trains", {"puct", "gumbel"});
  f("visits", visits, "simulations per move, the root's own evaluation not counted", {0, 1e9});
  f("cpuct_init", cpuct_init, "PUCT: c of c(N) P sqrt(N) / (1 + n) at few visits", {0, 100});
  f("cpuct_base", cpuct_base, "PUCT: c grows by log((1 + N + base) / base), N = visits of the node",
    {1, 1e9});
  f("fpu_reduction", fpu_reduction,
    "PUCT: an unvisited move is worth the node's value - reduction * sqrt(prior mass visited)", {-2, 2});
  f("root_fpu_reduction", root_fpu_reduction, "PUCT: the same at the root", {-2, 2});
  f("noise_alpha", noise_alpha,
    "PUCT: Dirichlet noise at the root, concentration of each of n moves = noise_alpha * 35 / n",
    {1e-3, 100});
  f("noise_share", noise_share, "PUCT: share of noise in the root's priors, 0 = none", {0, 1});
  f("gumbel_moves", gumbel_moves, "Gumbel: moves sampled at the root for sequential halving", {1, 128});
  f("gumbel_scale", gumbel_scale, "Gumbel: scale of the noise at the root, 0 = deterministic play", {0, 100});
  f("c_visit", c_visit, "Gumbel: sigma(q) = (c_visit + most visits) * c_scale * q, q rescaled to 0..1",
    {0, 1e6});
  f("c_scale", c_scale, "Gumbel: see c_visit", {0, 1e3});
  f("draw_value", draw_value, "value of a draw for the side to move at the root, win - loss", {-1, 1});
  f("tree_repetition", tree_repetition,
    "a position's second occurrence, root and below: first = the judge's verdict on the cycle is final at "
    "once, draw = a draw, rule = played on until the rules end it",
    {"first", "draw", "rule"});
  f("max_nodes", max_nodes,
    "places in the tree's arena, some 250 bytes each, their edges and spare room included; a full arena ends "
    "the search",
    {1000, 4e7});
}

}  // namespace chuhe::mcts
