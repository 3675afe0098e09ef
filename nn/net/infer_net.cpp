#include "nn/net/infer_net.h"

#include <c10/core/InferenceMode.h>

#include "base/error.h"
#include "nn/encoding/planes.h"

namespace chuhe::nn {
namespace {

at::Tensor conv(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::conv2d(x, weight, bias, 1, weight.size(2) / 2);
}

at::Tensor load(const NetFile& net, const std::string& name, at::Device device, at::ScalarType type) {
  const auto it = net.tensors.find(name);
  if (it == net.tensors.end()) throw Error("net {}: tensor {} is missing", net.id, name);
  const Tensor& t = it->second;
  at::Tensor copy = at::from_blob(const_cast<float*>(t.values.data()), t.shape, at::kFloat)
                        .to(device, type, /*non_blocking=*/false, /*copy=*/true);
  return t.shape.size() == 4 ? copy.contiguous(at::MemoryFormat::ChannelsLast) : copy;
}

}  // namespace

InferNet::InferNet(const NetFile& net, at::Device device, at::ScalarType type)
    : config_(net.config), device_(device), type_(type) {
  const c10::InferenceMode inference;
  const auto layer = [&](const std::string& name, at::ScalarType t) {
    return Layer{load(net, name + ".weight", device, t), load(net, name + ".bias", device, t)};
  };
  stem_ = layer("stem.conv", type);
  for (int i = 0; i < config_.blocks; ++i) {
    const std::string name = fmt::format("blocks.{}.", i);
    Block b{layer(name + "conv1", type), layer(name + "conv2", type), {}, {}};
    if (config_.se_channels > 0) {
      b.se1 = layer(name + "se.fc1", type);
      b.se2 = layer(name + "se.fc2", type);
    }
    blocks_.push_back(std::move(b));
  }
  policy_ = layer("policy.conv", type);
  from_ = layer("policy.from", type);
  to_ = layer("policy.to", type);
  value_ = layer("value.conv", type);
  value_fc_ = layer("value.fc1", at::kFloat);
  wdl_ = layer("value.wdl", at::kFloat);
  moves_ = layer("value.moves", at::kFloat);
  move_bias_ = load(net, "policy.move_bias", device, at::kFloat);
}

at::Tensor InferNet::block(const at::Tensor& x, const Block& b) const {
  at::Tensor y = conv(x, b.conv1.weight, b.conv1.bias).relu_();
  y = conv(y, b.conv2.weight, b.conv2.bias);
  if (config_.se_channels == 0) return y.add_(x).relu_();
  const at::Tensor h = at::linear(y.mean({2, 3}), b.se1.weight, b.se1.bias).relu_();
  const auto z = at::linear(h, b.se2.weight, b.se2.bias).unsqueeze(2).unsqueeze(3).chunk(2, 1);
  return x.addcmul(y, z[0].sigmoid()).add_(z[1]).relu_();
}

Outputs InferNet::forward(const at::Tensor& planes) const {
  const auto rows = planes.size(0);
  at::Tensor x = planes.view({rows, 10, 9, kPlanes}).permute({0, 3, 1, 2}).to(type_);  // channels-last memory
  x = conv(x, stem_.weight, stem_.bias).relu_();
  for (const Block& b : blocks_) x = block(x, b);
  const at::Tensor p = conv(x, policy_.weight, policy_.bias).relu_();
  const at::Tensor v = squares_last(conv(x, value_.weight, value_.bias).relu_()).reshape({rows, -1});
  const at::Tensor h = at::linear(v.to(at::kFloat), value_fc_.weight, value_fc_.bias).relu_();
  return {squares_last(conv(p, from_.weight, from_.bias)).to(at::kFloat).contiguous(),
          squares_last(conv(p, to_.weight, to_.bias)).to(at::kFloat).contiguous(), move_bias_,
          at::linear(h, wdl_.weight, wdl_.bias),
          at::linear(h, moves_.weight, moves_.bias).squeeze(1).contiguous()};
}

}  // namespace chuhe::nn
