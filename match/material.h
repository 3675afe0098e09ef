#pragma once
// Material in half pawns, so that sums are exact: R 18, C 9, N 8, A and E 4, P 2, across the river 4.

#include "xiangqi/board/position.h"

namespace chuhe::match {

constexpr double kPawn = 2;  // half pawns

constexpr int piece_value(xiangqi::Piece piece, xiangqi::Square square) {
  constexpr int kValues[xiangqi::kPieceTypes] = {0, 4, 4, 8, 18, 9, 2};  // K A E H R C P
  if (piece == xiangqi::Piece::None) return 0;
  const bool red = xiangqi::color_of(piece) == xiangqi::Color::Red;
  const bool crossed = red ? xiangqi::rank_of(square) >= 5 : xiangqi::rank_of(square) <= 4;
  return kValues[int(xiangqi::type_of(piece))]
         << (xiangqi::type_of(piece) == xiangqi::PieceType::Pawn && crossed);
}

/// Material of `side` minus the other's, in half pawns.
inline int material_balance(const xiangqi::Position& position, xiangqi::Color side) {
  int balance = 0;
  for (const xiangqi::Square s : position.occupied()) {
    const xiangqi::Piece piece = position.piece_on(s);
    const int value = piece_value(piece, s);
    balance += xiangqi::color_of(piece) == side ? value : -value;
  }
  return balance;
}

}  // namespace chuhe::match
