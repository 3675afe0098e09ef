#pragma once
// The expansion of a packed row, in the three steps that both sides run: unpack and clear, mark attacks, put
// a square's planes together. The CPU twin (planes.cpp) loops over squares in each step; the CUDA kernel
// (nn/kernels) has a thread per square and a barrier between steps.

#include "nn/encoding/host_device.h"
#include "nn/encoding/planes.h"

namespace chuhe::nn::planes {

constexpr int kBoardSquares = 90, kBoardFiles = 9;

enum Plane {
  kPieces = 0,
  kMovesTo = 14,
  kMovesFrom = 22,
  kOwnAttacks = 30,
  kOpponentAttacks = 31,
  kRepetition = 32,
  kCycleVerdict = 34,
  kQuiet = 37,
  kInCheck = 42,
  kOnes = 43,
};

/// The piece on a square: 0 empty, 1..7 own, 8..14 the opponent's.
CHUHE_HOST_DEVICE inline int piece_at(const PackedRow& row, int square) {
  return row.board[square / 2] >> (square % 2 * 4) & 15;
}

/// Calls mark(target) for every square on which the piece could take an enemy if one stood there: squares of
/// its own side (guarded ones) included, for a cannon those behind a screen. Facing kings and the safety of
/// the own king are not looked at.
template <class Mark>
CHUHE_HOST_DEVICE inline void attacks_of(const unsigned char* board, int square, Mark mark) {
  const int piece = board[square];
  const bool own = piece <= 7;
  const int type = own ? piece : piece - 7;  // 1..7: K A E H R C P
  const int file = square % kBoardFiles, rank = square / kBoardFiles;
  const auto inside = [](int f, int r) { return f >= 0 && f < 9 && r >= 0 && r < 10; };
  const auto in_palace = [own](int f, int r) {
    return f >= 3 && f <= 5 && (own ? r >= 0 && r <= 2 : r >= 7 && r <= 9);
  };
  if (type == 4) {  // horse: an orthogonal step onto an empty leg, then one diagonally outwards
    for (int d = 0; d < 4; ++d) {
      const int df = d == 0 ? 1 : d == 1 ? -1 : 0, dr = d == 2 ? 1 : d == 3 ? -1 : 0;
      if (!inside(file + df, rank + dr) || board[square + df + 9 * dr]) continue;
      for (int side = -1; side <= 1; side += 2) {
        const int f = file + 2 * df + side * dr, r = rank + 2 * dr + side * df;
        if (inside(f, r)) mark(r * 9 + f);
      }
    }
    return;
  }
  if (type == 2 || type == 3) {  // advisor, elephant: diagonals of length 1 and 2
    const int n = type - 1;
    for (int d = 0; d < 4; ++d) {
      const int sf = d & 1 ? 1 : -1, sr = d & 2 ? 1 : -1, f = file + n * sf, r = rank + n * sr;
      const bool at_home = n == 1 ? in_palace(f, r) : inside(f, r) && (own ? r <= 4 : r >= 5);
      if (at_home && (n == 1 || !board[square + sf + 9 * sr])) mark(r * 9 + f);
    }
    return;
  }
  const int forward = own ? 1 : -1;
  const bool across = own ? rank >= 5 : rank <= 4;
  for (int d = 0; d < 4; ++d) {
    const int df = d == 0 ? 1 : d == 1 ? -1 : 0, dr = d == 2 ? 1 : d == 3 ? -1 : 0;
    int f = file + df, r = rank + dr;
    if (type == 1) {
      if (in_palace(f, r)) mark(r * 9 + f);
    } else if (type == 7) {
      if (inside(f, r) && (dr == forward || (dr == 0 && across))) mark(r * 9 + f);
    } else {  // rook: up to the first piece; cannon: behind the first, up to the second
      int screens = type == 6 ? 1 : 0;
      for (; inside(f, r); f += df, r += dr) {
        if (screens == 0) mark(r * 9 + f);
        if (board[r * 9 + f] && screens-- == 0) break;
      }
    }
  }
}

/// The planes that are the same on all squares.
CHUHE_HOST_DEVICE inline uint64_t common_planes(const PackedRow& row, bool in_check) {
  uint64_t mask = 1ULL << kOnes;
  if (row.repetitions > 0) mask |= 1ULL << (kRepetition + (row.repetitions > 1 ? 1 : 0));
  if (row.cycle_verdict >= 1 && row.cycle_verdict <= 3)
    mask |= 1ULL << (kCycleVerdict + row.cycle_verdict - 1);
  const int bucket = row.quiet_bucket < 5 ? row.quiet_bucket : 5;
  for (int i = 0; i < bucket; ++i) mask |= 1ULL << (kQuiet + i);
  if (in_check) mask |= 1ULL << kInCheck;
  return mask;
}

/// The history planes' bits of a square.
CHUHE_HOST_DEVICE inline uint64_t history_planes(const PackedRow& row, int square) {
  uint64_t mask = 0;
  for (int i = 0; i < kHistoryMoves; ++i) {
    const int move = row.history[i];
    if (!move) continue;
    if ((move >> 7 & 127) == square) mask |= 1ULL << (kMovesTo + i);
    if ((move & 127) == square) mask |= 1ULL << (kMovesFrom + i);
  }
  return mask;
}

/// The planes of pieces and attacks of a square.
CHUHE_HOST_DEVICE inline uint64_t board_planes(int piece, bool own_attack, bool opponent_attack) {
  uint64_t mask = piece >= 1 && piece <= 14 ? 1ULL << (kPieces + piece - 1) : 0;
  if (own_attack) mask |= 1ULL << kOwnAttacks;
  if (opponent_attack) mask |= 1ULL << kOpponentAttacks;
  return mask;
}

}  // namespace chuhe::nn::planes
