#include "trainer/optimizer.h"

#include <ATen/core/grad_mode.h>

#include <cmath>

namespace chuhe::trainer {
namespace {

constexpr double kAdamEpsilon = 1e-8;

}  // namespace

Optimizer::Optimizer(const TrainSettings& settings, const at::Tensor& weights, int64_t decayed)
    : adam_(settings.optimizer == "adamw"),
      beta1_(settings.momentum),
      beta2_(settings.beta2),
      decay_(settings.weight_decay),
      decayed_(decayed) {
  for (const char* name : {"adam.m", "adam.v", "sgd.momentum"})
    if (std::string_view(name).starts_with("adam") == adam_) moments_.emplace(name, at::zeros_like(weights));
}

void Optimizer::update(at::Tensor& weights, const at::Tensor& gradient, double learning_rate, int64_t step) {
  const at::NoGradGuard no_grad;
  if (decay_ > 0) weights.narrow(0, 0, decayed_).mul_(1 - learning_rate * decay_);
  if (!adam_) {
    at::Tensor& buffer = moments_.at("sgd.momentum");
    buffer.mul_(beta1_).add_(gradient);
    weights.sub_(buffer, learning_rate);
    return;
  }
  at::Tensor& m = moments_.at("adam.m");
  at::Tensor& v = moments_.at("adam.v");
  m.mul_(beta1_).add_(gradient, 1 - beta1_);
  v.mul_(beta2_).addcmul_(gradient, gradient, 1 - beta2_);
  const double bias1 = 1 - std::pow(beta1_, double(step + 1)), bias2 = 1 - std::pow(beta2_, double(step + 1));
  const at::Tensor denominator = v.sqrt().div_(std::sqrt(bias2)).add_(kAdamEpsilon);
  weights.addcdiv_(m, denominator, -learning_rate / bias1);
}

}  // namespace chuhe::trainer
