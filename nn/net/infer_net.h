#pragma once
// A finished net (batch norm folded) as torch tensors, forward pass only.

#include <ATen/ATen.h>

#include <memory>
#include <string>
#include <vector>

#include "nn/model/net_file.h"
#include "nn/net/outputs.h"

namespace chuhe::nn {

/// Immutable, so threads and streams may share one.
class InferNet {
 public:
  /// The tower runs in `type` (fp32, bf16, fp16), the small layers of the heads always in fp32.
  InferNet(const NetFile& net, at::Device device, at::ScalarType type);

  /// planes: [B, 90, 48]. All outputs fp32. Call it under c10::InferenceMode.
  Outputs forward(const at::Tensor& planes) const;

  at::Device device() const { return device_; }
  at::ScalarType type() const { return type_; }
  const NetConfig& config() const { return config_; }

 private:
  struct Layer {
    at::Tensor weight, bias;
  };
  struct Block {
    Layer conv1, conv2, se1, se2;
  };
  at::Tensor block(const at::Tensor& x, const Block& b) const;

  NetConfig config_;
  at::Device device_;
  at::ScalarType type_;
  Layer stem_, policy_, from_, to_, value_, value_fc_, wdl_, moves_;
  std::vector<Block> blocks_;
  at::Tensor move_bias_;
};

/// Outputs of fp32 inference on the CPU for the rows, as the net file stores them.
std::vector<SelfCheck> self_checks(const NetFile& net, const std::vector<PackedRow>& rows);
/// Throws Error saying by how much if the net on its device answers otherwise than net.checks say
/// (tolerance 1e-3 in fp32, 0.1 below; docs/net_file.md).
void verify_self_checks(const NetFile& file, const InferNet& net);

}  // namespace chuhe::nn
