#pragma once
// Which pieces are on the board, whatever their places: the class that an endgame table covers.

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

/// Both kings are always there (count 1). Ordered, so that it can be a key.
struct Material {
  std::array<std::array<uint8_t, kPieceTypes>, 2> count{};  // [colour][type]

  Material();  // the bare kings
  static Material of(const Position& position);
  /// "KRkaa" or "KRKAA": a king, its men, the other king, its men. N or H, B or E. Red's side comes first.
  static Result<Material> parse(std::string_view text);
  /// "KRkbaa": men in the order R N C P B A.
  std::string name() const;

  int pieces() const;  // kings included
  bool has_attacker(Color c) const;
  Material swapped() const { return of_sides(count[1], count[0]); }
  /// One man of that kind less.
  Material without(Color c, PieceType t) const;
  /// The one of this and swapped() that tables are made for: Red has the stronger men.
  bool is_canonical() const;

  auto operator<=>(const Material&) const = default;

 private:
  static Material of_sides(const std::array<uint8_t, kPieceTypes>& red,
                           const std::array<uint8_t, kPieceTypes>& black);
};

/// Kinds of men from the strongest down, the order of names and of tables.
inline constexpr PieceType kMenByStrength[] = {PieceType::Rook, PieceType::Horse,    PieceType::Cannon,
                                               PieceType::Pawn, PieceType::Elephant, PieceType::Advisor};

}  // namespace chuhe::xiangqi
