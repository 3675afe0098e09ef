#include "nn/net/parameters.h"

#include <cmath>
#include <functional>
#include <span>

#include "base/error.h"
#include "base/random.h"
#include "nn/encoding/planes.h"
#include "nn/encoding/policy_index.h"

namespace chuhe::nn {
namespace {

/// A convolution or linear layer; `norm` says whether batch norm follows it (and takes its bias's place).
struct Layer {
  std::string name;
  int64_t out, in, kernel;  // kernel 0: linear
  bool norm;
  double gain;  // initial weights are normal with deviation gain / sqrt(fan in)
};

// gain sqrt(2) keeps the variance through a ReLU, 1 without one. The last layers of the heads start small: an
// untrained net should call positions even and moves equal, not be sure of noise.
std::vector<Layer> layers_of(const NetConfig& c) {
  const double he = std::sqrt(2.0), small = 0.1;
  std::vector<Layer> layers = {{"stem.conv", c.channels, kPlanes, 3, true, he}};
  for (int i = 0; i < c.blocks; ++i) {
    const std::string block = fmt::format("blocks.{}.", i);
    layers.push_back({block + "conv1", c.channels, c.channels, 3, true, he});
    layers.push_back({block + "conv2", c.channels, c.channels, 3, true, he});
    if (c.se_channels > 0) {
      layers.push_back({block + "se.fc1", c.se_channels, c.channels, 0, false, he});
      layers.push_back({block + "se.fc2", 2 * c.channels, c.se_channels, 0, false, small});
    }
  }
  layers.push_back({"policy.conv", c.channels, c.channels, 1, true, he});
  layers.push_back({"policy.from", c.policy_channels, c.channels, 1, false, small});
  layers.push_back({"policy.to", c.policy_channels, c.channels, 1, false, 1.0});
  layers.push_back({"value.conv", c.value_channels, c.channels, 1, true, he});
  layers.push_back({"value.fc1", c.value_hidden, int64_t{90} * c.value_channels, 0, false, he});
  layers.push_back({"value.wdl", 3, c.value_hidden, 0, false, small});
  layers.push_back({"value.moves", 1, c.value_hidden, 0, false, small});
  return layers;
}

void append(std::vector<Parameter>& list, int64_t& total, std::string name, std::vector<int64_t> shape) {
  int64_t size = 1;
  for (int64_t n : shape) size *= n;
  list.push_back({std::move(name), std::move(shape), total, size});
  total += size;
}

const Parameter& find(const std::vector<Parameter>& list, const std::string& name) {
  for (const Parameter& p : list)
    if (p.name == name) return p;
  CHUHE_CHECK(false, "no parameter {}", name);
}

std::vector<int64_t> weight_shape(const Layer& l) {
  if (l.kernel == 0) return {l.out, l.in};
  return {l.out, l.in, l.kernel, l.kernel};
}

std::span<const float> values(const std::vector<float>& flat, const Parameter& p) {
  return {flat.data() + p.begin, size_t(p.size)};
}

}  // namespace

const Parameter& ParameterLayout::parameter(const std::string& name) const {
  return find(parameters, name);
}
const Parameter& ParameterLayout::statistic(const std::string& name) const {
  return find(statistics, name);
}

ParameterLayout parameter_layout(const NetConfig& config) {
  ParameterLayout layout;
  const std::vector<Layer> layers = layers_of(config);
  for (const Layer& l : layers) append(layout.parameters, layout.size, l.name + ".weight", weight_shape(l));
  layout.decayed = layout.size;
  for (const Layer& l : layers) {
    if (l.norm) {
      append(layout.parameters, layout.size, l.name + ".norm.weight", {l.out});
      append(layout.parameters, layout.size, l.name + ".norm.bias", {l.out});
      append(layout.statistics, layout.statistics_size, l.name + ".norm.mean", {l.out});
      append(layout.statistics, layout.statistics_size, l.name + ".norm.var", {l.out});
    } else {
      append(layout.parameters, layout.size, l.name + ".bias", {l.out});
    }
  }
  append(layout.parameters, layout.size, "policy.move_bias", {kPolicySize});
  return layout;
}

RawNet initial_net(const NetConfig& config, uint64_t seed) {
  const ParameterLayout layout = parameter_layout(config);
  RawNet net{std::vector<float>(size_t(layout.size)), std::vector<float>(size_t(layout.statistics_size))};
  for (const Layer& l : layers_of(config)) {
    const Parameter& weight = layout.parameter(l.name + ".weight");
    // A stream for each layer: a change to one leaves the others' numbers alone.
    Random random(seed, "net." + l.name, 0);
    const double deviation = l.gain / std::sqrt(double(weight.size / l.out));
    for (int64_t i = 0; i < weight.size; ++i)
      net.parameters[size_t(weight.begin + i)] = float(deviation * random.normal());
    if (!l.norm) continue;
    const Parameter& scale = layout.parameter(l.name + ".norm.weight");
    std::fill_n(net.parameters.begin() + scale.begin, scale.size, 1.0f);
    const Parameter& variance = layout.statistic(l.name + ".norm.var");
    std::fill_n(net.statistics.begin() + variance.begin, variance.size, 1.0f);
  }
  // kMovesLeftScale * softplus(0.5413) is 50 plies.
  net.parameters[size_t(layout.parameter("value.moves.bias").begin)] = 0.5413f;
  return net;
}

std::map<std::string, Tensor> folded(const NetConfig& config, const RawNet& net) {
  const ParameterLayout layout = parameter_layout(config);
  CHUHE_CHECK(int64_t(net.parameters.size()) == layout.size);
  CHUHE_CHECK(int64_t(net.statistics.size()) == layout.statistics_size);
  std::map<std::string, Tensor> tensors;
  const auto take = [&](const std::string& name) {
    const Parameter& p = layout.parameter(name);
    const auto v = values(net.parameters, p);
    return Tensor{p.shape, {v.begin(), v.end()}};
  };
  for (const Layer& l : layers_of(config)) {
    Tensor weight = take(l.name + ".weight");
    Tensor bias{{l.out}, {}};
    if (l.norm) {
      const auto scale = values(net.parameters, layout.parameter(l.name + ".norm.weight"));
      const auto shift = values(net.parameters, layout.parameter(l.name + ".norm.bias"));
      const auto mean = values(net.statistics, layout.statistic(l.name + ".norm.mean"));
      const auto var = values(net.statistics, layout.statistic(l.name + ".norm.var"));
      const size_t per_output = weight.values.size() / size_t(l.out);
      for (size_t o = 0; o < size_t(l.out); ++o) {
        const double factor = scale[o] / std::sqrt(var[o] + kBatchNormEpsilon);
        for (size_t k = 0; k < per_output; ++k)
          weight.values[o * per_output + k] = float(weight.values[o * per_output + k] * factor);
        bias.values.push_back(float(shift[o] - mean[o] * factor));
      }
    } else {
      bias = take(l.name + ".bias");
    }
    tensors.emplace(l.name + ".weight", std::move(weight));
    tensors.emplace(l.name + ".bias", std::move(bias));
  }
  tensors.emplace("policy.move_bias", take("policy.move_bias"));
  return tensors;
}

}  // namespace chuhe::nn
