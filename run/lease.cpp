#include "run/lease.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/files.h"

namespace chuhe::run {
namespace {

using Clock = std::chrono::system_clock;
constexpr double kStaleSeconds = 60;
constexpr auto kHeartbeat = std::chrono::seconds(5);

double now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

/// Start time of a process in clock ticks since boot: with the pid it names a process, which a reused pid
/// alone does not. Empty if there is none.
std::string process_start(int pid) {
  std::string stat;
  try {
    stat = read_file(fmt::format("/proc/{}/stat", pid));
  } catch (const Error&) {
    return {};
  }
  // The command's name, in parentheses, may hold anything; 19 more fields follow before the start time.
  size_t at = stat.rfind(')');
  for (int field = 0; field < 20 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  if (at == std::string::npos) return {};
  // A zombie (Z) or dead (X) process is gone, however long its parent takes to notice.
  const size_t state = stat.rfind(')') + 2;
  if (state < stat.size() && (stat[state] == 'Z' || stat[state] == 'X')) return {};
  return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

struct Holder {
  std::string host, start;
  int pid = 0;
  double heartbeat = 0;
};

Holder parse_holder(const std::string& text) {
  // A lease that cannot be read is treated as a very old one: it never appears but whole.
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  return {json.value("host", ""), json.value("start", ""), json.value("pid", 0),
          json.value("heartbeat", 0.0)};
}

bool alive(const Holder& holder) {
  if (holder.host == host_name())
    return holder.pid > 0 && !holder.start.empty() && process_start(holder.pid) == holder.start;
  return now() - holder.heartbeat < kStaleSeconds;
}

/// Removes the lease if it still is the one that was read. Between two takers the slower one may have moved
/// the faster one's new lease away: it puts it back.
void remove_stale(const std::filesystem::path& path, const std::string& expected) {
  const std::string aside = path.string() + fmt::format(".stale.{}", getpid());
  if (rename(path.c_str(), aside.c_str()) != 0) return;
  if (read_file(aside) != expected && link(aside.c_str(), path.c_str()) != 0)
    throw Error("{}: another process is taking this run over", path.string());
  unlink(aside.c_str());
}

}  // namespace

struct Lease::Impl {
  std::filesystem::path path;
  std::mutex mutex;
  std::condition_variable_any wake;
  std::stop_source lost;
  std::jthread heart;

  std::string text() const {
    const nlohmann::json json = {
        {"host", host_name()}, {"pid", getpid()}, {"start", process_start(getpid())}, {"heartbeat", now()}};
    return json.dump() + "\n";
  }

  bool is_mine() const {
    try {
      const Holder holder = parse_holder(read_file(path));
      return holder.host == host_name() && holder.pid == getpid() && holder.start == process_start(getpid());
    } catch (const Error&) {
      return false;
    }
  }

  /// The file appears whole, and link decides between two processes that start at the same moment.
  bool create() const {
    const std::string whole = path.string() + fmt::format(".new.{}", getpid());
    write_file_atomically(whole, text());
    const bool linked = link(whole.c_str(), path.c_str()) == 0;
    const int error = errno;
    unlink(whole.c_str());
    if (!linked && error != EEXIST) throw Error("{}: cannot create: {}", path.string(), std::strerror(error));
    return linked;
  }

  void beat(std::stop_token stop) {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      wake.wait_for(lock, stop, kHeartbeat, [] { return false; });
      if (stop.stop_requested()) return;
      if (!is_mine()) {
        lost.request_stop();
        return;
      }
      try {
        write_file_atomically(path, text());
      } catch (const Error&) {
        // A full disk stops the heartbeat; the work itself will say so.
      }
    }
  }
};

Lease::Lease(const std::filesystem::path& folder) : impl_(std::make_unique<Impl>()) {
  impl_->path = folder / "lease.json";
  while (!impl_->create()) {
    std::string found;
    try {
      found = read_file(impl_->path);
    } catch (const Error&) {
      continue;  // just released
    }
    const Holder holder = parse_holder(found);
    if (alive(holder))
      throw Error(
          "{}: this run is being worked on by process {} on {}: stop it first, or use another --run folder",
          folder.string(), holder.pid, holder.host);
    remove_stale(impl_->path, found);
  }
  impl_->heart = std::jthread([impl = impl_.get()](std::stop_token stop) { impl->beat(stop); });
}

Lease::~Lease() {
  impl_->heart.request_stop();
  impl_->heart.join();
  std::error_code ec;
  if (impl_->is_mine()) std::filesystem::remove(impl_->path, ec);
}

std::stop_token Lease::lost() const {
  return impl_->lost.get_token();
}

}  // namespace chuhe::run
