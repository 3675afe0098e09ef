#include "run/lease.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"

namespace chuhe::run {
namespace {

std::filesystem::path fresh_folder(const char* name) {
  const auto folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(Lease, IsExclusiveWhileItsHolderLives) {
  const auto folder = fresh_folder("lease_exclusive");
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
  const auto folder = fresh_folder("lease_killed");
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
  const auto folder = fresh_folder("lease_zombie");
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
  const auto folder = fresh_folder("lease_host");
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
  const auto folder = fresh_folder("lease_lost");
  const std::string other = R"({"host":"elsewhere","pid":1,"start":"1","heartbeat":9e9})";
  {
    Lease mine(folder);
    write_file_atomically(folder / "lease.json", other);
  }
  EXPECT_EQ(read_file(folder / "lease.json"), other);
}

TEST(Lease, CutFileIsNoObstacle) {
  const auto folder = fresh_folder("lease_cut");
  write_file_atomically(folder / "lease.json", "");
  Lease mine(folder);
}

}  // namespace
}  // namespace chuhe::run
