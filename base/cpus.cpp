#include "base/cpus.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace chuhe {
namespace {

int affinity_count() {
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t* set = CPU_ALLOC(size_t(cpus));
    const size_t size = CPU_ALLOC_SIZE(size_t(cpus));
    const bool ok = sched_getaffinity(0, size, set) == 0;
    const int count = ok ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (ok) return std::max(1, count);
  }
  return 1;
}

std::optional<double> read_number(const std::filesystem::path& path) {
  std::ifstream in(path);
  double value;
  if (in >> value) return value;
  return std::nullopt;
}

// CPUs that the control group in `folder` allows, both versions of the interface; nothing if it sets no
// limit.
std::optional<double> quota_in(const std::filesystem::path& folder) {
  std::ifstream in(folder / "cpu.max");
  std::string quota;
  double period;
  if (in >> quota >> period && quota != "max" && period > 0) return std::stod(quota) / period;
  const auto us = read_number(folder / "cpu.cfs_quota_us");
  const auto period_us = read_number(folder / "cpu.cfs_period_us");
  if (us && period_us && *us > 0 && *period_us > 0) return *us / *period_us;
  return std::nullopt;
}

// The tightest quota of this process's control group and those above it.
std::optional<double> cgroup_quota() {
  std::optional<double> tightest;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // "id:controllers:/path", version 2 has no controllers
    std::istringstream parts(line);
    std::string id, controllers, path;
    if (!std::getline(parts, id, ':') || !std::getline(parts, controllers, ':') || !std::getline(parts, path))
      continue;
    const bool v2 = controllers.empty();
    if (!v2 && controllers.find("cpu") == std::string::npos) continue;
    const std::filesystem::path root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu";
    for (std::filesystem::path p = path;; p = p.parent_path()) {
      if (const auto quota = quota_in(root / p.relative_path()))
        tightest = tightest ? std::min(*tightest, *quota) : *quota;
      if (p.empty() || p == p.parent_path()) break;
    }
  }
  return tightest;
}

}  // namespace

CpuCount usable_cpus() {
  CpuCount cpus{affinity_count(), "affinity mask"};
  if (const auto quota = cgroup_quota()) {
    const int allowed = std::max(1, int(*quota));
    if (allowed < cpus.count) cpus = {allowed, "cgroup quota"};
  }
  return cpus;
}

}  // namespace chuhe
