#pragma once
// The arithmetic of training behind an interface without torch: net, losses, optimizer, averaged weights. The
// implementation (torch_learner.cpp) is in libchuhe_torch.so.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nn/model/net_config.h"
#include "nn/net/parameters.h"
#include "trainer/batch.h"
#include "trainer/settings.h"

namespace chuhe::trainer {

/// Everything that changes from step to step, as flat arrays by nn::ParameterLayout: what a checkpoint holds.
struct LearnerState {
  int64_t steps = 0;
  // "weights", "statistics", "ema.weights", "ema.statistics", and the optimizer's "adam.m", "adam.v" or
  // "sgd.momentum".
  std::map<std::string, std::vector<float>> arrays;
  bool operator==(const LearnerState&) const = default;
};

struct StepFigures {
  double loss = 0, policy_loss = 0, value_loss = 0, moves_loss = 0;
  double policy_entropy = 0;  // nats
  double gradient_norm = 0;   // before clipping
  double learning_rate = 0;
};

/// What a net says about a batch in evaluation mode; losses are means over the rows that have the target.
struct Judgement {
  double policy_loss = 0, value_loss = 0, moves_loss = 0, policy_entropy = 0;
  double policy_rows = 0, moves_rows = 0;  // rows that have the target
  double policy_hits = 0;                  // rows whose best-rated move is the target's heaviest
  std::vector<float> wdl;                  // [rows][3] probabilities
};

/// Not thread-safe.
class Learner {
 public:
  virtual ~Learner() = default;
  /// One optimizer step. Throws Error naming the step, before any weight changes, if the loss or the gradient
  /// is not finite.
  virtual StepFigures step(const TrainBatch& batch) = 0;
  /// Of the net that would be exported: averaged weights, batch norm folded.
  virtual Judgement judge(const TrainBatch& batch) = 0;
  virtual LearnerState state() const = 0;
  /// Throws Error if an array is missing, surplus or of another size.
  virtual void set_state(const LearnerState& state) = 0;
  virtual nn::RawNet averaged() const = 0;
  /// Whether batches need their planes, or the device expands the packed rows itself.
  virtual bool wants_planes() const = 0;
  virtual std::string device() const = 0;
};

/// Starts from `start`. Opens the plugin.
std::unique_ptr<Learner> make_learner(const nn::NetConfig& config, const TrainSettings& settings,
                                      const nn::RawNet& start);

}  // namespace chuhe::trainer

extern "C" void chuhe_torch_make_learner(const chuhe::nn::NetConfig& config,
                                         const chuhe::trainer::TrainSettings& settings,
                                         const chuhe::nn::RawNet& start,
                                         std::unique_ptr<chuhe::trainer::Learner>& out);
