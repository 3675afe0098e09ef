#include "xiangqi/endgame/mating_material.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "xiangqi/endgame/men.h"

namespace chuhe::xiangqi {
namespace {

// The loser is to move; the placement may be illegal.
bool is_final(const Men& men, Color loser) {
  const Bitboard occ = men.occupied();
  if (men.attacked(~loser, men.king(~loser), occ)) return false;
  for (const int slot : men.slots(loser)) {
    const Bitboard from = Bitboard::of(men.square(slot));
    for (const Square to : men.targets(loser, slot) & ~men.men(loser)) {
      const Square king = slot == men.king_slot(loser) ? to : men.king(loser);
      const Bitboard after = (occ & ~from) | Bitboard::of(to);
      if (!men.attacked(loser, king, after, men.slot_on(to, ~loser))) return false;
    }
  }
  return true;
}

// Gives `visit` every material between the bare kings and `most` with so many men beside the kings; stops and
// returns true when it does.
bool any_of_size(const Material& most, int men, const std::function<bool(const Material&)>& visit) {
  constexpr int kKinds = 2 * (kPieceTypes - 1);
  Material m;
  const std::function<bool(int, int)> fill = [&](int kind, int left) {
    if (kind == kKinds) return left == 0 && visit(m);
    const auto side = size_t(kind / (kPieceTypes - 1)), type = size_t(kind % (kPieceTypes - 1) + 1);
    for (int n = 0; n <= std::min<int>(left, most.count[side][type]); ++n) {
      m.count[side][type] = uint8_t(n);
      if (fill(kind + 1, left - n)) return true;
    }
    m.count[side][type] = 0;
    return false;
  };
  return fill(0, men);
}

}  // namespace

bool has_final_position(const Material& material, Color winner) {
  const PlacementIndex index(material);
  Men men(index);
  // In strides of about the golden section, which soon sample everything and in the end meet everything.
  uint64_t stride = std::max<uint64_t>(1, uint64_t(double(index.size()) * 0.618));
  while (std::gcd(stride, index.size()) != 1) ++stride;
  uint64_t at = 0;
  for (uint64_t n = 0; n < index.size(); ++n, at = (at + stride) % index.size())
    if (men.place(at) && is_final(men, ~winner)) return true;
  return false;
}

bool can_mate(const Material& material, Color winner) {
  const auto& own = material.count[size_t(winner)];
  if (!material.has_attacker(winner)) return false;
  // KRk, KNk and KPk have final positions (a test looks).
  if (own[size_t(PieceType::Cannon)] == 0 || own[size_t(PieceType::Rook)] > 0 ||
      own[size_t(PieceType::Horse)] > 0 || own[size_t(PieceType::Pawn)] > 0)
    return true;
  constexpr uint64_t kMostPlacements = 4'000'000;  // a fifth of a second
  const auto able = [&](const Material& m) {
    return m.count[size_t(winner)][size_t(PieceType::Cannon)] > 0 &&
           (PlacementIndex::size_of(m) > kMostPlacements || has_final_position(m, winner));
  };
  // Smallest first: what a cannon needs is one or two men.
  for (int men = 1; men <= material.pieces() - 2; ++men)
    if (any_of_size(material, men, able)) return true;
  return false;
}

bool no_mating_material(const Position& position) {
  const Material material = Material::of(position);
  return !can_mate(material, Color::Red) && !can_mate(material, Color::Black);
}

}  // namespace chuhe::xiangqi
