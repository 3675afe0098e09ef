#pragma once
// A training batch as plain arrays, and how one row of it is made.

#include <cstdint>
#include <vector>

#include "nn/encoding/packed_row.h"
#include "trainer/settings.h"
#include "trainer/window.h"

namespace chuhe::trainer {

struct TrainBatch {
  static constexpr int kWidth = xiangqi::kMaxMoves;

  int rows = 0;
  std::vector<nn::PackedRow> packed;  // [rows]
  std::vector<float> planes;          // [rows][90][48]; empty where the device expands the packed rows
  std::vector<int64_t> moves;         // [rows][kWidth] policy indices of the legal moves, then zeros
  std::vector<float> legal;           // [rows][kWidth] 1 for a legal move, 0 for padding
  std::vector<float> policy;          // [rows][kWidth] target shares, sum 1; zeros where there is none
  std::vector<float> policy_weight;   // [rows] 1 or 0: whether there is a policy target
  std::vector<float> wdl;             // [rows][3] target win, draw, loss of the mover, sum 1
  std::vector<float> moves_left;      // [rows] plies
  std::vector<float> moves_weight;    // [rows] 1 or 0: whether the game came to its own end

  void resize(int n, bool with_planes);
};

struct Augment {
  bool mirror = false;        // left to right
  bool drop_history = false;  // as a position from a bare FEN
};

/// Writes row `index` of the batch. `root_value_share` of the value target is the search's root value v (as
/// win max(v, 0), loss max(-v, 0), the rest draw), the rest the game's result. Throws Error naming game and
/// ply if the policy target has a move that is not legal.
void fill_row(const WindowGame& game, const WindowRow& row, const Augment& augment, double root_value_share,
              TrainBatch& batch, int index);

}  // namespace chuhe::trainer
