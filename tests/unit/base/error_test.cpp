#include "base/error.h"

#include <gtest/gtest.h>

namespace chuhe {
namespace {

TEST(ErrorTest, FormatsItsText) {
  EXPECT_STREQ(Error("{}: expected {}", "a.toml", 3).what(), "a.toml: expected 3");
  EXPECT_STREQ(Error("braces {} stay without arguments").what(), "braces {} stay without arguments");
}

TEST(ResultTest, HoldsAValueOrAReason) {
  const Result<int> good = 7;
  EXPECT_TRUE(good);
  EXPECT_EQ(*good, 7);
  EXPECT_EQ(good.value(), 7);
  const auto bad = Result<int>::failure("no number");
  EXPECT_FALSE(bad.ok());
  EXPECT_EQ(bad.error(), "no number");
  EXPECT_THROW(bad.value(), Error);
}

TEST(CheckDeathTest, NamesPlaceConditionAndMessage) {
  const int n = 3;
  CHUHE_CHECK(n == 3);
  EXPECT_DEATH(CHUHE_CHECK(n == 4, "n is {}", n), "error_test.cpp:.*check failed: n == 4: n is 3");
}

}  // namespace
}  // namespace chuhe
