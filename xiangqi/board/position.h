#pragma once
// A xiangqi position: a small value that is copied freely. It knows the board, the side to move and the
// counters of a FEN; it has no history, so repetition is not its business (xiangqi/rules).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "xiangqi/board/bitboard.h"
#include "xiangqi/board/types.h"

namespace chuhe::xiangqi {

inline constexpr std::string_view kStartFen =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

class Position {
 public:
  /// The start position.
  Position();

  /// All dialects: 1, 2, 4 or 6 fields; side w, r or b; letters N/H and B/E; missing counters are 0 1. A
  /// failure says which field, rank or letter is wrong and what was expected. Refused: missing or several
  /// kings, kings or advisors outside the palace, elephants off their points, pawns behind their start rank
  /// or on a file point that they cannot reach, more pieces of a kind than a set has, kings facing each
  /// other, and the side not to move in check.
  static Result<Position> from_fen(std::string_view fen);
  /// Six fields: "<board> w - - <quiet plies> <move number>".
  std::string to_fen() const;

  Color side_to_move() const { return side_; }
  Piece piece_on(Square s) const { return board_[s]; }
  bool empty(Square s) const { return board_[s] == Piece::None; }
  Square king(Color c) const { return king_[int(c)]; }
  Bitboard occupied() const { return by_color_[0] | by_color_[1]; }
  Bitboard pieces(Color c) const { return by_color_[int(c)]; }
  Bitboard pieces(PieceType t) const { return by_type_[int(t)]; }
  Bitboard pieces(Color c, PieceType t) const { return by_color_[int(c)] & by_type_[int(t)]; }

  /// Zobrist key of board and side to move, kept incrementally. The same in every build.
  uint64_t key() const { return key_; }
  /// Plies since the last capture, and the full-move number (from 1), as in a FEN.
  int quiet_plies() const { return quiet_plies_; }
  int move_number() const { return move_number_; }

  /// Is the king of the side to move attacked (facing kings cannot arise)?
  bool in_check() const { return bool(checkers()); }
  /// Enemy pieces that give check to the side to move.
  Bitboard checkers() const;
  /// Pieces of colour `by` that attack the square over the given occupation (kings facing along an open file
  /// not counted).
  Bitboard attackers_to(Square s, Color by, Bitboard occupied) const;

  /// All legal moves of the side to move, in a fixed order. No legal move is a loss, in check or not.
  void legal_moves(MoveList& out) const;
  MoveList legal_moves() const {
    MoveList list;
    legal_moves(list);
    return list;
  }
  /// The number of legal_moves(), by the same generator.
  int count_legal_moves() const;
  bool has_legal_move() const;
  bool is_legal(Move m) const;
  /// A move that the piece's pattern allows, own king's safety not looked at.
  bool is_pseudo_legal(Move m) const;

  /// Plays a legal (or at least pseudo-legal) move and returns the captured piece, if any.
  Piece play(Move m);
  /// The inverse of play(m), which returned `captured`; `quiet_plies` is the counter's value before it.
  void take_back(Move m, Piece captured, int quiet_plies);
  /// The same position with the other side to move (a pass), for threat tests. The own king may then be en
  /// prise.
  Position after_pass() const;
  /// The same position without the piece on s (not a king), for what-if tests.
  Position without(Square s) const;

  /// True if neither side has a rook, horse, cannon or pawn (digest A23): nobody can win.
  bool is_bare() const;

  /// Left-right mirror; colours swapped with the board flipped top to bottom (so the side to move changes
  /// too).
  Position mirrored() const;
  Position color_swapped() const;

  bool operator==(const Position&) const = default;

 private:
  friend class PositionBuilder;  // of from_fen
  struct Unset {};
  explicit Position(Unset) {}
  /// Puts the piece on the empty square s or takes it away from there; not the board_ entry.
  void toggle(Square s, Piece p);
  std::array<Piece, kSquares> board_{};
  Color side_ = Color::Red;
  std::array<Square, 2> king_{};
  int16_t quiet_plies_ = 0;
  int32_t move_number_ = 1;
  std::array<Bitboard, 2> by_color_{};
  std::array<Bitboard, kPieceTypes> by_type_{};
  uint64_t key_ = 0;
};

/// Leaves of the tree of legal moves. The last ply is counted, not played; counting and listing are one
/// generator.
uint64_t perft(const Position& position, int depth);

}  // namespace chuhe::xiangqi
