#pragma once
// The policy's 2062 outputs: every (from, to) that some piece of the mover could play on an oriented board:
// 1530 along files and ranks, 508 horse moves, 16 of the own elephants, 8 of the own advisors. Sorted by
// from, then to.

#include <span>

#include "xiangqi/board/types.h"

namespace chuhe::nn {

constexpr int kPolicySize = 2062;

/// Index of an oriented move; a move that no piece can make is a failed check.
int policy_index(xiangqi::Move oriented_move);
xiangqi::Move policy_move(int index);
/// All moves by index, as bits (from | to << 7): for code that gathers.
std::span<const uint16_t, kPolicySize> policy_moves();
/// The index of the left-right mirrored move.
int mirrored_index(int index);
/// Indices of a list of (unoriented) legal moves, in the same order; `out` has room for legal.size().
void policy_indices(const xiangqi::MoveList& legal, xiangqi::Color mover, uint16_t* out);

}  // namespace chuhe::nn
