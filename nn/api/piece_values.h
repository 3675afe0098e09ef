#pragma once
// What pieces are worth where a plain count decides: R 9, C 4.5, H 4, A and E 2, P 1, across the river 2.

#include "xiangqi/board/types.h"

namespace chuhe::nn {

/// In half pawns, so that all sums are exact. `across`: a pawn beyond the river. A king counts nothing.
constexpr int half_pawns(xiangqi::PieceType type, bool across) {
  constexpr int kValues[xiangqi::kPieceTypes] = {0, 4, 4, 8, 18, 9, 2};  // K A E H R C P
  return kValues[int(type)] << int(type == xiangqi::PieceType::Pawn && across);
}

}  // namespace chuhe::nn
