#include "run/lease.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
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
  return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

struct Holder {
  std::string host, start;
  int pid = 0;
  double heartbeat = 0;
};

Holder parse_holder(const std::string& text) {
  // A lease that cannot be read is treated as a very old one: it is never written but by rename.
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  return {json.value("host", ""), json.value("start", ""), json.value("pid", 0),
          json.value("heartbeat", 0.0)};
}

bool alive(const Holder& holder) {
  if (holder.host == host_name()) return holder.pid > 0 && process_start(holder.pid) == holder.start;
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
  std::jthread heart;

  std::string text() const {
    const nlohmann::json json = {
        {"host", host_name()}, {"pid", getpid()}, {"start", process_start(getpid())}, {"heartbeat", now()}};
    return json.dump() + "\n";
  }

  /// O_EXCL decides between two processes that start at the same moment.
  bool create() const {
    const int fd = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (fd < 0) {
      if (errno == EEXIST) return false;
      throw Error("{}: cannot create: {}", path.string(), std::strerror(errno));
    }
    const std::string line = text();
    const bool written = write(fd, line.data(), line.size()) == ssize_t(line.size());
    close(fd);
    if (!written) throw Error("{}: cannot write the lease (disk full?)", path.string());
    return true;
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
  impl_->heart = std::jthread([impl = impl_.get()](std::stop_token stop) {
    std::unique_lock lock(impl->mutex);
    while (!stop.stop_requested()) {
      impl->wake.wait_for(lock, stop, kHeartbeat, [] { return false; });
      if (stop.stop_requested()) return;
      try {
        write_file_atomically(impl->path, impl->text());
      } catch (const Error&) {
        // A full disk stops the heartbeat; the work itself will say so.
      }
    }
  });
}

Lease::~Lease() {
  impl_->heart.request_stop();
  impl_->heart.join();
  std::error_code ec;
  std::filesystem::remove(impl_->path, ec);
}

}  // namespace chuhe::run
