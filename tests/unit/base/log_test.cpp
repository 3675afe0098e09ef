#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/temp_folder.h"

namespace chuhe {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

TEST(LogTest, LinesGoToStderrAndFile) {
  const test::TempFolder folder;
  const auto path = folder / "log.txt";
  testing::internal::CaptureStderr();
  {
    Log log(path);
    log.info("100 % {} done");
    log.warn("disk full");
    log.progress("game 1");
    log.progress("game 2");  // too soon after the first
  }
  const std::string shown = testing::internal::GetCapturedStderr();
  EXPECT_THAT(shown, HasSubstr(" 100 % {} done\n"));
  EXPECT_THAT(shown, HasSubstr(" warning: disk full\n"));
  EXPECT_THAT(shown, HasSubstr(" game 1\n"));
  EXPECT_THAT(shown, Not(HasSubstr("game 2")));
  const auto lines = read_lines(path);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(lines[1], EndsWith(" warning: disk full"));
}

TEST(LogTest, ThreadsDoNotMixLines) {
  const test::TempFolder folder;
  const auto path = folder / "log.txt";
  testing::internal::CaptureStderr();
  {
    Log log(path);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&log] {
        for (int i = 0; i < 50; ++i) log.info("abcdefghij");
      });
  }
  testing::internal::GetCapturedStderr();
  const auto lines = read_lines(path);
  ASSERT_THAT(lines, SizeIs(200));
  for (const auto& line : lines) EXPECT_THAT(line, EndsWith(" abcdefghij"));
}

TEST(LogTest, ABadFileIsAnError) {
  EXPECT_THROW(Log("/proc/no/such/log"), Error);
}

TEST(LogTest, Formats) {
  EXPECT_EQ(format_duration(123), "02:03");
  EXPECT_EQ(format_duration(3723.4), "1:02:03");
  EXPECT_EQ(format_duration(-1), "00:00");
  EXPECT_EQ(format_count(7), "7");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1.00k");
  EXPECT_EQ(format_count(1234567), "1.23M");
  EXPECT_EQ(format_count(999999), "1.00M");
  EXPECT_EQ(format_count(45600), "45.6k");
  EXPECT_EQ(format_count(133312995), "133M");
}

}  // namespace
}  // namespace chuhe
