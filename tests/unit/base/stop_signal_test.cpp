#include "base/stop_signal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace chuhe {
namespace {

// Handlers belong to a process, so each case has one of its own. The child exits with 7 once its token is
// tripped.
int status_after(std::initializer_list<int> signals, bool obey) {
  int ready[2];
  EXPECT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::stop_token token = install_stop_signals();
    EXPECT_FALSE(token.stop_requested());
    EXPECT_EQ(write(ready[1], "x", 1), 1);
    for (int i = 0; i < 10000; ++i) {
      if (obey && token.stop_requested()) _exit(7);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    _exit(1);
  }
  char byte;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  for (int signal : signals) {
    kill(child, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(ready[0]);
  close(ready[1]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(StopSignalTest, EachSignalTripsTheToken) {
  for (int signal : {SIGTERM, SIGINT, SIGUSR1}) EXPECT_EQ(status_after({signal}, true), 7);
}

TEST(StopSignalTest, ASecondSignalEndsAtOnce) {
  EXPECT_EQ(status_after({SIGTERM, SIGINT}, false), 130);
}

}  // namespace
}  // namespace chuhe
