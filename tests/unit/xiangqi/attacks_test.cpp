#include "xiangqi/board/attacks.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace chuhe::xiangqi {
namespace {

/// First piece on each way (rook), or the first behind it (cannon), and the empty points before the first.
Bitboard walk(Square from, Bitboard occupied, bool cannon) {
  Bitboard out;
  for (const auto& [df, dr] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
    int seen = 0;
    for (int file = file_of(from) + df, rank = rank_of(from) + dr;
         file >= 0 && file < 9 && rank >= 0 && rank < 10; file += df, rank += dr) {
      const Square s = make_square(file, rank);
      const bool piece = occupied.has(s);
      seen += piece;
      if (seen == 0 || (piece && seen == (cannon ? 2 : 1))) out |= Bitboard::of(s);
    }
  }
  return out;
}

Bitboard random_board(Random& random) {
  Bitboard b;
  const uint64_t density = 1 + random.below(9);
  for (Square s = 0; s < kSquares; ++s)
    if (random.below(10) < density) b |= Bitboard::of(s);
  return b;
}

TEST(Attacks, LinesEqualWalking) {
  Random random(1, "attacks", 0);
  for (int n = 0; n < 400; ++n) {
    const Bitboard occupied = random_board(random);
    for (Square s = 0; s < kSquares; ++s) {
      ASSERT_EQ(rook_attacks(s, occupied), walk(s, occupied, false)) << int(s);
      ASSERT_EQ(cannon_moves(s, occupied), walk(s, occupied, true)) << int(s);
    }
  }
}

TEST(Attacks, HorsesAndElephantsEqualWalking) {
  Random random(2, "attacks", 0);
  for (int n = 0; n < 400; ++n) {
    const Bitboard occupied = random_board(random);
    for (Square s = 0; s < kSquares; ++s) {
      Bitboard horse, elephant;
      for (Square to = 0; to < kSquares; ++to) {
        const int df = file_of(to) - file_of(s), dr = rank_of(to) - rank_of(s);
        if (df * df + dr * dr == 5) {
          const Square leg = make_square(file_of(s) + df / 2, rank_of(s) + dr / 2);
          EXPECT_EQ(horse_leg(s, to), leg);
          if (!occupied.has(leg)) horse |= Bitboard::of(to);
        }
        if (df * df == 4 && dr * dr == 4 && (rank_of(s) < 5) == (rank_of(to) < 5) &&
            !occupied.has(make_square(file_of(s) + df / 2, rank_of(s) + dr / 2)))
          elephant |= Bitboard::of(to);
      }
      ASSERT_EQ(horse_attacks(s, occupied), horse) << int(s);
      ASSERT_EQ(elephant_attacks(s, occupied), elephant) << int(s);
    }
  }
}

TEST(Attacks, BetweenIsWhatLiesBetween) {
  for (Square king = 0; king < kSquares; ++king) {
    if (!home_squares(Color::Red, PieceType::King).has(king) &&
        !home_squares(Color::Black, PieceType::King).has(king))
      continue;
    for (Square s = 0; s < kSquares; ++s) {
      const bool line = s != king && (file_of(s) == file_of(king) || rank_of(s) == rank_of(king));
      EXPECT_EQ(tables::cross[king].has(s), line);
      // What two rooks alone on the board both reach, or nothing off the lines.
      const Bitboard expected = line ? rook_attacks(king, Bitboard::of(s)) &
                                           rook_attacks(s, Bitboard::of(king)) & tables::cross[king]
                                     : Bitboard{};
      EXPECT_EQ(between(king, s), expected) << int(king) << " " << int(s);
    }
  }
}

TEST(Attacks, HomesHaveTheRightSize) {
  for (Color c : {Color::Red, Color::Black}) {
    EXPECT_EQ(home_squares(c, PieceType::King).count(), 9);
    EXPECT_EQ(home_squares(c, PieceType::Advisor).count(), 5);
    EXPECT_EQ(home_squares(c, PieceType::Elephant).count(), 7);
    EXPECT_EQ(home_squares(c, PieceType::Pawn).count(), 55);
    EXPECT_EQ(home_squares(c, PieceType::Rook).count(), 90);
  }
}

}  // namespace
}  // namespace chuhe::xiangqi
