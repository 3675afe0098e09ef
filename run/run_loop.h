#pragma once
// The loop that ties self-play, training and rating together, in lockstep: net N plays exactly
// games_per_generation games, the next net is trained on the window, then rated. Where a run stands is read
// from its files (games in shards, checkpoints, nets, rating journals), never from a state file, so a run
// that was killed at any moment goes on by the same command and ends with the same nets, on the CPU bit by
// bit.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>

#include "base/log.h"
#include "run/run_settings.h"

namespace chuhe::run {

struct RunLimits {
  int64_t games = std::numeric_limits<int64_t>::max();  // games in all, over all processes; a generation that
                                                        // this cuts is not trained on
  double hours = std::numeric_limits<double>::infinity();  // of this process
};

/// Seconds; clocks belong to mains.
struct Clocks {
  std::function<double()> steady;  // never runs back: durations, the age of an open shard
  std::function<double()> wall;    // of the day, for metrics
};

struct RunReport {
  int newest_net = 0;         // its number: generations that are played and trained
  std::filesystem::path net;  // its file
  bool stopped = false;       // by a signal or the time limit, with everything saved
  double minutes = 0;         // of this process
  // The newest net against "random"; score < 0 if that was not played.
  double score = -1, low = 0;
};

/// Runs until the generations of the settings are done, a limit is reached, or `stop` is requested. A folder
/// that already holds a run must hold this one: changed settings are logged, and refused with an Error where
/// they would make the run another one. Throws Error if another process holds or takes over the folder, and
/// at the start if nets cannot be trained here.
RunReport run(RunSettings settings, const std::filesystem::path& folder, const RunLimits& limits,
              std::stop_token stop, const Clocks& clocks);

}  // namespace chuhe::run
