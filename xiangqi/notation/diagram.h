#pragma once
// Boards to look at: plain text and SVG.

#include <span>
#include <string>
#include <string_view>

#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

enum class BoardSigns : uint8_t { Letters, Chinese };

/// Ten ranks from Black's back rank down, with file letters and rank numbers, the river and the side to move.
/// Letters: upper case Red, as in a FEN. Chinese: 帅车马相仕炮兵 and 将車馬象士砲卒, two columns each.
std::string text_board(const Position& position, BoardSigns signs = BoardSigns::Letters);

/// An arrow from square to square. `colour` is any SVG colour ("crimson", "#1f6fb2"); the label, often the
/// ply's number, stands in a disc near the arrow's tail.
struct Arrow {
  Move move;
  std::string colour = "#1f6fb2";
  std::string label;
};

/// A self-contained SVG image: the board with river and palaces, the pieces, the arrows above them, and the
/// title (may be empty) over it. Red plays from below.
std::string svg_board(const Position& position, std::span<const Arrow> arrows, std::string_view title);

}  // namespace chuhe::xiangqi
