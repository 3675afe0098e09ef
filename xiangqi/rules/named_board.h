#pragma once
// A position whose pieces can be followed: each has a number that stays with it. Attacks before and after a
// move are compared by who attacks whom, not by where. Internal to the judge.

#include <array>

#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

using PieceId = int8_t;
inline constexpr PieceId kNoPiece = -1;
using PieceSet = uint32_t;  // of the 32 numbers
constexpr PieceSet set_of(PieceId id) {
  return id < 0 ? 0 : PieceSet(1) << id;
}

class NamedBoard {
 public:
  explicit NamedBoard(const Position& position);

  const Position& position() const { return position_; }
  Color side_to_move() const { return position_.side_to_move(); }
  Piece piece_on(Square s) const { return position_.piece_on(s); }
  PieceId id(Square s) const { return id_[s]; }
  Square square_of(PieceId id) const { return square_[size_t(id)]; }  // kNoSquare once captured

  struct Undo {
    Piece captured;
    PieceId id;
    int quiet_plies;
  };
  Undo play(Move m);
  void take_back(Move m, const Undo& undo);
  void remove(PieceId id) {
    const Square s = square_of(id);
    position_ = position_.without(s);
    id_[s] = kNoPiece;
    square_[size_t(id)] = kNoSquare;
  }
  void pass() { position_ = position_.after_pass(); }

  /// From now on the safety of this side's king is not looked at: what it attacks while it stands in check is
  /// an attack all the same, only asleep.
  void ignore_safety(Color side) {
    ignoring_ = true;
    ignored_ = side;
  }
  bool ignores_safety_of(Color side) const { return ignoring_ && ignored_ == side; }

  /// Legal moves (kings are never captured). `captures`: only those.
  void moves(MoveList& out, bool captures = false) const;
  /// The legal moves that may give check: none that does is missing, most that do not are left out.
  void possible_checks(MoveList& out) const;
  /// Legal captures on one point.
  void captures_on(Square s, MoveList& out) const;
  bool has_move() const;
  bool is_legal(Move m) const;
  /// Does the piece on `from` reach `to` by its pattern?
  bool reaches(Square from, Square to) const;
  /// Is the king of `side` attacked?
  bool in_check(Color side) const;

 private:
  Position position_;
  std::array<PieceId, kSquares> id_;
  std::array<Square, 32> square_;
  bool ignoring_ = false;
  Color ignored_ = Color::Red;
};

/// What the piece on s reaches over the position's occupation: empty points it can go to and pieces of either
/// colour that it could take.
Bitboard reach(const Position& p, Square s);

}  // namespace chuhe::xiangqi
