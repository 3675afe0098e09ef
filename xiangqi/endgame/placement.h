#pragma once
// The places of a material class, numbered: each kind of man only over the points where it can stand, equal
// men as a set. The number of a placement is a mixed radix number with one digit per kind.

#include <array>
#include <cstdint>
#include <vector>

#include "xiangqi/board/attacks.h"
#include "xiangqi/board/position.h"
#include "xiangqi/endgame/material.h"

namespace chuhe::xiangqi {

/// Squares by colour and kind; `count` says how many of each list are used.
struct Placement {
  std::array<std::array<uint8_t, kPieceTypes>, 2> count{};
  std::array<std::array<std::array<Square, 5>, kPieceTypes>, 2> squares{};

  static Placement of(const Position& position);
  void add(Color c, PieceType t, Square s) {
    squares[size_t(c)][size_t(t)][count[size_t(c)][size_t(t)]++] = s;
  }
  /// Colours exchanged and the board flipped: the same position with the other side's eyes.
  Placement swapped() const;
};

class PlacementIndex {
 public:
  /// All men of one kind and colour: one digit.
  struct Group {
    Color color = Color::Red;
    PieceType type = PieceType::King;
    int men = 1;
    int first = 0;                          // slot of the first man; slots of a group follow each other
    uint64_t digits = 1;                    // ways to place the men
    uint64_t multiplier = 1;                // of the digit
    std::array<uint8_t, kSquares> local{};  // number of a square among those of the kind; kNowhere elsewhere
    std::vector<Square> sets;               // [digit * men + i]: squares of the digit's set
  };
  static constexpr uint8_t kNowhere = 255;

  explicit PlacementIndex(const Material& material);

  /// The number of placements of a class, overlapping ones included; saturates at 2^63.
  static uint64_t size_of(const Material& material);
  /// The same summed over the class and all that captures can make of it.
  static uint64_t size_with_descendants(const Material& material);

  const Material& material() const { return material_; }
  uint64_t size() const { return size_; }
  const std::vector<Group>& groups() const { return groups_; }
  int slots() const { return slots_; }
  const Group& group_of(int slot) const { return groups_[group_of_slot_[size_t(slot)]]; }

  /// The placement's number. Its men must be those of the class, on squares where they can stand.
  uint64_t index(const Placement& placement) const;
  /// Squares by slot.
  CHUHE_INLINE void squares(uint64_t index, Square* out) const {
    for (const Group& g : groups_) {
      const uint64_t digit = index % g.digits;
      index /= g.digits;
      const Square* set = g.sets.data() + digit * uint64_t(g.men);
      for (int i = 0; i < g.men; ++i) out[g.first + i] = set[i];
    }
  }
  /// The number after the man in `slot` has gone to `to`. `squares` are those of `index`.
  CHUHE_INLINE uint64_t moved(uint64_t index, const Square* squares, int slot, Square to) const {
    const Group& g = group_of(slot);
    if (g.men == 1) return index + (uint64_t(g.local[to]) - uint64_t(g.local[squares[slot]])) * g.multiplier;
    return index + (digit_after(g, squares, slot, to) - digit(g, squares + g.first)) * g.multiplier;
  }

 private:
  static uint64_t digit(const Group& g, const Square* men);
  static uint64_t digit_after(const Group& g, const Square* squares, int slot, Square to);
  void add_group(Color c, PieceType t, int men);

  Material material_;
  std::vector<Group> groups_;  // the first one has the lowest digit
  std::array<uint8_t, 32> group_of_slot_{};
  int slots_ = 0;
  uint64_t size_ = 1;
};

}  // namespace chuhe::xiangqi
