#include "xiangqi/notation/tandem.h"

#include <array>

namespace chuhe::xiangqi {

Tandem tandem_of(const Position& p, Square s) {
  const Color side = color_of(p.piece_on(s));
  const PieceType type = type_of(p.piece_on(s));
  const int own_file = file_number(side, s);
  std::array<int, kFiles + 1> on_file{};  // by file number
  Tandem t;
  for (Square other : p.pieces(side, type)) {
    const int file = file_number(side, other);
    ++on_file[size_t(file)];
    if (file == own_file && advance_of(side, other) > advance_of(side, s)) ++t.place;
  }
  t.count = on_file[size_t(own_file)];
  t.marked = t.count > 1 && type != PieceType::Advisor && type != PieceType::Elephant;
  if (!t.marked || type != PieceType::Pawn) return t;
  int sharing_files = 0, before = 0;  // pawns on shared files further right
  for (int file = 1; file <= kFiles; ++file) {
    if (on_file[size_t(file)] < 2) continue;
    ++sharing_files;
    if (file < own_file) before += on_file[size_t(file)];
  }
  t.numbered = t.count > 3 || sharing_files > 1;
  t.number = before + t.place;
  return t;
}

}  // namespace chuhe::xiangqi
