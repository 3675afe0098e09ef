#pragma once
// From a search's values to what GUIs show. All from the side to move at the root.

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "xiangqi/board/position.h"

namespace chuhe::play {

/// Value q = win - loss in -1..1 to centipawns: 1000 * atanh(q), rounded, clamped to +-9999. It undoes the
/// Material evaluator's tanh(balance / 10), so that there a pawn more shows as 100. Never decreasing in q.
int centipawns(double q);

/// Win, draw, loss in per mille, sum 1000, that agree with q; the draws are as many as q leaves room for,
/// `draw_share` at most.
std::array<int, 3> per_mille(double q, double draw_share);

/// Depth as reported, and as `go depth` counts: floor(log2(visits + 1)), so depth d is reached at 2^d - 1
/// visits.
int depth_of(uint64_t visits);
uint64_t visits_of_depth(int depth);

/// Moves to mate if the line of legal moves ends without a legal move: positive if `start`'s side to move
/// gives mate, negative if it is mated; 0 if it has no move at the start.
std::optional<int> mate_at_end(xiangqi::Position start, std::span<const xiangqi::Move> line);

}  // namespace chuhe::play
