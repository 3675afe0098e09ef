#include "xiangqi/board/attacks.h"

namespace chuhe::xiangqi {
namespace tables {
namespace {

constexpr bool on_board(int file, int rank) {
  return file >= 0 && file < kFiles && rank >= 0 && rank < kRanks;
}

constexpr Bitboard palace(Color c) {
  Bitboard b;
  for (int file = 3; file <= 5; ++file)
    for (int rank = 0; rank <= 2; ++rank)
      b |= Bitboard::of(make_square(file, c == Color::Red ? rank : 9 - rank));
  return b;
}
constexpr Bitboard kPalaces = palace(Color::Red) | palace(Color::Black);

struct Reach {
  unsigned rook, cannon;
};

/// Reach upwards from place i on a line of n places.
constexpr Reach reach_up(unsigned occupied, int i, int n) {
  const unsigned line = (1u << n) - 1, above = line & ~((2u << i) - 1);
  unsigned pieces = occupied & above;
  if (!pieces) return {above, above};
  const unsigned first = pieces & -pieces;
  pieces ^= first;
  const unsigned free = above & (first - 1);
  return {free | first, free | (pieces & -pieces)};
}
constexpr Reach reach_down(unsigned occupied, int i) {
  const unsigned below = (1u << i) - 1;
  unsigned pieces = occupied & below;
  if (!pieces) return {below, below};
  const unsigned first = std::bit_floor(pieces);
  pieces ^= first;
  const unsigned free = below & ~(2 * first - 1);
  return {free | first, free | std::bit_floor(pieces)};
}

constexpr LineTables make_lines() {
  LineTables t{};
  for (int i = 0; i < 9; ++i) {
    for (unsigned occupied = 0; occupied < 512; ++occupied) {
      const Reach up = reach_up(occupied, i, 9), down = reach_down(occupied, i);
      t.rook_rank[i][occupied] = uint16_t(up.rook | down.rook);
      t.cannon_rank[i][occupied] = uint16_t(up.cannon | down.cannon);
    }
  }
  for (int i = 0; i < 10; ++i) {
    for (unsigned occupied = 0; occupied < 1024; ++occupied) {
      const Reach up = reach_up(occupied, i, 10), down = reach_down(occupied, i);
      t.rook_file[i][occupied] = uint16_t(up.rook | down.rook);
      t.cannon_file[i][occupied] = uint16_t(up.cannon | down.cannon);
    }
  }
  return t;
}

struct Step {
  int file, rank;
};

constexpr BlockedTable make_horse() {
  constexpr Step ways[4] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
  BlockedTable t{};
  for (int s = 0; s < kSquares; ++s)
    for (int way = 0; way < 4; ++way)
      for (int side = -1; side <= 1; side += 2) {
        const Step w = ways[way];
        const int file = s % 9 + 2 * w.file + side * (w.file == 0);
        const int rank = s / 9 + 2 * w.rank + side * (w.rank == 0);
        if (!on_board(file, rank)) continue;
        for (int blocked = 0; blocked < 16; ++blocked)
          if (!(blocked >> way & 1)) t[s][blocked] |= Bitboard::of(make_square(file, rank));
      }
  return t;
}

constexpr BlockedTable make_elephant() {
  constexpr Step ways[4] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
  BlockedTable t{};
  for (int s = 0; s < kSquares; ++s)
    for (int way = 0; way < 4; ++way) {
      const int file = s % 9 + 2 * ways[way].file, rank = s / 9 + 2 * ways[way].rank;
      if (!on_board(file, rank) || (rank < 5) != (s / 9 < 5)) continue;
      for (int blocked = 0; blocked < 16; ++blocked)
        if (!(blocked >> way & 1)) t[s][blocked] |= Bitboard::of(make_square(file, rank));
    }
  return t;
}

/// One step to (+-1, 0), (0, +-1) or, diagonal, (+-1, +-1), inside the palace.
constexpr SquareTable make_palace_steps(bool diagonal) {
  SquareTable t{};
  for (Square s : kPalaces)
    for (int file = -1; file <= 1; ++file)
      for (int rank = -1; rank <= 1; ++rank) {
        if ((file != 0) + (rank != 0) != 1 + diagonal || !on_board(s % 9 + file, s / 9 + rank)) continue;
        t[s] |= Bitboard::of(make_square(s % 9 + file, s / 9 + rank)) & kPalaces;
      }
  return t;
}

constexpr SquareTable make_cross() {
  SquareTable t{};
  for (int s = 0; s < kSquares; ++s) {
    for (int i = 0; i < kFiles; ++i) t[s] |= Bitboard::of(make_square(i, s / 9));
    for (int i = 0; i < kRanks; ++i) t[s] |= Bitboard::of(make_square(s % 9, i));
    t[s] ^= Bitboard::of(Square(s));
  }
  return t;
}

constexpr std::array<SquareTable, 2> make_pawn() {
  std::array<SquareTable, 2> t{};
  for (int c = 0; c < 2; ++c)
    for (int s = 0; s < kSquares; ++s) {
      const int file = s % 9, rank = s / 9, forward = c == 0 ? 1 : -1;
      if (on_board(file, rank + forward)) t[c][s] |= Bitboard::of(make_square(file, rank + forward));
      if ((rank >= 5) != (c == 0)) continue;
      for (int side = -1; side <= 1; side += 2)
        if (on_board(file + side, rank)) t[c][s] |= Bitboard::of(make_square(file + side, rank));
    }
  return t;
}

constexpr std::array<SquareTable, 2> make_pawn_from() {
  const std::array<SquareTable, 2> attacks = make_pawn();
  std::array<SquareTable, 2> t{};
  for (int c = 0; c < 2; ++c)
    for (int s = 0; s < kSquares; ++s)
      for (Square to : attacks[c][s]) t[c][to] |= Bitboard::of(Square(s));
  return t;
}

constexpr std::array<SquareTable, 18> make_between() {
  std::array<SquareTable, 18> t{};
  for (Square a : kPalaces)
    for (int b = 0; b < kSquares; ++b) {
      if (a == b || (a % 9 != b % 9 && a / 9 != b / 9)) continue;
      const int low = a < b ? a : b, high = a < b ? b : a, step = a % 9 == b % 9 ? 9 : 1;
      for (int s = low + step; s < high; s += step) t[palace_index(a)][b] |= Bitboard::of(Square(s));
    }
  return t;
}

}  // namespace

constinit const LineTables lines = make_lines();
constinit const BlockedTable horse = make_horse();
constinit const BlockedTable elephant = make_elephant();
constinit const SquareTable king = make_palace_steps(false);
constinit const SquareTable advisor = make_palace_steps(true);
constinit const SquareTable cross = make_cross();
constinit const std::array<SquareTable, 2> pawn = make_pawn();
constinit const std::array<SquareTable, 2> pawn_from = make_pawn_from();
constinit const std::array<SquareTable, 18> between = make_between();

}  // namespace tables

Bitboard home_squares(Color c, PieceType t) {
  const Bitboard red = [t] {
    Bitboard b;
    for (Square s = 0; s < kSquares; ++s) {
      const int file = file_of(s), rank = rank_of(s);
      const bool palace = file >= 3 && file <= 5 && rank <= 2;
      bool home = true;
      if (t == PieceType::King) home = palace;
      if (t == PieceType::Advisor) home = palace && (file + rank) % 2 == 1;
      if (t == PieceType::Elephant)
        home = rank <= 4 && rank % 2 == 0 && file % 2 == 0 && (file + rank) % 4 == 2;
      if (t == PieceType::Pawn) home = rank >= 5 || (rank >= 3 && file % 2 == 0);
      if (home) b |= Bitboard::of(s);
    }
    return b;
  }();
  if (c == Color::Red) return red;
  Bitboard black;
  for (Square s : red) black |= Bitboard::of(flipped(s));
  return black;
}

}  // namespace chuhe::xiangqi
