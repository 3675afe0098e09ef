#pragma once
// Who may write a run folder: a small file with host, pid and a heartbeat, replaced by rename. No flock,
// which network file systems break.

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace chuhe::run {

/// Holds `folder/lease.json` while it lives: a thread renews the heartbeat every few seconds, the destructor
/// removes the file.
class Lease {
 public:
  /// Takes the lease. A lease of a process of this host that is gone, or of another host whose heartbeat is
  /// older than a minute, is taken over. Throws Error naming the holder otherwise.
  explicit Lease(const std::filesystem::path& folder);
  ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Tripped when another process has taken the lease over (this one was stalled for over a minute): stop
  /// writing. The file is then left to its new holder.
  std::stop_token lost() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chuhe::run
