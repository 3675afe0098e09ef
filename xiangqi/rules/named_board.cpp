#include "xiangqi/rules/named_board.h"

#include "xiangqi/board/attacks.h"

namespace chuhe::xiangqi {

Bitboard reach(const Position& p, Square s) {
  const Piece piece = p.piece_on(s);
  const Bitboard occupied = p.occupied();
  switch (type_of(piece)) {
    case PieceType::King:
      return king_attacks(s);
    case PieceType::Advisor:
      return advisor_attacks(s);
    case PieceType::Elephant:
      return elephant_attacks(s, occupied);
    case PieceType::Horse:
      return horse_attacks(s, occupied);
    case PieceType::Rook:
      return rook_attacks(s, occupied);
    case PieceType::Cannon:
      return cannon_moves(s, occupied);
    case PieceType::Pawn:
      return pawn_attacks(color_of(piece), s);
  }
  return {};
}

NamedBoard::NamedBoard(const Position& position) : position_(position) {
  id_.fill(kNoPiece);
  square_.fill(kNoSquare);
  PieceId next = 0;
  for (Square s : position.occupied()) {
    square_[size_t(next)] = s;
    id_[s] = next++;
  }
}

NamedBoard::Undo NamedBoard::play(Move m) {
  Undo undo{Piece::None, id_[m.to()], position_.quiet_plies()};
  undo.captured = position_.play(m);
  if (undo.id != kNoPiece) square_[size_t(undo.id)] = kNoSquare;
  id_[m.to()] = id_[m.from()];
  id_[m.from()] = kNoPiece;
  square_[size_t(id_[m.to()])] = m.to();
  return undo;
}

void NamedBoard::take_back(Move m, const Undo& undo) {
  position_.take_back(m, undo.captured, undo.quiet_plies);
  id_[m.from()] = id_[m.to()];
  square_[size_t(id_[m.from()])] = m.from();
  id_[m.to()] = undo.id;
  if (undo.id != kNoPiece) square_[size_t(undo.id)] = m.to();
}

void NamedBoard::moves(MoveList& out, bool captures) const {
  out.clear();
  const Color us = side_to_move();
  if (ignores_safety_of(us)) {
    for (Square from : position_.pieces(us))
      for (Square to : reach(position_, from) & ~position_.pieces(us))
        if (!captures || !position_.empty(to))
          if (to != position_.king(~us)) out.push(Move(from, to));
    return;
  }
  MoveList all;
  position_.legal_moves(all);
  const Bitboard targets = captures ? position_.pieces(~us) : Bitboard::all();
  for (Move m : all)
    if (targets.has(m.to()) && m.to() != position_.king(~us)) out.push(m);
}

void NamedBoard::possible_checks(MoveList& out) const {
  const Color us = side_to_move();
  const Square king = position_.king(~us);
  // Points on which a piece coming or going changes what lies between the king and one of our pieces.
  Bitboard lines;
  const Bitboard cross = tables::cross[king];
  for (Square s : position_.pieces(us) & cross &
                      (position_.pieces(PieceType::Rook) | position_.pieces(PieceType::Cannon)))
    lines |= between(king, s);
  for (Square s : position_.pieces(us, PieceType::Horse) & horse_ring(king))
    lines |= Bitboard::of(horse_leg(s, king));
  MoveList all;
  moves(all);
  out.clear();
  for (Move m : all) {
    bool may = lines.has(m.from()) || lines.has(m.to());
    switch (type_of(piece_on(m.from()))) {
      case PieceType::Rook:
      case PieceType::Cannon:
        if (!may && cross.has(m.to())) {
          const Bitboard screens = between(king, m.to()) & position_.occupied() & ~Bitboard::of(m.from());
          may =
              type_of(piece_on(m.from())) == PieceType::Rook ? !screens : screens && !screens.more_than_one();
        }
        break;
      case PieceType::Horse:
        may |= horse_ring(king).has(m.to());
        break;
      case PieceType::Pawn:
        may |= tables::pawn_from[int(us)][king].has(m.to());
        break;
      default:
        break;
    }
    if (may) out.push(m);
  }
}

void NamedBoard::captures_on(Square s, MoveList& out) const {
  out.clear();
  const Color us = side_to_move();
  for (Square from : position_.attackers_to(s, us, position_.occupied()))
    if (is_legal(Move(from, s))) out.push(Move(from, s));
}

bool NamedBoard::has_move() const {
  if (!ignoring_) return position_.has_legal_move();
  MoveList list;
  moves(list);
  return !list.empty();
}

bool NamedBoard::is_legal(Move m) const {
  if (m.to() == position_.king(~side_to_move())) return false;
  if (ignores_safety_of(side_to_move()))
    return color_of(piece_on(m.from())) == side_to_move() && position_.is_pseudo_legal(m);
  return position_.is_legal(m);
}

bool NamedBoard::reaches(Square from, Square to) const {
  return reach(position_, from).has(to);
}

bool NamedBoard::in_check(Color side) const {
  if (side == side_to_move()) return position_.in_check();
  return bool(position_.attackers_to(position_.king(side), ~side, position_.occupied()));
}

}  // namespace chuhe::xiangqi
