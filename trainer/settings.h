#pragma once
// How training goes; table [train] of a configuration. What is trained (NetConfig) and on what (TrainRequest)
// stand elsewhere.

#include <cstdint>
#include <string>

#include "base/config.h"

namespace chuhe::trainer {

struct TrainSettings {
  // Window and sampler.
  int64_t window_games = 100000;
  int64_t window_rows = 20000000;
  double validation_share = 0.05;
  bool mirror = true;
  double drop_history = 0.1;
  bool learn_cheap_values = true;
  // Targets and losses.
  double root_value_share = 0.0;
  double policy_weight = 1.0;
  double value_weight = 1.0;
  double moves_weight = 0.05;
  // Optimizer.
  int batch = 256;
  std::string optimizer = "adamw";
  double learning_rate = 0.002;
  int64_t warmup_steps = 100;
  std::string schedule = "constant";
  int64_t schedule_steps = 10000;
  double schedule_factor = 0.1;
  double momentum = 0.9;
  double beta2 = 0.999;
  double weight_decay = 0.01;
  double clip_norm = 5.0;
  double ema_decay = 0.99;
  // Machine.
  std::string device = "auto";
  std::string precision = "fp32";
  int threads = 0;
  int data_threads = 1;
  // Reports and checkpoints.
  int64_t report_every = 20;
  int64_t validate_every = 100;
  int validation_rows = 1024;
  int64_t checkpoint_every = 500;
  int keep_checkpoints = 3;

  void describe(Fields& f);
};

/// Learning rate of step number `step` (from 0).
double learning_rate_at(const TrainSettings& settings, int64_t step);

}  // namespace chuhe::trainer
