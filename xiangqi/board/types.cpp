#include "xiangqi/board/types.h"

namespace chuhe::xiangqi {
namespace {

void append_square(std::string& out, Square s, int rank_base) {
  out += char('a' + file_of(s));
  out += std::to_string(rank_of(s) + rank_base);
}

/// Reads a square from the front of the text; kNoSquare if there is none.
Square take_square(std::string_view& text, int rank_base) {
  if (text.size() < 2 || text[0] < 'a' || text[0] > 'i' || text[1] < '0' || text[1] > '9') return kNoSquare;
  const int file = text[0] - 'a';
  int rank = text[1] - '0';
  text.remove_prefix(2);
  if (rank_base == 1 && rank == 1 && !text.empty() && text[0] == '0') {
    rank = 10;
    text.remove_prefix(1);
  }
  rank -= rank_base;
  return rank < 0 ? kNoSquare : make_square(file, rank);
}

}  // namespace

std::string to_uci(Move m, int rank_base) {
  std::string out;
  append_square(out, m.from(), rank_base);
  append_square(out, m.to(), rank_base);
  return out;
}

Move parse_uci(std::string_view text, int rank_base) {
  const Square from = take_square(text, rank_base);
  const Square to = from == kNoSquare ? kNoSquare : take_square(text, rank_base);
  if (to == kNoSquare || !text.empty() || from == to) return Move{};
  return Move(from, to);
}

}  // namespace chuhe::xiangqi
