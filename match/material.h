#pragma once
// Material on the board, in half pawns (nn/api/piece_values.h).

#include "nn/api/piece_values.h"
#include "xiangqi/board/position.h"

namespace chuhe::match {

constexpr double kPawn = 2;  // half pawns

constexpr int piece_value(xiangqi::Piece piece, xiangqi::Square square) {
  if (piece == xiangqi::Piece::None) return 0;
  const bool red = xiangqi::color_of(piece) == xiangqi::Color::Red;
  const bool crossed = red ? xiangqi::rank_of(square) >= 5 : xiangqi::rank_of(square) <= 4;
  return nn::half_pawns(xiangqi::type_of(piece), crossed);
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
