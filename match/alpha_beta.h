#pragma once
// Alpha-beta over material: the exact minimax value of a tree of fixed depth, whose leaves are played on
// through captures until none pays. No transposition table, so that the value is a function of the game and
// the depth alone. A repetition inside the tree is judged at its first return.

#include <array>
#include <vector>

#include "base/random.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::match {

class AlphaBeta {
 public:
  static constexpr int kMaxDepth = 8;
  static constexpr int kMate = 100'000;  // a win in n plies is kMate - n

  /// The game must not be over. `memory` (of the same rule set, must outlive this) only saves work.
  AlphaBeta(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules,
            xiangqi::JudgeMemory* memory = nullptr);

  /// Half pawns, from the side to move.
  int value(int depth);
  /// One of the moves that reach the value, each with the same chance.
  xiangqi::Move choose(int depth, Random& random);
  uint64_t nodes() const { return nodes_; }

 private:
  struct Scored {
    xiangqi::Move move;
    int order;
  };
  static constexpr int kMaxPly = 64;

  int search_root(int depth);
  int search(int depth, int alpha, int beta, int ply);
  int quiesce(const xiangqi::MoveList& legal, int alpha, int beta, int ply);
  int after(xiangqi::Move move, int depth, int alpha, int beta, int ply);
  void order(const xiangqi::MoveList& legal, int ply, std::vector<Scored>& out) const;
  void remember_cutoff(xiangqi::Move move, int depth, int ply);
  void play(xiangqi::Move move);
  void take_back(int balance);

  xiangqi::GameHistory history_;
  const xiangqi::RuleSet& rules_;
  xiangqi::JudgeMemory* memory_;
  int balance_;  // half pawns, from the side to move
  xiangqi::Move root_best_;
  std::array<std::array<xiangqi::Move, 2>, kMaxPly> killers_{};
  std::vector<int> history_scores_;  // [side][move bits of 14]
  std::array<std::vector<Scored>, kMaxPly> buffers_;
  uint64_t nodes_ = 0;
};

}  // namespace chuhe::match
