#pragma once
// The vocabulary of the board. Squares: file a..i (0..8) from Red's left, rank 0..9 from Red's back rank;
// square = rank * 9 + file.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace chuhe::xiangqi {

enum class Color : uint8_t { Red = 0, Black = 1 };
constexpr Color operator~(Color c) {
  return Color(uint8_t(c) ^ 1);
}

enum class PieceType : uint8_t { King, Advisor, Elephant, Horse, Rook, Cannon, Pawn };
constexpr int kPieceTypes = 7;

/// 0 = empty, 1..7 Red's pieces, 8..14 Black's.
enum class Piece : uint8_t { None = 0 };
constexpr Piece make_piece(Color c, PieceType t) {
  return Piece(1 + int(c) * 7 + int(t));
}
constexpr Color color_of(Piece p) {
  return Color(int(p) >= 8);
}
constexpr PieceType type_of(Piece p) {
  return PieceType((int(p) - 1) % 7);
}
constexpr int kPieces = 15;

using Square = uint8_t;  // 0..89
constexpr int kFiles = 9, kRanks = 10, kSquares = 90;
constexpr Square kNoSquare = 90;
constexpr Square make_square(int file, int rank) {
  return Square(rank * kFiles + file);
}
constexpr int file_of(Square s) {
  return s % kFiles;
}
constexpr int rank_of(Square s) {
  return s / kFiles;
}
/// Left-right mirror (file a <-> i), and the half turn that swaps the two sides' points of view.
constexpr Square mirrored(Square s) {
  return Square(s - 2 * (s % kFiles) + kFiles - 1);
}
constexpr Square rotated(Square s) {
  return Square(kSquares - 1 - s);
}
/// Top-bottom flip (rank 0 <-> 9).
constexpr Square flipped(Square s) {
  return Square(s + 9 * (9 - 2 * (s / kFiles)));
}

/// Two squares of 7 bits. 0 (from == to == a0) is "no move".
struct Move {
  uint16_t bits = 0;
  constexpr Move() = default;
  constexpr Move(Square from, Square to) : bits(uint16_t(from | to << 7)) {}
  static constexpr Move of_bits(uint16_t b) {
    Move m;
    m.bits = b;
    return m;
  }
  constexpr Square from() const { return Square(bits & 127); }
  constexpr Square to() const { return Square(bits >> 7 & 127); }
  constexpr explicit operator bool() const { return bits != 0; }
  constexpr auto operator<=>(const Move&) const = default;
};
static_assert(sizeof(Move) == 2);

/// A full set cannot have more than 116 moves: rooks and cannons 17 each, horses 8, pawns 3, elephants 4,
/// advisors 5, king 4.
constexpr int kMaxMoves = 128;

class MoveList {
 public:
  void push(Move m) { moves_[size_++] = m; }
  void clear() { size_ = 0; }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const { return moves_[i]; }
  const Move* begin() const { return moves_; }
  const Move* end() const { return moves_ + size_; }
  Move* begin() { return moves_; }
  Move* end() { return moves_ + size_; }
  bool contains(Move m) const {
    for (Move x : *this)
      if (x == m) return true;
    return false;
  }

 private:
  int size_ = 0;
  Move moves_[kMaxMoves];
};

/// "h2e2": files a..i, ranks 0..9 (UCI, lower-case ICCS). Rank base 1 gives Fairy-Stockfish's dialect,
/// "h3e3", "a10b10".
std::string to_uci(Move m, int rank_base = 0);
/// The move that the text names, or no move (Move{}) if the text is none; says nothing about legality.
Move parse_uci(std::string_view text, int rank_base = 0);

}  // namespace chuhe::xiangqi
