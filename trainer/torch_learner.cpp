// Learner over LibTorch: the training half of libchuhe_torch.so.

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>

#include "base/cpus.h"
#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/infer/torch_cuda.h"
#include "nn/infer/torch_device.h"
#include "nn/net/infer_net.h"
#include "nn/net/train_net.h"
#include "trainer/learner.h"
#include "trainer/losses.h"
#include "trainer/optimizer.h"

namespace chuhe::trainer {
namespace {

/// Casts convolutions and products to bf16 while it lives.
class Autocast {
 public:
  Autocast(at::DeviceType device, bool on) : device_(device), on_(on) {
    if (!on_) return;
    at::autocast::set_autocast_enabled(device_, true);
    at::autocast::set_autocast_dtype(device_, at::kBFloat16);
    at::autocast::increment_nesting();
  }
  ~Autocast() {
    if (!on_) return;
    // The cache of cast weights belongs to this step: the optimizer is about to change them.
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(device_, false);
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  at::DeviceType device_;
  bool on_;
};

/// A batch as tensors on the device.
struct Inputs {
  at::Tensor planes, moves, legal, policy, policy_weight, wdl, moves_left, moves_weight;
};

struct Losses {
  at::Tensor policy, value, moves, entropy;
};

class TorchLearner final : public Learner {
 public:
  TorchLearner(const nn::NetConfig& config, const TrainSettings& settings, const nn::RawNet& start)
      : config_(config),
        settings_(settings),
        device_(nn::torch_device(settings.device)),
        threads_(settings.threads > 0 ? settings.threads : usable_cpus().count),
        net_(config, start, device_),
        optimizer_(settings, net_.flat(), net_.layout().decayed),
        pairs_(nn::square_pairs(device_)) {
    nn::use_threads(threads_);
    ema_weights_ = net_.flat().clone();
    ema_statistics_ = net_.statistics().clone();
  }

  StepFigures step(const TrainBatch& batch) override {
    return nn::with_torch_errors(fmt::format("training step {}", steps_), [&] { return take_step(batch); });
  }
  Judgement judge(const TrainBatch& batch) override {
    return nn::with_torch_errors(fmt::format("validation at step {}", steps_),
                                 [&] { return look_at(batch); });
  }
  LearnerState state() const override;
  void set_state(const LearnerState& state) override;
  nn::RawNet averaged() const override;
  bool wants_planes() const override { return !device_.is_cuda(); }
  std::string device() const override {
    return fmt::format("{}, {}, {} CPU threads", nn::device_name(device_), settings_.precision, threads_);
  }

 private:
  StepFigures take_step(const TrainBatch& batch);
  Judgement look_at(const TrainBatch& batch);
  Inputs inputs(const TrainBatch& batch) const;
  Losses losses(const nn::Outputs& out, const Inputs& in) const;
  void average();
  std::map<std::string, at::Tensor> arrays() const;

  const nn::NetConfig config_;
  const TrainSettings settings_;
  const at::Device device_;
  const int threads_;
  nn::TrainNet net_;
  Optimizer optimizer_;
  at::Tensor pairs_, ema_weights_, ema_statistics_;
  int64_t steps_ = 0;
};

template <class T>
at::Tensor to_device(const std::vector<T>& values, at::IntArrayRef shape, at::ScalarType type,
                     at::Device device) {
  // from_blob does not own: on the CPU the batch outlives the step, elsewhere .to() copies before it returns.
  return at::from_blob(const_cast<T*>(values.data()), shape, type).to(device);
}

Inputs TorchLearner::inputs(const TrainBatch& b) const {
  const int64_t n = b.rows, width = TrainBatch::kWidth;
  Inputs in;
  in.planes = wants_planes() ? to_device(b.planes, {n, 90, nn::kPlanes}, at::kFloat, device_)
                             : nn::cuda_planes(b.packed.data(), n, device_);
  in.moves = to_device(b.moves, {n, width}, at::kLong, device_);
  in.legal = to_device(b.legal, {n, width}, at::kFloat, device_);
  in.policy = to_device(b.policy, {n, width}, at::kFloat, device_);
  in.policy_weight = to_device(b.policy_weight, {n}, at::kFloat, device_);
  in.wdl = to_device(b.wdl, {n, 3}, at::kFloat, device_);
  in.moves_left = to_device(b.moves_left, {n}, at::kFloat, device_);
  in.moves_weight = to_device(b.moves_weight, {n}, at::kFloat, device_);
  return in;
}

Losses TorchLearner::losses(const nn::Outputs& raw, const Inputs& in) const {
  nn::Outputs out = raw;
  for (at::Tensor* t : {&out.from, &out.to, &out.wdl, &out.moves}) *t = t->to(at::kFloat);
  const at::Tensor logits = nn::move_logits(out, pairs_, in.moves);
  return {policy_loss(logits, in.policy, in.legal, in.policy_weight), value_loss(out.wdl, in.wdl),
          moves_loss(nn::moves_left(out), in.moves_left, in.moves_weight),
          policy_entropy(logits.detach(), in.legal)};
}

StepFigures TorchLearner::take_step(const TrainBatch& batch) {
  nn::use_threads(threads_);
  const Inputs in = inputs(batch);
  const at::Tensor statistics_before = net_.statistics().clone();
  net_.gradient().zero_();
  Losses l;
  {
    const Autocast autocast(device_.type(), settings_.precision == "bf16");
    const nn::Outputs out = net_.forward(in.planes, /*training=*/true);
    // The losses stay in fp32.
    at::autocast::set_autocast_enabled(device_.type(), false);
    l = losses(out, in);
  }
  const at::Tensor loss = l.policy * settings_.policy_weight + l.value * settings_.value_weight +
                          l.moves * settings_.moves_weight;
  loss.backward();
  at::Tensor gradient = net_.gradient();
  const at::Tensor norm = gradient.norm();
  // One transfer for all figures.
  const at::Tensor packed =
      at::stack({loss.detach(), l.policy.detach(), l.value.detach(), l.moves.detach(), l.entropy, norm})
          .cpu();
  const float* v = packed.const_data_ptr<float>();
  const StepFigures f{v[0], v[1], v[2], v[3], v[4], v[5], learning_rate_at(settings_, steps_)};
  if (!std::isfinite(f.loss) || !std::isfinite(f.gradient_norm)) {
    net_.statistics().copy_(statistics_before);
    throw Error(
        "training step {}: not finite (loss {}, policy {}, value {}, moves left {}, gradient norm {}); the "
        "weights "
        "are those before this step",
        steps_, f.loss, f.policy_loss, f.value_loss, f.moves_loss, f.gradient_norm);
  }
  if (settings_.clip_norm > 0 && f.gradient_norm > settings_.clip_norm)
    gradient.mul_(settings_.clip_norm / f.gradient_norm);
  at::Tensor weights = net_.flat();
  optimizer_.update(weights, gradient, f.learning_rate, steps_);
  average();
  ++steps_;
  return f;
}

void TorchLearner::average() {
  const at::NoGradGuard no_grad;
  // Rises to the set decay, so that the first nets are not held at the random start.
  const double decay = std::min(settings_.ema_decay, double(1 + steps_) / double(10 + steps_));
  const double share = settings_.ema_decay > 0 ? 1 - decay : 1;
  ema_weights_.lerp_(net_.flat(), share);
  ema_statistics_.lerp_(net_.statistics(), share);
}

Judgement TorchLearner::look_at(const TrainBatch& batch) {
  nn::use_threads(threads_);
  nn::NetFile file;
  file.config = config_;
  file.tensors = nn::folded(config_, averaged());
  const nn::InferNet net(file, device_, at::kFloat);
  const Inputs in = inputs(batch);
  const c10::InferenceMode inference;
  const nn::Outputs out = net.forward(in.planes);
  const Losses l = losses(out, in);
  const at::Tensor logits = nn::move_logits(out, pairs_, in.moves).masked_fill(in.legal == 0, -1e30);
  const at::Tensor hits = (logits.argmax(1) == in.policy.argmax(1)).to(at::kFloat) * in.policy_weight;
  const at::Tensor wdl = out.wdl.softmax(1).cpu().contiguous();
  Judgement j;
  j.policy_loss = l.policy.item<double>();
  j.value_loss = l.value.item<double>();
  j.moves_loss = l.moves.item<double>();
  j.policy_entropy = l.entropy.item<double>();
  j.policy_rows = in.policy_weight.sum().item<double>();
  j.moves_rows = in.moves_weight.sum().item<double>();
  j.policy_hits = hits.sum().item<double>();
  j.wdl.assign(wdl.const_data_ptr<float>(), wdl.const_data_ptr<float>() + wdl.numel());
  return j;
}

std::vector<float> to_vector(const at::Tensor& t) {
  const at::Tensor c = t.cpu().contiguous();
  return {c.const_data_ptr<float>(), c.const_data_ptr<float>() + c.numel()};
}

std::map<std::string, at::Tensor> TorchLearner::arrays() const {
  std::map<std::string, at::Tensor> all = optimizer_.moments();
  all.emplace("weights", net_.flat());
  all.emplace("statistics", net_.statistics());
  all.emplace("ema.weights", ema_weights_);
  all.emplace("ema.statistics", ema_statistics_);
  return all;
}

LearnerState TorchLearner::state() const {
  LearnerState s;
  s.steps = steps_;
  for (const auto& [name, tensor] : arrays()) s.arrays.emplace(name, to_vector(tensor));
  return s;
}

void TorchLearner::set_state(const LearnerState& state) {
  auto mine = arrays();
  for (const auto& [name, values] : state.arrays)
    if (!mine.contains(name))
      throw Error("checkpoint: array '{}' is not part of this training (optimizer {})", name,
                  settings_.optimizer);
  for (auto& [name, tensor] : mine) {
    const auto it = state.arrays.find(name);
    if (it == state.arrays.end()) throw Error("checkpoint: array '{}' is missing", name);
    if (int64_t(it->second.size()) != tensor.numel())
      throw Error("checkpoint: array '{}' has {} numbers, the net has {}", name, it->second.size(),
                  tensor.numel());
  }
  for (auto& [name, tensor] : mine)
    tensor.copy_(
        at::from_blob(const_cast<float*>(state.arrays.at(name).data()), {tensor.numel()}, at::kFloat));
  steps_ = state.steps;
}

nn::RawNet TorchLearner::averaged() const {
  return {to_vector(ema_weights_), to_vector(ema_statistics_)};
}

}  // namespace
}  // namespace chuhe::trainer

void chuhe_torch_make_learner(const chuhe::nn::NetConfig& config,
                              const chuhe::trainer::TrainSettings& settings, const chuhe::nn::RawNet& start,
                              std::unique_ptr<chuhe::trainer::Learner>& out) {
  chuhe::nn::with_torch_errors("training on " + settings.device, [&] {
    out = std::make_unique<chuhe::trainer::TorchLearner>(config, settings, start);
  });
}
