#include "trainer/settings.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace chuhe::trainer {

void TrainSettings::describe(Fields& f) {
  f("window_games", window_games, "most games in the window, newest first", {1, 1e12});
  f("window_rows", window_rows, "most rows (positions) in the window", {1, 1e12});
  f("validation_share", validation_share, "share of games that are never trained on", {0, 0.5});
  f("mirror", mirror, "mirror half of the rows left to right");
  f("drop_history", drop_history, "share of rows shown without history, as from a bare FEN", {0, 1});
  f("learn_cheap_values", learn_cheap_values,
    "learn the value (never the policy) of cheaply searched plies too");
  f("root_value_share", root_value_share,
    "share of the search's root value in the value target; the rest is the result", {0, 1});
  f("policy_weight", policy_weight, "weight of the policy loss", {0, 100});
  f("value_weight", value_weight, "weight of the win/draw/loss loss", {0, 100});
  f("moves_weight", moves_weight, "weight of the moves-left loss", {0, 100});
  f("batch", batch, "rows of a step", {1, 65536});
  f("optimizer", optimizer, "optimizer", {"adamw", "sgd"});
  f("learning_rate", learning_rate, "peak learning rate", {0, 100});
  f("warmup_steps", warmup_steps, "steps over which the learning rate rises from 0", {0, 1e9});
  f("schedule", schedule, "learning rate after the warm-up", {"constant", "cosine", "step"});
  f("schedule_steps", schedule_steps, "cosine: step at which the fall ends; step: steps between two drops",
    {1, 1e12});
  f("schedule_factor", schedule_factor, "cosine: share of the peak at the end; step: factor of a drop",
    {0, 1});
  f("momentum", momentum, "momentum of sgd, beta1 of adamw", {0, 0.9999});
  f("beta2", beta2, "beta2 of adamw", {0, 0.99999});
  f("weight_decay", weight_decay, "decoupled weight decay of weights; biases and batch norm have none",
    {0, 10});
  f("clip_norm", clip_norm, "largest norm of the gradient, 0 = no limit", {0, 1e9});
  f("ema_decay", ema_decay, "decay a step of the averaged weights that are exported, 0 = no averaging",
    {0, 0.99999});
  f("device", device, "auto, cpu, cuda or cuda:N");
  f("precision", precision, "of forward and backward pass; weights stay fp32", {"fp32", "bf16"});
  f("threads", threads, "CPU threads of a step, 0 = all that the process may use", {0, 1024});
  f("data_threads", data_threads, "threads that make batches", {1, 1024});
  f("report_every", report_every, "steps between two rows of metrics", {1, 1e9});
  f("validate_every", validate_every, "steps between two validations, 0 = none", {0, 1e9});
  f("validation_rows", validation_rows, "rows of a validation", {1, 1e6});
  f("checkpoint_every", checkpoint_every, "steps between two checkpoints", {1, 1e9});
  f("keep_checkpoints", keep_checkpoints, "newest checkpoints to keep", {1, 1e6});
}

double learning_rate_at(const TrainSettings& s, int64_t step) {
  if (step < s.warmup_steps) return s.learning_rate * double(step + 1) / double(s.warmup_steps);
  if (s.schedule == "step")
    return s.learning_rate * std::pow(s.schedule_factor, double((step - s.warmup_steps) / s.schedule_steps));
  if (s.schedule == "cosine") {
    const double length = double(std::max<int64_t>(s.schedule_steps - s.warmup_steps, 1));
    const double done = std::min(double(step - s.warmup_steps) / length, 1.0);
    const double share = 0.5 * (1 + std::cos(std::numbers::pi * done));
    return s.learning_rate * (s.schedule_factor + (1 - s.schedule_factor) * share);
  }
  return s.learning_rate;
}

}  // namespace chuhe::trainer
