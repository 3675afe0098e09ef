#pragma once
// Shards in, nets out. `train` is the whole job; Trainer is its inside, for tests and other loops. No torch
// here: the arithmetic is behind trainer/learner.h, in libchuhe_torch.so.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "nn/model/net_file.h"
#include "trainer/settings.h"
#include "trainer/window.h"

namespace chuhe::trainer {

/// Not thread-safe. A trainer that was resumed goes on exactly as one that never stopped: bit by bit on the
/// CPU with the same number of threads. All randomness is a function of (seed, step), so a checkpoint needs
/// no generator state beyond the two.
class Trainer {
 public:
  virtual ~Trainer() = default;
  /// Train steps behind it.
  virtual int64_t steps() const = 0;
  /// Takes one step on the next batch of the window and returns its figures (docs/training.md). Throws Error
  /// naming the step, before the weights change, if a loss or the gradient is not finite.
  virtual MetricList step() = 0;
  /// Losses and calibration of the net that would be exported, on rows that are never trained on; empty where
  /// the window has no such row.
  virtual MetricList validate() = 0;
  /// Writes dir/step-NNNNNNNNNN, visible at once by a rename, and removes all but the newest
  /// keep_checkpoints.
  virtual void checkpoint(const std::filesystem::path& dir) = 0;
  /// Loads the newest sound checkpoint of `dir` that is not beyond `max_step`; says which ones it passed over
  /// and why. False if there is none. Throws Error if it is of another net or seed.
  virtual bool resume(const std::filesystem::path& dir, int64_t max_step = INT64_MAX) = 0;
  /// The net with averaged (EMA) weights, batch norm folded, self-checks made. The caller may write it.
  virtual nn::NetFile net(const std::string& id, const std::string& parent, const std::string& rule_set) = 0;
  void export_net(const std::filesystem::path& path, const std::string& id, const std::string& parent,
                  const std::string& rule_set);
  virtual std::string device() const = 0;
};

/// `selection` must outlive the trainer. The net starts from the weights of nn::init_net(config, seed).
std::unique_ptr<Trainer> make_trainer(const nn::NetConfig& config, const TrainSettings& settings,
                                      uint64_t seed, const Selection& selection, Log& log);

struct TrainRequest {
  std::vector<std::filesystem::path> shards;  // folders, searched with their subfolders
  uint64_t first_game = 0;         // ids [first_game, end_game) of every writer may enter the window,
  uint64_t end_game = UINT64_MAX;  // so that its content does not depend on what else lies there
  std::filesystem::path folder;    // gets checkpoints/ and metrics
  int64_t target_step = 0;         // absolute: stops when so many steps lie behind the net
  bool must_resume = false;        // an Error instead of a start from the seed
  std::filesystem::path net_out;   // written last, whole; empty: no net
  std::string net_id, parent, rule_set;
  nn::NetConfig net;
  TrainSettings settings;
  uint64_t seed = 1;
  std::function<double()> clock;  // wall time in seconds, for rates and metrics only; none: no rates
};

struct TrainReport {
  int64_t first_step = 0;  // where this call took up the work
  int64_t steps = 0;       // steps behind the net now
  bool stopped = false;    // by the token, after a checkpoint; no net was written
  int64_t window_games = 0, window_rows = 0;
  double rows_per_second = 0;
  MetricList last, held_out;  // figures of the last step, and of the last validation
};

/// Trains from the newest checkpoint in request.folder (or from the seed) up to the target step, then writes
/// the net. May be killed at any moment and called again: the final net is the same, on the CPU bit by bit. A
/// stop request ends it after the step in progress, with a checkpoint. `keep`, if given, holds the games
/// between calls, so that each shard is read once. Throws Error if there is nothing to train on: says what it
/// looked for and where.
TrainReport train(const TrainRequest& request, Log& log, std::stop_token stop, Window* keep = nullptr);

}  // namespace chuhe::trainer
