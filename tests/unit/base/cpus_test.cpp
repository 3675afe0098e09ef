#include "base/cpus.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace chuhe {
namespace {

TEST(CpusTest, FollowsTheAffinityMask) {
  const CpuCount all = usable_cpus();
  EXPECT_GE(all.count, 1);
  CpuCount one{};
  std::jthread([&] {  // the mask of a thread ends with it
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &mask)) ++cpu;
    CPU_ZERO(&mask);
    CPU_SET(cpu, &mask);
    ASSERT_EQ(sched_setaffinity(0, sizeof mask, &mask), 0);
    one = usable_cpus();
  })
      .join();
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(one.source, "affinity mask");
}

}  // namespace
}  // namespace chuhe
