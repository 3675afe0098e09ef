#include "play/limits.h"

#include <gtest/gtest.h>

namespace chuhe::play {
namespace {

using xiangqi::Color;

Limits clocks(int64_t red, int64_t black) {
  Limits limits;
  limits.clock_ms[0] = red;
  limits.clock_ms[1] = black;
  return limits;
}

TEST(TimeBudget, IsNoneWithoutAClock) {
  EXPECT_FALSE(time_budget({}, Color::Red, 50));
  Limits nodes;
  nodes.nodes = 5;
  EXPECT_FALSE(time_budget(nodes, Color::Red, 50));
}

TEST(TimeBudget, TakesTheMoversClock) {
  const Limits limits = clocks(60'050, 30'050);
  EXPECT_EQ(time_budget(limits, Color::Red, 50), 2000);
  EXPECT_EQ(time_budget(limits, Color::Black, 50), 1000);
}

TEST(TimeBudget, OneNamedClockIsMeantForBoth) {
  Limits limits;
  limits.clock_ms[0] = 60'050;
  EXPECT_EQ(time_budget(limits, Color::Black, 50), 2000);
}

// One adapter sends movestogo 1 by mistake when games start with black.
TEST(TimeBudget, NeverSpendsNearlyAllForMovesToGoOne) {
  for (const int64_t left : {100, 1000, 60'000, 3'600'000}) {
    Limits limits = clocks(left, left);
    limits.moves_to_go = 1;
    limits.increment_ms[0] = left;
    EXPECT_LE(*time_budget(limits, Color::Red, 50), left * 2 / 5) << left;
  }
}

TEST(TimeBudget, WholeGameAtEachControlStaysWithinTheClock) {
  for (const int64_t increment : {0, 10, 1000})
    for (const int moves_to_go : {0, 1, 40}) {
      int64_t left = 1000;
      for (int move = 0; move < 300; ++move) {
        Limits limits = clocks(left, left);
        limits.increment_ms[0] = increment;
        limits.moves_to_go = moves_to_go;
        left -= *time_budget(limits, Color::Red, 50) + 5;  // and 5 ms on the way
        // 300 moves at 5 ms each cannot be paid from one second without an increment.
        if (increment >= 10) {
          ASSERT_GE(left, 0) << "move " << move << " increment " << increment;
        }
        left += increment;
        if (increment == 0 && left < 60) break;
      }
      EXPECT_GE(left, 0);
    }
}

TEST(TimeBudget, OverdrawnClockStillGivesAMove) {
  EXPECT_EQ(time_budget(clocks(0, 0), Color::Red, 50), 1);
  EXPECT_EQ(time_budget(clocks(10, 10), Color::Black, 50), 1);
}

TEST(TimeBudget, MoveTimeLessOverhead) {
  Limits limits;
  limits.move_time_ms = 1000;
  EXPECT_EQ(time_budget(limits, Color::Red, 50), 950);
  limits.move_time_ms = 50;
  EXPECT_EQ(time_budget(limits, Color::Red, 50), 25);
  limits.move_time_ms = 0;
  EXPECT_EQ(time_budget(limits, Color::Red, 50), 1);
}

}  // namespace
}  // namespace chuhe::play
