#include "xiangqi/endgame/placement.h"

#include <algorithm>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

constexpr int kMostMen = 5;  // of one kind: pawns

// binomials[n][k], n up to the squares of a kind.
constexpr auto kBinomials = [] {
  std::array<std::array<uint64_t, kMostMen + 2>, kSquares + 1> b{};
  for (size_t n = 0; n <= kSquares; ++n) {
    b[n][0] = 1;
    for (size_t k = 1; k <= kMostMen + 1; ++k) b[n][k] = n ? b[n - 1][k - 1] + b[n - 1][k] : 0;
  }
  return b;
}();

// Squares where a kind can stand at all, by PieceType.
constexpr std::array<size_t, kPieceTypes> kHomes = {9, 5, 7, 90, 90, 90, 55};

uint64_t ways(PieceType t, int men) {
  return kBinomials[kHomes[size_t(t)]][size_t(men)];
}

uint64_t saturating_product(uint64_t a, uint64_t b) {
  constexpr uint64_t kMost = uint64_t(1) << 63;
  return b != 0 && a > kMost / b ? kMost : a * b;
}

// The digit of a set of men by their local numbers: combinations in the order of their largest member.
uint64_t rank_of_set(uint8_t* local, int men) {
  if (men == 1) return local[0];
  if (men == 2) {
    const uint64_t a = std::min(local[0], local[1]), b = std::max(local[0], local[1]);
    return b * (b - 1) / 2 + a;
  }
  std::sort(local, local + men);
  uint64_t rank = 0;
  for (int i = 0; i < men; ++i) rank += kBinomials[local[i]][size_t(i) + 1];
  return rank;
}

// Every set of `men` of the squares, in the order of rank_of_set.
std::vector<Square> sets_of(const std::vector<Square>& home, int men) {
  std::vector<Square> sets;
  std::vector<int> chosen(static_cast<size_t>(men));
  for (int i = 0; i < men; ++i) chosen[size_t(i)] = i;
  while (chosen.back() < int(home.size())) {
    for (const int i : chosen) sets.push_back(home[size_t(i)]);
    int i = 0;  // the lowest member that can go up without meeting the next one; those below start afresh
    while (i + 1 < men && chosen[size_t(i)] + 1 == chosen[size_t(i) + 1]) ++i;
    ++chosen[size_t(i)];
    for (int below = 0; below < i; ++below) chosen[size_t(below)] = below;
  }
  return sets;
}

}  // namespace

Placement Placement::of(const Position& position) {
  Placement p;
  for (const Color c : {Color::Red, Color::Black})
    for (int t = 0; t < kPieceTypes; ++t)
      for (const Square s : position.pieces(c, PieceType(t))) p.add(c, PieceType(t), s);
  return p;
}

Placement Placement::swapped() const {
  Placement p;
  for (const Color c : {Color::Red, Color::Black})
    for (int t = 0; t < kPieceTypes; ++t)
      for (int i = 0; i < count[size_t(c)][size_t(t)]; ++i)
        p.add(~c, PieceType(t), flipped(squares[size_t(c)][size_t(t)][size_t(i)]));
  return p;
}

PlacementIndex::PlacementIndex(const Material& material) : material_(material) {
  for (const PieceType t : kMenByStrength)
    for (const Color c : {Color::Red, Color::Black})
      if (const int men = material.count[size_t(c)][size_t(t)]) add_group(c, t, men);
  for (const Color c : {Color::Red, Color::Black}) add_group(c, PieceType::King, 1);
}

void PlacementIndex::add_group(Color c, PieceType t, int men) {
  Group g;
  g.color = c;
  g.type = t;
  g.men = men;
  g.first = slots_;
  g.multiplier = size_;
  g.local.fill(kNowhere);
  std::vector<Square> home;
  for (const Square s : home_squares(c, t)) {
    g.local[s] = uint8_t(home.size());
    home.push_back(s);
  }
  CHUHE_CHECK(home.size() == kHomes[size_t(t)]);
  g.sets = sets_of(home, men);
  g.digits = g.sets.size() / uint64_t(men);
  for (int i = 0; i < men; ++i) group_of_slot_[size_t(slots_++)] = uint8_t(groups_.size());
  size_ *= g.digits;
  groups_.push_back(std::move(g));
}

uint64_t PlacementIndex::size_of(const Material& material) {
  uint64_t size = 1;
  for (const Color c : {Color::Red, Color::Black})
    for (int t = 0; t < kPieceTypes; ++t)
      size = saturating_product(size, ways(PieceType(t), material.count[size_t(c)][size_t(t)]));
  return size;
}

uint64_t PlacementIndex::size_with_descendants(const Material& material) {
  // The sum over all sub-materials of a product over the kinds is the product of the kinds' sums.
  uint64_t size = 81;
  for (const Color c : {Color::Red, Color::Black})
    for (const PieceType t : kMenByStrength) {
      uint64_t sum = 0;
      for (int men = 0; men <= material.count[size_t(c)][size_t(t)]; ++men) sum += ways(t, men);
      size = saturating_product(size, sum);
    }
  return size;
}

uint64_t PlacementIndex::index(const Placement& placement) const {
  uint64_t index = 0;
  for (const Group& g : groups_)
    index += digit(g, placement.squares[size_t(g.color)][size_t(g.type)].data()) * g.multiplier;
  return index;
}

uint64_t PlacementIndex::digit(const Group& g, const Square* men) {
  uint8_t local[kMostMen];
  for (int i = 0; i < g.men; ++i) local[i] = g.local[men[i]];
  return rank_of_set(local, g.men);
}

uint64_t PlacementIndex::digit_after(const Group& g, const Square* squares, int slot, Square to) {
  uint8_t local[kMostMen];
  for (int i = 0; i < g.men; ++i) local[i] = g.local[g.first + i == slot ? to : squares[g.first + i]];
  return rank_of_set(local, g.men);
}

}  // namespace chuhe::xiangqi
