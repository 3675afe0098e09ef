#include "xiangqi/endgame/material.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace chuhe::xiangqi {
namespace {

using testing::HasSubstr;

TEST(Material, NamesReadBackInAnyCaseAndDialect) {
  for (const char* name : {"Kk", "KRkaa", "KRkbbaa", "KCAAkaa", "KPPkbb", "KNkrc"})
    EXPECT_EQ(Material::parse(name).value().name(), name);
  EXPECT_EQ(Material::parse("KRKAABB").value().name(), "KRkbbaa");
  EXPECT_EQ(Material::parse("khke").value().name(), "KNkb");
}

TEST(Material, OfAPositionCountsBothSides) {
  EXPECT_EQ(Material::of(Position()).name(), "KRRNNCCPPPPPBBAAkrrnnccpppppbbaa");
  EXPECT_EQ(Material::of(Position::from_fen("9/3Ra4/3ak4/9/9/9/9/9/9/3K5 w").value()).name(), "KRkaa");
}

TEST(Material, WrongTextsAreRefusedWithTheReason) {
  EXPECT_THAT(Material::parse("RKk").error(), HasSubstr("does not begin with a king"));
  EXPECT_THAT(Material::parse("KR").error(), HasSubstr("a king is missing"));
  EXPECT_LT(Material::parse("K" + std::string(100'000, 'R')).error().size(), 300u);
  EXPECT_THAT(Material::parse("KkK").error(), HasSubstr("more than two kings"));
  EXPECT_THAT(Material::parse("KQk").error(), HasSubstr("'Q' is no piece"));
  EXPECT_THAT(Material::parse("KkAAA").error(), HasSubstr("only 2 of 'A'"));
}

TEST(Material, OfASwappedPairOneIsCanonical) {
  const Material rook = Material::parse("KRkn").value();
  EXPECT_TRUE(rook.is_canonical());
  EXPECT_FALSE(rook.swapped().is_canonical());
  EXPECT_EQ(rook.swapped().name(), "KNkr");
  const Material even = Material::parse("KRkr").value();
  EXPECT_EQ(even.swapped(), even);
  EXPECT_TRUE(even.is_canonical());
  EXPECT_EQ(rook.without(Color::Black, PieceType::Horse).name(), "KRk");
}

}  // namespace
}  // namespace chuhe::xiangqi
