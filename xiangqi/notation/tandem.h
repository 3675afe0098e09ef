#pragma once
// Files and ranks as the mover sees them, and pieces of a kind that share a file.

#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

/// 1..9 from the side's own right hand.
constexpr int file_number(Color side, Square s) {
  return side == Color::Red ? kFiles - file_of(s) : file_of(s) + 1;
}
/// 0..9 from the side's own back rank.
constexpr int advance_of(Color side, Square s) {
  return side == Color::Red ? rank_of(s) : kRanks - 1 - rank_of(s);
}
/// King, rook, cannon, pawn: their steps along a file are counted; the others name the target's file.
constexpr bool moves_along_files(PieceType t) {
  return t == PieceType::King || t == PieceType::Rook || t == PieceType::Cannon || t == PieceType::Pawn;
}

/// A piece among those of its kind and side on its file.
struct Tandem {
  int count = 1;        // pieces on the file
  int place = 1;        // from the front (nearest to the enemy) 1..count
  bool marked = false;  // two or more, and neither advisors nor elephants: forward and backward tell those
  bool numbered =
      false;  // pawns that 前, 中 and 后 cannot tell: four or five on a file, or two files with two or more
  int number = 0;  // then 1.. over all pawns that share a file, right file first, front first
};

/// Of the piece on `s`, which belongs to the side to move.
Tandem tandem_of(const Position& p, Square s);

}  // namespace chuhe::xiangqi
