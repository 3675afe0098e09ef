// The main of every GoogleTest program: as gtest_main, but says "skipped" and "nothing ran" by its exit
// status, which GoogleTest's own main reports as success.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace {
constexpr int kSkipped = 77;  // SKIP_RETURN_CODE in cmake/ChuheTargets.cmake
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  if (failed != 0) return failed;
  if (testing::GTEST_FLAG(list_tests)) return 0;
  const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
  if (unit.test_to_run_count() == 0) {
    std::fprintf(stderr, "no test ran: the filter fits none\n");
    return 1;
  }
  return unit.successful_test_count() == 0 ? kSkipped : 0;
}
