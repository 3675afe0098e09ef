#pragma once
// Closed lines found by random search in random positions, for tests/property/judge.

#include <vector>

#include "base/random.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

struct Cycle {
  Position start;
  std::vector<Move> moves;  // legal, no captures; they lead back to the start
};

/// A cycle of 4, 6 or 8 plies, more often than not with a check or an attack in it.
Cycle random_cycle(Random& random);

Cycle mirrored(const Cycle& c);
Cycle color_swapped(const Cycle& c);
/// The same cycle, begun `plies` later.
Cycle rotated(const Cycle& c, int plies);

}  // namespace chuhe::xiangqi
