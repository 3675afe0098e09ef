#include "run/lease.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/temp_folder.h"

namespace chuhe::run {
namespace {

TEST(Lease, IsExclusiveWhileItsHolderLives) {
  const test::TempFolder folder;
  {
    Lease mine(folder);
    try {
      Lease second(folder);
      FAIL() << "a second lease was given";
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(std::to_string(getpid())), std::string::npos) << e.what();
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "lease.json"));
  Lease again(folder);
}

TEST(Lease, OfAKilledProcessIsTakenOver) {
  const test::TempFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    auto* held = new Lease(folder);
    (void)held;
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  ASSERT_TRUE(std::filesystem::exists(folder / "lease.json"));
  Lease mine(folder);
}

// In a container whose first process does not reap, a killed holder stays a zombie for ever.
TEST(Lease, OfAZombieIsTakenOver) {
  const test::TempFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    auto* held = new Lease(folder);
    (void)held;
    kill(getpid(), SIGKILL);
  }
  siginfo_t info;
  waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT);  // it has ended, and is left a zombie
  { Lease mine(folder); }
  waitpid(child, nullptr, 0);
}

TEST(Lease, OfAnotherHostHoldsUntilItsHeartbeatIsOld) {
  const test::TempFolder folder;
  const double now = double(time(nullptr));
  write_file_atomically(folder / "lease.json",
                        fmt::format(R"({{"host":"elsewhere","pid":1,"start":"1","heartbeat":{}}})", now));
  EXPECT_THROW(Lease{folder}, Error);
  write_file_atomically(
      folder / "lease.json",
      fmt::format(R"({{"host":"elsewhere","pid":1,"start":"1","heartbeat":{}}})", now - 3600));
  Lease mine(folder);
}

// A process that stood still for long finds another holder: it must say so and leave the file alone.
TEST(Lease, LostToAnotherHolderIsLeftToIt) {
  const test::TempFolder folder;
  const std::string other = R"({"host":"elsewhere","pid":1,"start":"1","heartbeat":9e9})";
  {
    Lease mine(folder);
    write_file_atomically(folder / "lease.json", other);
  }
  EXPECT_EQ(read_file(folder / "lease.json"), other);
}

TEST(Lease, CutFileIsNoObstacle) {
  const test::TempFolder folder;
  write_file_atomically(folder / "lease.json", "");
  Lease mine(folder);
}

}  // namespace
}  // namespace chuhe::run
