#pragma once
// Random play over many kinds of positions, for properties that must hold everywhere.

#include "base/random.h"
#include "tests/unit/xiangqi/golden.h"

namespace chuhe::xiangqi {

inline std::vector<Position> golden_starts() {
  std::vector<Position> starts{Position()};
  for (const Row& row : golden("perft.tsv")) starts.push_back(position(row.at(1)));
  for (const Row& row : golden("positions.tsv")) starts.push_back(position(row.at(2)));
  return starts;
}

/// Calls visit(position, legal moves) along random lines of at most `plies` plies until `positions` were
/// seen.
template <class Visit>
void walk_randomly(uint64_t seed, int positions, int plies, Visit visit) {
  const std::vector<Position> starts = golden_starts();
  Random random(seed, "random walks", 0);
  while (positions > 0) {
    Position p = starts[random.below(starts.size())];
    for (int ply = 0; ply < plies && positions > 0; ++ply, --positions) {
      const MoveList legal = p.legal_moves();
      visit(p, legal);
      if (legal.empty()) break;
      p.play(legal[int(random.below(uint64_t(legal.size())))]);
    }
  }
}

}  // namespace chuhe::xiangqi
