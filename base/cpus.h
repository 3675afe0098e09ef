#pragma once
#include <string>

namespace chuhe {

struct CpuCount {
  int count;           // at least 1
  std::string source;  // "affinity mask", "cgroup quota"
};
/// How many CPUs this process may use: the affinity mask, lowered by a cgroup quota. Never
/// hardware_concurrency, which lies under Slurm.
CpuCount usable_cpus();

}  // namespace chuhe
