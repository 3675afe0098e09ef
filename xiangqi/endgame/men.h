#pragma once
// The men of one numbered placement on the board, by slot, and where they go. The lean inner board of the
// endgame solver: a placement is set up millions of times there, which a Position is too rich for.

#include <array>
#include <cstdint>

#include "xiangqi/board/attacks.h"
#include "xiangqi/endgame/placement.h"

namespace chuhe::xiangqi {

class Men {
 public:
  static constexpr int kNoSlot = -1;

  explicit Men(const PlacementIndex& index) : index_(index) {
    for (int slot = 0; slot < index.slots(); ++slot) {
      const auto& group = index.group_of(slot);
      types_[size_t(slot)] = group.type;
      auto& side = sides_[size_t(group.color)];
      side.slots[size_t(side.size++)] = uint8_t(slot);
    }
  }

  /// False if two men would stand on one square.
  CHUHE_INLINE bool place(uint64_t index) {
    index_.squares(index, squares_.data());
    for (const Color c : {Color::Red, Color::Black}) {
      Bitboard men;
      for (const int slot : slots(c)) men |= Bitboard::of(squares_[size_t(slot)]);
      by_color_[size_t(c)] = men;
    }
    return occupied().count() == index_.slots();
  }

  struct Slots {
    const uint8_t *first, *last;
    const uint8_t* begin() const { return first; }
    const uint8_t* end() const { return last; }
  };
  Slots slots(Color c) const {
    const Side& side = sides_[size_t(c)];
    return {side.slots.data(), side.slots.data() + side.size};
  }
  PieceType type(int slot) const { return types_[size_t(slot)]; }
  Square square(int slot) const { return squares_[size_t(slot)]; }
  const Square* squares() const { return squares_.data(); }
  Bitboard men(Color c) const { return by_color_[size_t(c)]; }
  Bitboard occupied() const { return by_color_[0] | by_color_[1]; }
  /// The kings have the last two slots.
  int king_slot(Color c) const { return index_.slots() - 2 + int(c); }
  Square king(Color c) const { return square(king_slot(c)); }
  int slot_on(Square s, Color c) const {
    for (const int slot : slots(c))
      if (square(slot) == s) return slot;
    return kNoSlot;
  }

  /// Would a king of colour c on `king` be attacked over this occupation, facing kings included, by the
  /// enemy's men without the one in slot `gone`?
  CHUHE_INLINE bool attacked(Color c, Square king, Bitboard occ, int gone = kNoSlot) const {
    for (const int slot : slots(~c)) {
      const Square s = square(slot);
      if (slot != gone && hits(~c, type(slot), s, king, occ)) return true;
    }
    return false;
  }

  /// Squares that the man attacks or can go to, own men's squares included.
  CHUHE_INLINE Bitboard targets(Color c, int slot) const {
    const Square s = square(slot);
    switch (type(slot)) {
      case PieceType::King:
        return king_attacks(s);
      case PieceType::Advisor:
        return advisor_attacks(s);
      case PieceType::Elephant:
        return elephant_attacks(s, occupied());
      case PieceType::Horse:
        return horse_attacks(s, occupied());
      case PieceType::Rook:
        return rook_attacks(s, occupied());
      case PieceType::Cannon:
        return cannon_moves(s, occupied());
      case PieceType::Pawn:
        return pawn_attacks(c, s);
    }
    return {};
  }

  /// Empty squares from which the man can have come without a capture.
  CHUHE_INLINE Bitboard origins(Color c, int slot) const {
    const Square s = square(slot);
    const Bitboard occ = occupied();
    switch (type(slot)) {
      case PieceType::Rook:
      case PieceType::Cannon:
        return rook_attacks(s, occ) & ~occ;
      case PieceType::Horse: {
        Bitboard from;
        for (const Square h : horse_ring(s) & ~occ)
          if (!occ.has(horse_leg(h, s))) from |= Bitboard::of(h);
        return from;
      }
      case PieceType::Pawn:
        return tables::pawn_from[size_t(c)][s] & pawn_home_[size_t(c)] & ~occ;
      default:
        return targets(c, slot) & ~occ;
    }
  }

 private:
  CHUHE_INLINE static bool hits(Color c, PieceType t, Square s, Square king, Bitboard occ) {
    switch (t) {
      case PieceType::King:  // the kings face each other
        return file_of(s) == file_of(king) && !(between(king, s) & occ);
      case PieceType::Rook:
        return tables::cross[king].has(s) && !(between(king, s) & occ);
      case PieceType::Cannon:
        return tables::cross[king].has(s) && (between(king, s) & occ).count() == 1;
      case PieceType::Horse:
        return horse_ring(king).has(s) && !occ.has(horse_leg(s, king));
      case PieceType::Pawn:
        return pawn_attacks(c, s).has(king);
      default:
        return false;
    }
  }

  struct Side {
    std::array<uint8_t, 16> slots{};
    int size = 0;
  };
  const PlacementIndex& index_;
  std::array<PieceType, 32> types_{};
  std::array<Square, 32> squares_{};
  std::array<Side, 2> sides_;
  std::array<Bitboard, 2> by_color_{};
  std::array<Bitboard, 2> pawn_home_ = {home_squares(Color::Red, PieceType::Pawn),
                                        home_squares(Color::Black, PieceType::Pawn)};
};

}  // namespace chuhe::xiangqi
