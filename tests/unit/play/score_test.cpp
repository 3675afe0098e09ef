#include "play/score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace chuhe::play {
namespace {

using xiangqi::Position;

TEST(Centipawns, UndoTheMaterialEvaluator) {
  for (const double pawns : {-9.0, -4.5, -1.0, 0.0, 1.0, 2.0, 9.0, 20.0})
    EXPECT_EQ(centipawns(std::tanh(pawns / 10)), int(std::lround(100 * pawns))) << pawns;
}

TEST(Centipawns, NeverDecreaseAndAreClamped) {
  int last = -10'000;
  for (int i = -1100; i <= 1100; ++i) {
    const int now = centipawns(i / 1000.0);
    EXPECT_GE(now, last);
    EXPECT_EQ(now, -centipawns(-i / 1000.0));
    last = now;
  }
  EXPECT_EQ(last, 9999);
}

TEST(PerMille, SumsToThousandAndAgreesWithTheValue) {
  for (int i = -1000; i <= 1000; i += 7)
    for (const double draws : {0.0, 0.3333, 0.5, 1.0}) {
      const auto [win, draw, loss] = per_mille(i / 1000.0, draws);
      EXPECT_EQ(win + draw + loss, 1000);
      EXPECT_GE(win, 0);
      EXPECT_GE(draw, 0);
      EXPECT_GE(loss, 0);
      EXPECT_NEAR(win - loss, i, 1);
      EXPECT_LE(draw, 1000 * draws + 1.1);
    }
}

TEST(Depth, CountsDoublings) {
  EXPECT_EQ(depth_of(0), 0);
  EXPECT_EQ(depth_of(1), 1);
  EXPECT_EQ(depth_of(2), 1);
  EXPECT_EQ(depth_of(3), 2);
  EXPECT_EQ(depth_of(800), 9);
  for (int d = 1; d < 30; ++d) {
    EXPECT_EQ(depth_of(visits_of_depth(d)), d);
    EXPECT_EQ(depth_of(visits_of_depth(d) - 1), d - 1);
  }
  EXPECT_EQ(visits_of_depth(0), 1u);
  EXPECT_EQ(visits_of_depth(-5), 1u);
}

TEST(Mate, IsCountedInMovesFromTheMover) {
  // Two rooks: the second one mates on the back rank.
  const Position start = Position::from_fen("3k5/R8/9/9/9/9/9/9/1R7/5K3 w").value();
  const std::vector<xiangqi::Move> line{xiangqi::parse_uci("b1b9")};
  EXPECT_EQ(mate_at_end(start, line), 1);
  Position lost = start;
  lost.play(line[0]);
  EXPECT_EQ(mate_at_end(lost, {}), 0);
  EXPECT_EQ(mate_at_end(start, {}), std::nullopt);
  const Position before = Position::from_fen("4k4/R8/9/9/9/9/9/9/1R7/5K3 b").value();
  EXPECT_EQ(before.is_legal(xiangqi::parse_uci("e9d9")), true);
  EXPECT_EQ(mate_at_end(before, std::vector{xiangqi::parse_uci("e9d9"), line[0]}), -1);
}

}  // namespace
}  // namespace chuhe::play
