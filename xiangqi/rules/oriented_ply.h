#pragma once
// One ply, turned so that a position and its mirror images become one and the same: the mover plays Red, and
// of the two boards that left and right give, one is chosen by what stands on them. The judge classifies
// turned plies only. So its searches meet the same moves in the same order, and run out of their budgets at
// the same place, whichever image of a game they are asked about. Internal to the judge.

#include "xiangqi/board/position.h"
#include "xiangqi/rules/ply_class.h"

namespace chuhe::xiangqi {

class OrientedPly {
 public:
  /// `move` is legal in `before`.
  OrientedPly(const Position& before, Move move);

  /// Turned: Red is to move in it.
  const Position& before() const { return before_; }
  Move move() const { return move_; }

  // From the turned board back to the one that was given.
  Square back(Square s) const;
  Move back(Move m) const { return Move(back(m.from()), back(m.to())); }
  Bitboard back(Bitboard squares) const;
  Piece back(Piece p) const;
  Threat back(Threat t) const;
  PlyFinding back(PlyFinding finding) const;

 private:
  Position before_;
  Move move_;
  bool swapped_ = false, mirrored_ = false;
};

}  // namespace chuhe::xiangqi
