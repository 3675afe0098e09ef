#pragma once
// The packed row itself, free of everything else so that CUDA code can include it. Encoding v1, first half
// (docs/encoding.md): everything the net may see of a position. Oriented to the side to move: for Black the
// board is flipped top to bottom (xiangqi::flipped), so that the mover's back rank is always rank 0. "Own" is
// the mover.

#include <cstdint>

namespace chuhe::nn {

constexpr int kEncodingVersion = 1;
constexpr int kHistoryMoves = 8;

/// What the judge would say if the cycle that led to this position closed, from the mover's side.
enum class CycleVerdict : uint8_t { None = 0, Draw = 1, OwnLoss = 2, OwnWin = 3 };

/// 64 bytes; every byte is defined (a digest of the row is the cache key).
struct PackedRow {
  // Square 2i in the low nibble, 2i+1 in the high one: 0 empty, 1..7 own K A E H R C P, 8..14 the opponent's.
  uint8_t board[45];
  uint8_t repetitions;    // earlier occurrences of the position, at most 2
  uint8_t cycle_verdict;  // CycleVerdict
  // Counted plies without capture: 0: <20, 1: <40, 2: <60, 3: <80, 4: <100, 5: >=100, scaled to the rule
  // set's limit of 120.
  uint8_t quiet_bucket;
  // The last moves, newest first, oriented as the board (from | to << 7); 0 = none known.
  uint16_t history[kHistoryMoves];
  bool operator==(const PackedRow&) const = default;
};
static_assert(sizeof(PackedRow) == 64);

}  // namespace chuhe::nn
