#include "xiangqi/board/types.h"

#include <gtest/gtest.h>

namespace chuhe::xiangqi {
namespace {

TEST(Types, SquaresAndTheirSymmetries) {
  EXPECT_EQ(make_square(4, 0), 4);
  EXPECT_EQ(mirrored(make_square(0, 3)), make_square(8, 3));
  EXPECT_EQ(rotated(make_square(0, 0)), make_square(8, 9));
  EXPECT_EQ(flipped(make_square(2, 0)), make_square(2, 9));
  for (Square s = 0; s < kSquares; ++s) {
    EXPECT_EQ(mirrored(mirrored(s)), s);
    EXPECT_EQ(rotated(s), mirrored(flipped(s)));
  }
}

TEST(Types, PiecesKeepColorAndType) {
  for (Color c : {Color::Red, Color::Black})
    for (int t = 0; t < kPieceTypes; ++t) {
      const Piece p = make_piece(c, PieceType(t));
      EXPECT_EQ(color_of(p), c);
      EXPECT_EQ(type_of(p), PieceType(t));
    }
}

TEST(Types, EveryMoveSurvivesItsText) {
  for (int base : {0, 1})
    for (Square from = 0; from < kSquares; ++from)
      for (Square to = 0; to < kSquares; ++to)
        if (from != to) {
          const Move m(from, to);
          EXPECT_EQ(parse_uci(to_uci(m, base), base), m) << to_uci(m, base);
        }
  EXPECT_EQ(to_uci(Move(make_square(7, 2), make_square(4, 2))), "h2e2");
  EXPECT_EQ(to_uci(Move(make_square(0, 9), make_square(1, 9)), 1), "a10b10");
}

TEST(Types, TextThatIsNoMove) {
  for (const char* text :
       {"", "h", "h2", "h2e", "h2e2x", "j2e2", "h2j2", "H2E2", "h2 e2", "a0a0", "a10b10", "0000", "(none)"})
    EXPECT_FALSE(parse_uci(text)) << text;
  for (const char* text : {"a0b0", "a11b1", "a1b0", "a10a10"}) EXPECT_FALSE(parse_uci(text, 1)) << text;
}

}  // namespace
}  // namespace chuhe::xiangqi
