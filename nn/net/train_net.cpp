#include "nn/net/train_net.h"

#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/encoding/policy_index.h"

namespace chuhe::nn {
namespace {

constexpr double kBatchNormMomentum = 0.1;

at::Tensor tensor_of(const std::vector<float>& values, at::Device device, at::ScalarType type) {
  return at::from_blob(const_cast<float*>(values.data()), {int64_t(values.size())}, at::kFloat)
      .to(device, type, /*non_blocking=*/false, /*copy=*/true);
}

}  // namespace

at::Tensor square_pairs(at::Device device) {
  at::Tensor pairs = at::empty({kPolicySize}, at::kLong);
  for (int i = 0; i < kPolicySize; ++i) {
    const xiangqi::Move m = policy_move(i);
    pairs.data_ptr<int64_t>()[i] = 90 * m.from() + m.to();
  }
  return pairs.to(device);
}

TrainNet::TrainNet(const NetConfig& config, const RawNet& start, at::Device device, at::ScalarType type)
    : config_(config), layout_(parameter_layout(config)) {
  CHUHE_CHECK(int64_t(start.parameters.size()) == layout_.size);
  CHUHE_CHECK(int64_t(start.statistics.size()) == layout_.statistics_size);
  flat_ = tensor_of(start.parameters, device, type);
  statistics_ = tensor_of(start.statistics, device, type);
  gradient_ = at::zeros_like(flat_);
  for (const Parameter& p : layout_.parameters) {
    at::Tensor leaf = flat_.narrow(0, p.begin, p.size).view(p.shape).detach();
    leaf.requires_grad_(true);
    leaf.mutable_grad() = gradient_.narrow(0, p.begin, p.size).view(p.shape);
    tensors_.emplace(p.name, leaf);
  }
  for (const Parameter& p : layout_.statistics)
    tensors_.emplace(p.name, statistics_.narrow(0, p.begin, p.size).view(p.shape));
}

const at::Tensor& TrainNet::get(const std::string& name) const {
  const auto it = tensors_.find(name);
  CHUHE_CHECK(it != tensors_.end(), "no tensor {}", name);
  return it->second;
}

at::Tensor TrainNet::conv_norm(const at::Tensor& x, const std::string& name, bool training) const {
  const at::Tensor& weight = get(name + ".weight");
  const at::Tensor y = at::conv2d(x, weight, {}, 1, weight.size(2) / 2);
  return at::batch_norm(y, get(name + ".norm.weight"), get(name + ".norm.bias"), get(name + ".norm.mean"),
                        get(name + ".norm.var"), training, kBatchNormMomentum, kBatchNormEpsilon,
                        /*cudnn_enabled=*/true);
}

at::Tensor TrainNet::conv_bias(const at::Tensor& x, const std::string& name) const {
  return at::conv2d(x, get(name + ".weight"), get(name + ".bias"));
}

at::Tensor TrainNet::linear(const at::Tensor& x, const std::string& name) const {
  return at::linear(x, get(name + ".weight"), get(name + ".bias"));
}

at::Tensor TrainNet::block(const at::Tensor& x, int index, bool training) const {
  const std::string name = fmt::format("blocks.{}.", index);
  at::Tensor y = conv_norm(x, name + "conv1", training).relu_();
  y = conv_norm(y, name + "conv2", training);
  if (config_.se_channels > 0) {
    const at::Tensor h = linear(y.mean({2, 3}), name + "se.fc1").relu_();
    const auto z = linear(h, name + "se.fc2").unsqueeze(2).unsqueeze(3).chunk(2, 1);
    y = y * z[0].sigmoid() + z[1];
  }
  return (x + y).relu_();
}

Outputs TrainNet::forward(const at::Tensor& planes, bool training) const {
  const auto rows = planes.size(0);
  at::Tensor x = planes.view({rows, 10, 9, kPlanes}).permute({0, 3, 1, 2});  // channels-last memory
  x = conv_norm(x, "stem.conv", training).relu_();
  for (int i = 0; i < config_.blocks; ++i) x = block(x, i, training);
  const at::Tensor p = conv_norm(x, "policy.conv", training).relu_();
  const at::Tensor v = conv_norm(x, "value.conv", training).relu_();
  const at::Tensor h = linear(squares_last(v).reshape({rows, -1}), "value.fc1").relu_();
  return {squares_last(conv_bias(p, "policy.from")), squares_last(conv_bias(p, "policy.to")),
          get("policy.move_bias"), linear(h, "value.wdl"), linear(h, "value.moves").squeeze(1)};
}

}  // namespace chuhe::nn
