#include "base/long_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace chuhe {
namespace {

using namespace std::chrono_literals;

// Work of minutes used to say nothing at all: a person could not tell it from work that hangs.
TEST(LongStepTest, TellsWhatIsDoneAndHowFar) {
  testing::internal::CaptureStderr();
  {
    Log log;
    std::promise<void> asked;
    const LongStep step(
        log, "reading the window",
        [&, first = true]() mutable {
          if (std::exchange(first, false)) asked.set_value();
          return std::string("12 of 40 shards");
        },
        1ms);
    EXPECT_EQ(asked.get_future().wait_for(60s), std::future_status::ready);
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::ContainsRegex(" reading the window, 12 of 40 shards, [0-9]+:[0-9]+ so far\n"));
}

TEST(LongStepTest, AQuickStepSaysNothing) {
  testing::internal::CaptureStderr();
  {
    Log log;
    const LongStep step(log, "writing", {}, 10min);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace chuhe
