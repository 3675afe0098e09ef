#include "xiangqi/endgame/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace chuhe::xiangqi {
namespace {

PlacementIndex index_of(const char* material) {
  return PlacementIndex(Material::parse(material).value());
}

Placement placement_of(const PlacementIndex& index, const Square* squares) {
  Placement p;
  for (int slot = 0; slot < index.slots(); ++slot)
    p.add(index.group_of(slot).color, index.group_of(slot).type, squares[slot]);
  return p;
}

TEST(PlacementIndex, EveryNumberIsAPlacementOfItsOwn) {
  for (const char* material : {"Kk", "KPPkp", "KPPPPk", "KAAkbb"}) {
    const PlacementIndex index = index_of(material);
    const uint64_t step = std::max<uint64_t>(1, index.size() / 50'000);
    for (uint64_t i = 0; i < index.size(); i += step) {
      Square squares[32];
      index.squares(i, squares);
      ASSERT_EQ(index.index(placement_of(index, squares)), i) << material;
    }
  }
}

TEST(PlacementIndex, EqualMenAreASet) {
  const PlacementIndex index = index_of("KPPPk");
  std::set<uint64_t> numbers;
  std::vector<Square> pawns = {make_square(0, 3), make_square(4, 9), make_square(2, 6)};
  std::sort(pawns.begin(), pawns.end());
  do {
    Placement p;
    p.add(Color::Red, PieceType::King, make_square(4, 0));
    p.add(Color::Black, PieceType::King, make_square(3, 9));
    for (const Square s : pawns) p.add(Color::Red, PieceType::Pawn, s);
    numbers.insert(index.index(p));
  } while (std::next_permutation(pawns.begin(), pawns.end()));
  EXPECT_EQ(numbers.size(), 1u);
}

TEST(PlacementIndex, AMovedManHasTheNumberOfTheNewPlacement) {
  const PlacementIndex index = index_of("KRPPPkbb");
  for (uint64_t i = 0; i < index.size(); i += index.size() / 2003) {
    Square squares[32], after[32];
    index.squares(i, squares);
    for (int slot = 0; slot < index.slots(); ++slot)
      for (Square to = 0; to < kSquares; to = Square(to + 7)) {
        if (index.group_of(slot).local[to] == PlacementIndex::kNowhere) continue;
        std::copy(squares, squares + 32, after);
        after[slot] = to;
        // Two men of a kind on one square are no set: there is no such number.
        const auto& group = index.group_of(slot);
        if (std::count(after + group.first, after + group.first + group.men, to) > 1) continue;
        ASSERT_EQ(index.moved(i, squares, slot, to), index.index(placement_of(index, after)));
      }
  }
}

TEST(PlacementIndex, SizesCountMenOnTheirHomeSquares) {
  EXPECT_EQ(index_of("Kk").size(), 81u);
  EXPECT_EQ(index_of("KRk").size(), 81u * 90);
  EXPECT_EQ(index_of("KPPkbbaa").size(), 81u * (55 * 54 / 2) * 21 * 10);
  for (const char* material : {"Kk", "KRk", "KPPkbbaa", "KPPPPk", "KRCkn"}) {
    const Material m = Material::parse(material).value();
    EXPECT_EQ(PlacementIndex::size_of(m), index_of(material).size()) << material;
  }
  EXPECT_EQ(PlacementIndex::size_with_descendants(Material::parse("KRka").value()),
            81u * (90 * 5 + 90 + 5 + 1));
  EXPECT_EQ(PlacementIndex::size_of(Material::of(Position())), uint64_t(1) << 63) << "saturates";
}

}  // namespace
}  // namespace chuhe::xiangqi
