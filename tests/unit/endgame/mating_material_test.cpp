#include "xiangqi/endgame/mating_material.h"

#include <gtest/gtest.h>

namespace chuhe::xiangqi {
namespace {

Material material(const char* name) {
  return Material::parse(name).value();
}
bool bare(const char* fen) {
  return no_mating_material(Position::from_fen(fen).value());
}

TEST(MatingMaterial, RookHorseAndPawnMateAlone) {
  for (const char* name : {"KRk", "KNk", "KPk"})
    EXPECT_TRUE(has_final_position(material(name), Color::Red)) << name;
  EXPECT_TRUE(has_final_position(material("Kkp"), Color::Black));
}

// What can_mate takes for granted of sides without attacking men, whatever defenders stand about.
TEST(MatingMaterial, DefendersNeverMate) {
  for (int bits = 0; bits < 81; ++bits) {
    Material m;
    m.count[0][size_t(PieceType::Advisor)] = uint8_t(bits % 3);
    m.count[0][size_t(PieceType::Elephant)] = uint8_t(bits / 3 % 3);
    m.count[1][size_t(PieceType::Advisor)] = uint8_t(bits / 9 % 3);
    m.count[1][size_t(PieceType::Elephant)] = uint8_t(bits / 27);
    EXPECT_FALSE(has_final_position(m, Color::Red)) << m.name();
  }
}

TEST(MatingMaterial, ACannonNeedsAScreenThatCannotLeave) {
  for (const char* name : {"KCk", "KCBk", "KCBBk", "KCka", "KCkb", "KCkbb", "KCBkbb"})
    EXPECT_FALSE(can_mate(material(name), Color::Red)) << name;
  for (const char* name : {"KCAk", "KCCk", "KCkaa", "KCBka", "KCAAkaabb"})
    EXPECT_TRUE(can_mate(material(name), Color::Red)) << name;
  EXPECT_FALSE(can_mate(material("KCAk"), Color::Black));
  EXPECT_TRUE(can_mate(material("Kkca"), Color::Black));
}

TEST(MatingMaterial, LargeArmiesAreAnsweredAtOnce) {
  EXPECT_TRUE(can_mate(Material::of(Position()), Color::Red));
  EXPECT_TRUE(can_mate(material("KCBBkrrccpppppbb"), Color::Red));
}

TEST(MatingMaterial, OfPositions) {
  EXPECT_TRUE(bare("3k5/9/9/9/9/9/9/9/9/5K3 w"));
  EXPECT_TRUE(bare("3k5/4a4/9/9/9/9/9/5A3/4A4/2B2K3 w"));
  EXPECT_TRUE(bare("4k4/9/4b4/9/9/9/9/4B4/9/4K4 w"));
  EXPECT_FALSE(bare("3k5/4a4/9/9/9/9/9/5A3/R3A4/2B2K3 w"));
  EXPECT_FALSE(bare("3k5/4a4/8c/9/9/9/9/5A3/4A4/2B2K3 w"));
  EXPECT_FALSE(bare("3k5/4a4/9/9/9/9/9/N4A3/4A2N1/2B2K3 w"));
  EXPECT_FALSE(bare("4k4/9/9/9/9/9/9/9/9/3KN4 w"));
  EXPECT_FALSE(bare("4k4/9/9/9/9/9/9/9/4A4/4KC3 w"));
  EXPECT_TRUE(bare("5k3/9/9/5C3/9/9/9/5K3/9/9 w"));
}

}  // namespace
}  // namespace chuhe::xiangqi
