#include "base/stop_signal.h"

#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "base/error.h"

namespace chuhe {
namespace {

// A signal handler reaches only what is static: this is the one piece of global state in the project.
sem_t g_signalled;
std::atomic<int> g_signals{0};
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void on_stop_signal(int) {
  const int saved = errno;
  if (g_signals.fetch_add(1) > 0) _exit(130);
  sem_post(&g_signalled);
  errno = saved;
}

}  // namespace

std::stop_token install_stop_signals() {
  static std::atomic<bool> installed{false};
  CHUHE_CHECK(!installed.exchange(true), "install_stop_signals called twice");
  CHUHE_CHECK(sem_init(&g_signalled, 0, 0) == 0);

  // request_stop runs callbacks and may lock, which a handler must not; so a thread of its own does it. The
  // thread lives until the process ends and owns the source.
  std::stop_source source;
  const std::stop_token token = source.get_token();
  std::thread([source]() mutable {
    while (sem_wait(&g_signalled) != 0) {
    }
    source.request_stop();
  }).detach();

  struct sigaction action {};
  action.sa_handler = on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGTERM, SIGINT, SIGUSR1}) CHUHE_CHECK(sigaction(signal, &action, nullptr) == 0);
  return token;
}

}  // namespace chuhe
