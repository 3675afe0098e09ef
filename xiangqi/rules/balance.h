#pragma once
// What pieces are worth to a referee (25.3; L values): rook 2 strong pieces, horse and cannon 1; advisor and
// elephant 1 weak piece; a pawn across the river 1 pawn; king and other pawns nothing.

#include "xiangqi/board/types.h"

namespace chuhe::xiangqi {

constexpr int strong_value(PieceType t) {
  return t == PieceType::Rook ? 2 : t == PieceType::Horse || t == PieceType::Cannon ? 1 : 0;
}
constexpr bool is_weak(PieceType t) {
  return t == PieceType::Advisor || t == PieceType::Elephant;
}
/// For "a cheaper piece takes a dearer one": rook 3, horse and cannon 2, advisor and elephant 1, others 0.
constexpr int rank_value(PieceType t) {
  return strong_value(t) ? strong_value(t) + 1 : is_weak(t) ? 1 : 0;
}
constexpr bool has_crossed(Color c, Square s) {
  return c == Color::Red ? rank_of(s) >= 5 : rank_of(s) <= 4;
}
/// Of a piece standing on s.
constexpr bool has_value(Piece p, Square s) {
  const PieceType t = type_of(p);
  return rank_value(t) > 0 || (t == PieceType::Pawn && has_crossed(color_of(p), s));
}

/// Pieces won minus pieces lost in a line, from the attacker's side.
struct Balance {
  int strong = 0, weak = 0, pawns = 0;
  bool lost_any = false;  // anything of value

  constexpr Balance won(Piece p, Square s) const { return changed(p, s, 1); }
  constexpr Balance lost(Piece p, Square s) const {
    Balance b = changed(p, s, -1);
    b.lost_any |= has_value(p, s);
    return b;
  }
  constexpr bool operator==(const Balance&) const = default;

 private:
  constexpr Balance changed(Piece p, Square s, int sign) const {
    Balance b = *this;
    const PieceType t = type_of(p);
    if (strong_value(t)) {
      b.strong += sign * strong_value(t);
    } else if (is_weak(t)) {
      b.weak += sign;
    } else if (has_value(p, s)) {
      b.pawns += sign;
    }
    return b;
  }
};

/// Does the line win material (得子)? `level` 0: any gain; 1, 2: at least so many strong pieces. The crossed
/// pawn's value floats: one given up may stand for one piece, but one strong piece for several weak ones or
/// pawns, or a weak piece against a pawn, is no gain.
constexpr bool is_gain(const Balance& b, int level = 0) {
  if (level > 0) return b.strong >= level;
  if (b.pawns < 0 && b.strong > 0) return b.strong + b.pawns > 0 || (b.strong + b.pawns == 0 && b.weak > 0);
  if (b.strong != 0) return b.strong > 0;
  if (!b.lost_any) return b.weak > 0 || b.pawns > 0;
  return (b.weak > 0 && b.pawns >= 0) || (b.weak >= 0 && b.pawns > 0);
}

}  // namespace chuhe::xiangqi
