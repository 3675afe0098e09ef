#pragma once
// The torch module that is trained: a NetConfig's net with batch norm, over two flat arrays of a
// ParameterLayout.

#include <ATen/ATen.h>

#include <map>
#include <string>

#include "nn/net/outputs.h"
#include "nn/net/parameters.h"

namespace chuhe::nn {

/// Every parameter is a leaf that shares memory with a slice of flat(), and its gradient with the same slice
/// of gradient(): an optimizer works on whole arrays.
class TrainNet {
 public:
  TrainNet(const NetConfig& config, const RawNet& start, at::Device device, at::ScalarType type = at::kFloat);

  /// planes: [B, 90, 48] of docs/encoding.md. `training`: normalises with the batch's own statistics and
  /// moves the running ones by a tenth; otherwise with the running ones, as the exported net does.
  Outputs forward(const at::Tensor& planes, bool training) const;

  at::Tensor flat() const { return flat_; }          // [layout.size], changed in place by the optimizer
  at::Tensor gradient() const { return gradient_; }  // [layout.size], added to by backward()
  at::Tensor statistics() const { return statistics_; }
  const ParameterLayout& layout() const { return layout_; }

 private:
  const at::Tensor& get(const std::string& name) const;
  at::Tensor conv_norm(const at::Tensor& x, const std::string& name, bool training) const;
  at::Tensor conv_bias(const at::Tensor& x, const std::string& name) const;
  at::Tensor linear(const at::Tensor& x, const std::string& name) const;
  at::Tensor block(const at::Tensor& x, int index, bool training) const;

  NetConfig config_;
  ParameterLayout layout_;
  at::Tensor flat_, gradient_, statistics_;
  std::map<std::string, at::Tensor> tensors_;
};

}  // namespace chuhe::nn
