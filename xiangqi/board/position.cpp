#include "xiangqi/board/position.h"

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "xiangqi/board/attacks.h"

namespace chuhe::xiangqi {
namespace {

using PieceKeys = std::array<std::array<uint64_t, kSquares>, kPieces>;

constexpr PieceKeys make_piece_keys() {
  PieceKeys keys{};
  uint64_t n = 0;
  for (int p = 1; p < kPieces; ++p)
    for (int s = 0; s < kSquares; ++s) keys[p][s] = mix64(mix64(++n) ^ 0x6368756865ULL);
  return keys;
}

constexpr PieceKeys kPieceKeys = make_piece_keys();
constexpr uint64_t kBlackToMove = mix64(0x626c61636bULL);

constexpr Piece recolored(Piece p) {
  return p == Piece::None ? p : make_piece(~color_of(p), type_of(p));
}

}  // namespace

Position::Position() {
  static const Position start = from_fen(kStartFen).value();
  *this = start;
}

void Position::toggle(Square s, Piece p) {
  const Bitboard b = Bitboard::of(s);
  by_color_[int(color_of(p))] ^= b;
  by_type_[int(type_of(p))] ^= b;
  key_ ^= kPieceKeys[int(p)][s];
}

Piece Position::play(Move m) {
  const Square from = m.from(), to = m.to();
  const Piece piece = board_[from], captured = board_[to];
  CHUHE_DCHECK(piece != Piece::None && color_of(piece) == side_, "{} on {}", to_uci(m), to_fen());
  if (captured != Piece::None) {
    toggle(to, captured);
    quiet_plies_ = 0;
  } else if (quiet_plies_ < std::numeric_limits<int16_t>::max()) {
    ++quiet_plies_;
  }
  const Bitboard both = Bitboard::of(from) | Bitboard::of(to);
  by_color_[int(side_)] ^= both;
  by_type_[int(type_of(piece))] ^= both;
  key_ ^= kPieceKeys[int(piece)][from] ^ kPieceKeys[int(piece)][to] ^ kBlackToMove;
  board_[from] = Piece::None;
  board_[to] = piece;
  if (type_of(piece) == PieceType::King) king_[int(side_)] = to;
  move_number_ += int(side_);
  side_ = ~side_;
  return captured;
}

void Position::take_back(Move m, Piece captured, int quiet_plies) {
  const Square from = m.from(), to = m.to();
  const Piece piece = board_[to];
  side_ = ~side_;
  move_number_ -= int(side_);
  quiet_plies_ = int16_t(quiet_plies);
  const Bitboard both = Bitboard::of(from) | Bitboard::of(to);
  by_color_[int(side_)] ^= both;
  by_type_[int(type_of(piece))] ^= both;
  key_ ^= kPieceKeys[int(piece)][from] ^ kPieceKeys[int(piece)][to] ^ kBlackToMove;
  board_[from] = piece;
  board_[to] = captured;
  if (captured != Piece::None) toggle(to, captured);
  if (type_of(piece) == PieceType::King) king_[int(side_)] = from;
}

Position Position::after_pass() const {
  Position p = *this;
  p.side_ = ~side_;
  p.key_ ^= kBlackToMove;
  return p;
}

Position Position::without(Square s) const {
  Position p = *this;
  p.toggle(s, board_[s]);
  p.board_[s] = Piece::None;
  return p;
}

Bitboard Position::checkers() const {
  const Square k = king_[int(side_)];
  const Color them = ~side_;
  const Bitboard occ = occupied(), enemies = pieces(them);
  Bitboard found = enemies & pieces(PieceType::Pawn) & tables::pawn_from[int(them)][k];
  const Bitboard lines = enemies & tables::cross[k];
  for (Square s : lines& pieces(PieceType::Rook))
    if (!(between(k, s) & occ)) found |= Bitboard::of(s);
  for (Square s : lines& pieces(PieceType::Cannon))
    if ((between(k, s) & occ).count() == 1) found |= Bitboard::of(s);
  for (Square s : enemies& pieces(PieceType::Horse) & horse_ring(k))
    if (!occ.has(horse_leg(s, k))) found |= Bitboard::of(s);
  return found;
}

Bitboard Position::attackers_to(Square s, Color by, Bitboard occ) const {
  Bitboard found = (rook_attacks(s, occ) & pieces(PieceType::Rook)) |
                   (cannon_moves(s, occ) & occ & pieces(PieceType::Cannon)) |
                   (tables::pawn_from[int(by)][s] & pieces(PieceType::Pawn)) |
                   (advisor_attacks(s) & pieces(PieceType::Advisor)) |
                   (elephant_attacks(s, occ) & pieces(PieceType::Elephant)) |
                   (king_attacks(s) & pieces(PieceType::King));
  for (Square h : horse_ring(s) & pieces(by, PieceType::Horse))
    if (!occ.has(horse_leg(h, s))) found |= Bitboard::of(h);
  return found & pieces(by) & occ;
}

bool Position::is_bare() const {
  return !(pieces(PieceType::Rook) | pieces(PieceType::Horse) | pieces(PieceType::Cannon) |
           pieces(PieceType::Pawn));
}

Position Position::mirrored() const {
  Position p{Unset{}};
  for (Square s : occupied()) {
    const Square to = xiangqi::mirrored(s);
    p.board_[to] = board_[s];
    p.toggle(to, board_[s]);
  }
  p.king_ = {xiangqi::mirrored(king_[0]), xiangqi::mirrored(king_[1])};
  p.side_ = side_;
  p.quiet_plies_ = quiet_plies_;
  p.move_number_ = move_number_;
  if (side_ == Color::Black) p.key_ ^= kBlackToMove;
  return p;
}

Position Position::color_swapped() const {
  Position p{Unset{}};
  for (Square s : occupied()) {
    const Square to = flipped(s);
    p.board_[to] = recolored(board_[s]);
    p.toggle(to, recolored(board_[s]));
  }
  p.king_ = {flipped(king_[1]), flipped(king_[0])};
  p.side_ = ~side_;
  p.quiet_plies_ = quiet_plies_;
  p.move_number_ = move_number_;
  if (p.side_ == Color::Black) p.key_ ^= kBlackToMove;
  return p;
}

uint64_t perft(const Position& position, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return uint64_t(position.count_legal_moves());
  uint64_t leaves = 0;
  MoveList moves;
  position.legal_moves(moves);
  for (Move m : moves) {
    Position next = position;
    next.play(m);
    leaves += perft(next, depth - 1);
  }
  return leaves;
}

}  // namespace chuhe::xiangqi
