#include "xiangqi/endgame/material.h"

#include <cctype>
#include <optional>

namespace chuhe::xiangqi {
namespace {

// In a set, by PieceType.
constexpr std::array<uint8_t, kPieceTypes> kFullSet = {1, 2, 2, 2, 2, 2, 5};

constexpr size_t kMostMen = 32;

constexpr std::string_view kLetters = "KABNRCP";  // by PieceType

std::optional<PieceType> type_of_letter(char upper) {
  if (upper == 'H') upper = 'N';
  if (upper == 'E') upper = 'B';
  const size_t at = kLetters.find(upper);
  if (at == std::string_view::npos) return std::nullopt;
  return PieceType(at);
}

}  // namespace

Material::Material() {
  count[0][size_t(PieceType::King)] = count[1][size_t(PieceType::King)] = 1;
}

Material Material::of(const Position& position) {
  Material m;
  for (const Color c : {Color::Red, Color::Black})
    for (const PieceType t : kMenByStrength)
      m.count[size_t(c)][size_t(t)] = uint8_t(position.pieces(c, t).count());
  return m;
}

Result<Material> Material::parse(std::string_view text) {
  const auto fail = [&](std::string_view why) {
    return Result<Material>::failure(
        fmt::format("material '{}': {}; expected both kings, each followed by its men (letters R N C P B A), "
                    "such as KRkbaa or KRKBAA",
                    text.substr(0, 2 * kMostMen), why));
  };
  Material m;
  int kings = 0;
  for (const char letter : text) {
    const auto type = type_of_letter(char(std::toupper(static_cast<unsigned char>(letter))));
    if (!type) return fail(fmt::format("'{}' is no piece", letter));
    if (*type == PieceType::King && ++kings > 2) return fail("more than two kings");
    if (kings == 0) return fail("it does not begin with a king");
    if (*type == PieceType::King) continue;
    uint8_t& n = m.count[size_t(kings - 1)][size_t(*type)];
    if (++n > kFullSet[size_t(*type)])
      return fail(fmt::format("a set has only {} of '{}'", kFullSet[size_t(*type)], letter));
  }
  if (kings < 2) return fail("a king is missing");
  return m;
}

std::string Material::name() const {
  std::string text;
  for (const Color c : {Color::Red, Color::Black}) {
    std::string side = "K";
    for (const PieceType t : kMenByStrength) side.append(count[size_t(c)][size_t(t)], kLetters[size_t(t)]);
    if (c == Color::Black)
      for (char& letter : side) letter = char(std::tolower(static_cast<unsigned char>(letter)));
    text += side;
  }
  return text;
}

int Material::pieces() const {
  int n = 0;
  for (const auto& side : count)
    for (const uint8_t of_type : side) n += of_type;
  return n;
}

bool Material::has_attacker(Color c) const {
  const auto& side = count[size_t(c)];
  return side[size_t(PieceType::Rook)] + side[size_t(PieceType::Horse)] + side[size_t(PieceType::Cannon)] +
             side[size_t(PieceType::Pawn)] >
         0;
}

Material Material::without(Color c, PieceType t) const {
  Material m = *this;
  CHUHE_CHECK(t != PieceType::King && m.count[size_t(c)][size_t(t)] > 0, "{} has no such man", name());
  --m.count[size_t(c)][size_t(t)];
  return m;
}

bool Material::is_canonical() const {
  for (const PieceType t : kMenByStrength)
    if (count[0][size_t(t)] != count[1][size_t(t)]) return count[0][size_t(t)] > count[1][size_t(t)];
  return true;
}

Material Material::of_sides(const std::array<uint8_t, kPieceTypes>& red,
                            const std::array<uint8_t, kPieceTypes>& black) {
  Material m;
  m.count = {red, black};
  return m;
}

}  // namespace chuhe::xiangqi
