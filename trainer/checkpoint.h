#pragma once
// Checkpoints: folders step-NNNNNNNNNN, each made under a .tmp name and renamed when whole.
//
//   manifest.json   what it is: steps, seed, net, settings, rows generated so far, arrays with their places,
//                   hash of state.bin, and a checksum of itself
//   state.bin       the arrays of a LearnerState, fp32 little-endian, one after the other

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nn/model/net_config.h"
#include "trainer/learner.h"
#include "trainer/window.h"

namespace chuhe::trainer {

struct Checkpoint {
  LearnerState state;
  uint64_t seed = 0;
  nn::NetConfig net;
  std::string settings;     // TOML, as to_toml wrote it
  RowsGenerated generated;  // up to the newest game on offer when it was written
  std::string device;
  std::string revision;  // code that wrote it
};

/// Writes `dir`/step-N, replacing one of that name, and removes all but the newest `keep`, and leftovers of
/// killed processes. Throws Error naming the path (a full disk), and then the older checkpoints are as they
/// were.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& dir, int keep);

/// Throws Error naming the file and what is wrong: missing, empty, cut, corrupt, another version.
Checkpoint read_checkpoint(const std::filesystem::path& folder);

struct CheckpointFolder {
  int64_t steps;
  std::filesystem::path path;
};
/// Newest first; empty if there is no such folder.
std::vector<CheckpointFolder> list_checkpoints(const std::filesystem::path& dir);

/// The newest sound one that is not beyond `max_step`; `passed_over` gets a line for each newer one.
std::optional<Checkpoint> newest_checkpoint(const std::filesystem::path& dir,
                                            const std::function<void(const std::string&)>& passed_over,
                                            int64_t max_step = INT64_MAX);

}  // namespace chuhe::trainer
