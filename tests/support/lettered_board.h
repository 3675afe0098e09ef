#pragma once
// A board as letters, for tests that place pieces by hand: FEN's letters, '.' for an empty point.

#include <array>
#include <string>

#include "xiangqi/board/types.h"

namespace chuhe::test {

using Letters = std::array<char, xiangqi::kSquares>;

/// The first two fields of a FEN; `side` is 'w' or 'b'.
inline std::string fen_of(const Letters& board, char side) {
  std::string fen;
  for (int rank = xiangqi::kRanks; rank-- > 0;) {
    int gap = 0;
    for (int file = 0; file < xiangqi::kFiles; ++file) {
      const char c = board[xiangqi::make_square(file, rank)];
      if (c == '.') {
        ++gap;
        continue;
      }
      if (gap > 0) fen += char('0' + gap);
      gap = 0;
      fen += c;
    }
    if (gap > 0) fen += char('0' + gap);
    if (rank > 0) fen += '/';
  }
  return fen + ' ' + side;
}

}  // namespace chuhe::test
