#pragma once
// A set of the 90 squares in two 64-bit words: squares 0..63 in lo, 64..89 in hi.

#include <bit>
#include <cstdint>

#include "xiangqi/board/types.h"

namespace chuhe::xiangqi {

struct Bitboard {
  uint64_t lo = 0, hi = 0;

  static constexpr Bitboard of(Square s) {
    return s < 64 ? Bitboard{1ULL << s, 0} : Bitboard{0, 1ULL << (s - 64)};
  }
  static constexpr Bitboard all() { return {~0ULL, (1ULL << 26) - 1}; }
  constexpr bool has(Square s) const { return s < 64 ? lo >> s & 1 : hi >> (s - 64) & 1; }
  constexpr explicit operator bool() const { return (lo | hi) != 0; }
  constexpr int count() const { return std::popcount(lo) + std::popcount(hi); }
  constexpr bool more_than_one() const { return count() > 1; }
  constexpr Square first() const { return Square(lo ? std::countr_zero(lo) : 64 + std::countr_zero(hi)); }
  /// Removes and returns the lowest square of a non-empty set.
  constexpr Square pop() {
    const Square s = first();
    if (lo) {
      lo &= lo - 1;
    } else {
      hi &= hi - 1;
    }
    return s;
  }
  friend constexpr Bitboard operator|(Bitboard a, Bitboard b) { return {a.lo | b.lo, a.hi | b.hi}; }
  friend constexpr Bitboard operator&(Bitboard a, Bitboard b) { return {a.lo & b.lo, a.hi & b.hi}; }
  friend constexpr Bitboard operator^(Bitboard a, Bitboard b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
  constexpr Bitboard operator~() const { return {~lo, ~hi & all().hi}; }
  constexpr Bitboard& operator|=(Bitboard b) { return *this = *this | b; }
  constexpr Bitboard& operator&=(Bitboard b) { return *this = *this & b; }
  constexpr Bitboard& operator^=(Bitboard b) { return *this = *this ^ b; }
  constexpr bool operator==(const Bitboard&) const = default;

  /// for (Square s : set)
  struct Iterator {
    uint64_t lo, hi;
    constexpr Square operator*() const { return Bitboard{lo, hi}.first(); }
    constexpr Iterator& operator++() {
      if (lo) {
        lo &= lo - 1;
      } else {
        hi &= hi - 1;
      }
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;
  };
  constexpr Iterator begin() const { return {lo, hi}; }
  constexpr Iterator end() const { return {0, 0}; }
};

}  // namespace chuhe::xiangqi
