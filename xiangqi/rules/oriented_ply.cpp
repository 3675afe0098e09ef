#include "xiangqi/rules/oriented_ply.h"

namespace chuhe::xiangqi {
namespace {

/// Is the mirror image of the ply the one to work on? The first two points, one the mirror image of the
/// other, on which different pieces stand decide; on a board that is its own image, the move.
bool wants_mirror(const Position& p, Move m) {
  for (int rank = 0; rank < kRanks; ++rank)
    for (int file = 0; file < kFiles / 2; ++file) {
      const Square s = make_square(file, rank);
      const Piece here = p.piece_on(s), there = p.piece_on(mirrored(s));
      if (here != there) return here < there;
    }
  return Move(mirrored(m.from()), mirrored(m.to())) < m;
}

}  // namespace

OrientedPly::OrientedPly(const Position& before, Move move)
    : before_(before), move_(move), swapped_(before.side_to_move() == Color::Black) {
  if (swapped_) {
    before_ = before_.color_swapped();
    move_ = Move(flipped(move_.from()), flipped(move_.to()));
  }
  mirrored_ = wants_mirror(before_, move_);
  if (mirrored_) {
    before_ = before_.mirrored();
    move_ = Move(mirrored(move_.from()), mirrored(move_.to()));
  }
}

Square OrientedPly::back(Square s) const {
  if (mirrored_) s = mirrored(s);
  return swapped_ ? flipped(s) : s;
}

Bitboard OrientedPly::back(Bitboard squares) const {
  Bitboard out;
  for (Square s : squares) out |= Bitboard::of(back(s));
  return out;
}

Piece OrientedPly::back(Piece p) const {
  return swapped_ && p != Piece::None ? make_piece(~color_of(p), type_of(p)) : p;
}

Threat OrientedPly::back(Threat t) const {
  t.attacker = back(t.attacker);
  t.target = back(t.target);
  t.attacker_piece = back(t.attacker_piece);
  t.victim = back(t.victim);
  for (Move& m : t.line) m = back(m);
  return t;
}

PlyFinding OrientedPly::back(PlyFinding finding) const {
  for (Threat& t : finding.threats) t = back(std::move(t));
  for (Exempted& e : finding.exempted) e.threat = back(std::move(e.threat));
  return finding;
}

}  // namespace chuhe::xiangqi
