#pragma once
// The net while it is trained: batch norm not yet folded, all trainable numbers in one flat array, all
// batch-norm statistics in another. No torch here; nn/net/train_net.h puts tensors over the same arrays.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nn/model/net_config.h"
#include "nn/model/net_file.h"

namespace chuhe::nn {

constexpr double kBatchNormEpsilon = 1e-5;

struct Parameter {
  std::string name;  // as in docs/net_file.md; batch norm's are "<conv>.norm.weight" and ".norm.bias"
  std::vector<int64_t> shape;
  int64_t begin = 0, size = 0;  // in the flat array
};

/// Where everything lies. Weight matrices come first, so that weight decay, which must not touch biases and
/// batch norm, is one contiguous range [0, decayed).
struct ParameterLayout {
  std::vector<Parameter> parameters;
  int64_t size = 0, decayed = 0;
  std::vector<Parameter> statistics;  // "<conv>.norm.mean" and ".norm.var", each [out]
  int64_t statistics_size = 0;

  const Parameter& parameter(const std::string& name) const;  // a failed check if there is none
  const Parameter& statistic(const std::string& name) const;
};
ParameterLayout parameter_layout(const NetConfig& config);

struct RawNet {
  std::vector<float> parameters, statistics;  // by the layout
};

/// He-normal convolutions; heads that start close to even values and uniform priors; statistics 0 and 1.
RawNet initial_net(const NetConfig& config, uint64_t seed);

/// The net file's tensors: batch norm with these statistics folded into the convolution before it.
std::map<std::string, Tensor> folded(const NetConfig& config, const RawNet& net);

}  // namespace chuhe::nn
