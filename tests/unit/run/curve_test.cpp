#include "run/curve.h"

#include <gtest/gtest.h>

namespace chuhe::run {
namespace {

TEST(Curve, HasAPointPerNetAndEscapesNames) {
  const std::string svg =
      draw_curve("a < b", "net", "Elo", {{0, -100, 30}, {1, 50, 30}, {2, 200, 30}}, {{"random", 0}});
  size_t circles = 0;
  for (size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++circles;
  EXPECT_EQ(circles, 3u);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("random 0"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find(">-0<"), std::string::npos);
}

TEST(Curve, DrawsWithoutPoints) {
  EXPECT_EQ(draw_curve("t", "x", "y", {}, {}).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace chuhe::run
