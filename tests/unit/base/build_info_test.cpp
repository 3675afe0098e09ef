#include "base/build_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace chuhe {
namespace {

TEST(BuildInfo, RevisionIsAHashOrSaysThatItIsUnknown) {
  EXPECT_THAT(build_info().revision, testing::MatchesRegex("[0-9a-f]{12}(-dirty)?|unknown"));
}

TEST(BuildInfo, NamesWhatEveryBuildHas) {
  const BuildInfo& b = build_info();
  EXPECT_THAT(b.version, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(b.compiler, testing::MatchesRegex("(GNU|Clang) [0-9.]+"));
  EXPECT_THAT(b.hdf5, testing::MatchesRegex("1\\.[0-9.]+.*"));
  EXPECT_STRNE(b.build_type, "");
}

TEST(BuildInfo, DescriptionHoldsEachFactOnce) {
  const std::string text = describe_build();
  EXPECT_THAT(text, testing::HasSubstr(build_info().revision));
  EXPECT_THAT(text, testing::HasSubstr(build_info().hdf5));
  EXPECT_EQ(text.back(), '\n');
  if (*build_info().torch == '\0') {
    EXPECT_THAT(text, testing::ContainsRegex("torch +none"));
  } else {
    EXPECT_THAT(text, testing::HasSubstr(build_info().torch));
  }
}

}  // namespace
}  // namespace chuhe
