#pragma once
// Where pieces reach, by table. A rank or file is cut out of the 90-bit occupation with one shift and (files)
// one multiplication, then looked up; the answer is spread back the same way. No tables of the square's whole
// neighbourhood, so all of it stays in the cache.

#include <array>
#include <cstdint>

#include "xiangqi/board/bitboard.h"
#include "xiangqi/board/types.h"

// Inlined everywhere, so that the copies of the move generator made for newer CPUs get their instructions
// here too.
#define CHUHE_INLINE [[gnu::always_inline]] inline

namespace chuhe::xiangqi {

namespace tables {
/// Reach along one rank (9 points) or file (10 points): [own place on the line][occupied places] -> places.
/// Rook: empty places and the first piece. Cannon: empty places it can move to, and the piece behind one
/// screen.
struct LineTables {
  std::array<std::array<uint16_t, 512>, 9> rook_rank, cannon_rank;
  std::array<std::array<uint16_t, 1024>, 10> rook_file, cannon_file;
};
/// Pieces whose four ways have a blocking point each: [square][blocked ways], ways as in `leg_bits` /
/// `eye_bits`.
using BlockedTable = std::array<std::array<Bitboard, 16>, kSquares>;
using SquareTable = std::array<Bitboard, kSquares>;

// Hidden: reached without a detour through the table of global offsets.
#define CHUHE_TABLE [[gnu::visibility("hidden")]] extern const
CHUHE_TABLE LineTables lines;
CHUHE_TABLE BlockedTable horse, elephant;
CHUHE_TABLE SquareTable king, advisor, cross;  // cross: rank and file of the square without itself
CHUHE_TABLE std::array<SquareTable, 2> pawn,
    pawn_from;  // by the pawn's colour; pawn_from: where a pawn attacks the square from
CHUHE_TABLE std::array<SquareTable, 18>
    between;  // [palace_index(king's square)][other end]: squares strictly between
#undef CHUHE_TABLE

__extension__ typedef unsigned __int128 Wide;
CHUHE_INLINE constexpr Wide wide(Bitboard b) {
  return Wide(b.hi) << 64 | b.lo;
}
CHUHE_INLINE constexpr Bitboard narrow(Wide w) {
  return {uint64_t(w), uint64_t(w >> 64)};
}

constexpr uint64_t kFileBits = 0x8040201008040201ULL;  // file a, ranks 0..7
constexpr uint64_t kGather = 0x0101010101010101ULL;    // moves bit 9r to bit 56 + r, and bit r to bit 9r

CHUHE_INLINE constexpr unsigned rank_bits(Bitboard b, int rank) {
  return unsigned(wide(b) >> (9 * rank)) & 511;
}
CHUHE_INLINE constexpr Bitboard spread_rank(unsigned bits, int rank) {
  return narrow(Wide(bits) << (9 * rank));
}
CHUHE_INLINE constexpr unsigned file_bits(Bitboard b, int file) {
  const uint64_t lo = b.lo >> file | b.hi << 1 << (63 - file), hi = b.hi >> file;
  return unsigned((lo & kFileBits) * kGather >> 56) | (unsigned(hi) & 0x100) | (unsigned(hi >> 8) & 0x200);
}
CHUHE_INLINE constexpr Bitboard spread_file(unsigned bits, int file) {
  const uint64_t lo = (bits & 255) * kGather & kFileBits, hi = (bits & 0x100) | uint64_t(bits & 0x200) << 8;
  return {lo << file, hi << file | lo >> 1 >> (63 - file)};
}

/// Bits 0..3: south, west, east, north neighbour of s occupied. (Over the board's edge: anything, the tables
/// do not care.)
CHUHE_INLINE constexpr unsigned leg_bits(Bitboard occupied, Square s) {
  const unsigned w = unsigned(wide(occupied) << 9 >> s);
  return (w & 1) | (w >> 7 & 2) | (w >> 8 & 4) | (w >> 15 & 8);
}
/// Bits 0..3: south-west, south-east, north-west, north-east neighbour of s occupied.
CHUHE_INLINE constexpr unsigned eye_bits(Bitboard occupied, Square s) {
  const unsigned w = unsigned(wide(occupied) << 10 >> s);
  return (w & 1) | (w >> 1 & 2) | (w >> 16 & 4) | (w >> 17 & 8);
}
}  // namespace tables

/// 0..17 for the 18 palace squares (Red's first).
constexpr int palace_index(Square s) {
  return (s < 45 ? s / 9 : (s / 9 - 7) + 3) * 3 + s % 9 - 3;
}

CHUHE_INLINE Bitboard rook_attacks(Square s, Bitboard occupied) {
  const int rank = rank_of(s), file = file_of(s);
  return tables::spread_rank(tables::lines.rook_rank[file][tables::rank_bits(occupied, rank)], rank) |
         tables::spread_file(tables::lines.rook_file[rank][tables::file_bits(occupied, file)], file);
}
/// Empty squares that a cannon can move to and pieces (of either side) that it can capture.
CHUHE_INLINE Bitboard cannon_moves(Square s, Bitboard occupied) {
  const int rank = rank_of(s), file = file_of(s);
  return tables::spread_rank(tables::lines.cannon_rank[file][tables::rank_bits(occupied, rank)], rank) |
         tables::spread_file(tables::lines.cannon_file[rank][tables::file_bits(occupied, file)], file);
}
CHUHE_INLINE Bitboard horse_attacks(Square s, Bitboard occupied) {
  return tables::horse[s][tables::leg_bits(occupied, s)];
}
CHUHE_INLINE Bitboard elephant_attacks(Square s, Bitboard occupied) {
  return tables::elephant[s][tables::eye_bits(occupied, s)];
}
CHUHE_INLINE Bitboard advisor_attacks(Square s) {
  return tables::advisor[s];
}
CHUHE_INLINE Bitboard king_attacks(Square s) {
  return tables::king[s];
}
CHUHE_INLINE Bitboard pawn_attacks(Color c, Square s) {
  return tables::pawn[int(c)][s];
}

/// Squares from which a horse with free legs attacks s.
CHUHE_INLINE Bitboard horse_ring(Square s) {
  return tables::horse[s][0];
}
/// The point that must be empty for a horse on `horse` to reach `target` (one of its eight squares).
CHUHE_INLINE constexpr Square horse_leg(Square horse, Square target) {
  const int d = int(target) - int(horse);
  return Square(horse + (d > 15 ? 9 : d < -15 ? -9 : d == 11 || d == -7 ? 1 : -1));
}
/// Squares strictly between a palace square and another one on its rank or file; nothing if they do not share
/// one.
CHUHE_INLINE Bitboard between(Square palace, Square other) {
  return tables::between[palace_index(palace)][other];
}

/// Points where a king, advisor, elephant or pawn of the colour can stand at all; everything for the others.
Bitboard home_squares(Color c, PieceType t);

}  // namespace chuhe::xiangqi
