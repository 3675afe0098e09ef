#pragma once
// AdamW and SGD over the flat arrays of a TrainNet: a handful of tensor operations a step, whatever the net's
// size.

#include <ATen/ATen.h>

#include <map>
#include <string>

#include "trainer/settings.h"

namespace chuhe::trainer {

/// AdamW (Loshchilov, Hutter 2019) or SGD with momentum (PyTorch's form: buffer = momentum * buffer +
/// gradient), both with decoupled weight decay (weights *= 1 - rate * decay) on the first `decayed` numbers
/// only.
class Optimizer {
 public:
  Optimizer(const TrainSettings& settings, const at::Tensor& weights, int64_t decayed);
  /// `step` counts from 0.
  void update(at::Tensor& weights, const at::Tensor& gradient, double learning_rate, int64_t step);
  /// The moments by name; shared, not copied.
  const std::map<std::string, at::Tensor>& moments() const { return moments_; }

 private:
  bool adam_;
  double beta1_, beta2_, decay_;
  int64_t decayed_;
  std::map<std::string, at::Tensor> moments_;
};

}  // namespace chuhe::trainer
