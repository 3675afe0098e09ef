#include "nn/model/net_config.h"

#include <array>

#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/encoding/policy_index.h"
#include "nn/encoding/row.h"

namespace chuhe::nn {
namespace {

struct Preset {
  std::string_view name;
  NetConfig config;
};
constexpr std::array<Preset, 5> kPresets = {{
    {"nano", {2, 32, 16, 32, 16, 64, kEncodingVersion}},
    {"tiny", {4, 64, 16, 32, 16, 64, kEncodingVersion}},
    {"small", {6, 96, 32, 32, 16, 128, kEncodingVersion}},
    {"base", {10, 128, 32, 64, 32, 128, kEncodingVersion}},
    {"large", {20, 256, 64, 64, 32, 256, kEncodingVersion}},
}};
constexpr int64_t kBoard = 90;

}  // namespace

void NetConfig::describe(Fields& f) {
  f("blocks", blocks, "residual blocks of two 3x3 convolutions", {1, 64});
  f("channels", channels, "channels of the residual tower, a multiple of 16", {16, 1024});
  f("se_channels", se_channels, "inner width of squeeze-excitation, 0 = none", {0, 1024});
  f("policy_channels", policy_channels, "length of the from and to embeddings of the policy head", {1, 512});
  f("value_channels", value_channels, "channels of the 1x1 convolution before the value heads", {1, 256});
  f("value_hidden", value_hidden, "hidden units of the value heads", {1, 2048});
  f("encoding", encoding, "version of the input encoding", {1, 1000});
}

NetConfig net_preset(std::string_view name) {
  for (const Preset& p : kPresets)
    if (p.name == name) return p.config;
  std::string names;
  for (const Preset& p : kPresets) names += (names.empty() ? "" : ", ") + std::string(p.name);
  throw Error("unknown net preset '{}', expected one of {}", name, names);
}

std::vector<std::string_view> net_preset_names() {
  std::vector<std::string_view> names;
  for (const Preset& p : kPresets) names.push_back(p.name);
  return names;
}

double macs_per_position(const NetConfig& c) {
  const double channels = c.channels, squares = double(kBoard);
  const double stem = squares * 9 * kPlanes * channels;
  const double block = 2 * squares * 9 * channels * channels + 3 * channels * c.se_channels;
  const double policy = squares * channels * (channels + 2 * c.policy_channels) + 40.0 * c.policy_channels;
  const double value = squares * c.value_channels * (channels + c.value_hidden) + 4.0 * c.value_hidden;
  return stem + c.blocks * block + policy + value;
}

int64_t parameter_count(const NetConfig& config) {
  int64_t count = 0;
  for (const auto& [name, shape] : tensor_shapes(config)) {
    int64_t size = 1;
    for (int64_t n : shape) size *= n;
    count += size;
  }
  return count;
}

std::map<std::string, std::vector<int64_t>> tensor_shapes(const NetConfig& c) {
  std::map<std::string, std::vector<int64_t>> shapes;
  const auto add = [&shapes](const std::string& layer, std::vector<int64_t> weight) {
    shapes[layer + ".bias"] = {weight[0]};
    shapes[layer + ".weight"] = std::move(weight);
  };
  add("stem.conv", {c.channels, kPlanes, 3, 3});
  for (int i = 0; i < c.blocks; ++i) {
    const std::string block = fmt::format("blocks.{}.", i);
    add(block + "conv1", {c.channels, c.channels, 3, 3});
    add(block + "conv2", {c.channels, c.channels, 3, 3});
    if (c.se_channels == 0) continue;
    add(block + "se.fc1", {c.se_channels, c.channels});
    add(block + "se.fc2", {2 * c.channels, c.se_channels});
  }
  add("policy.conv", {c.channels, c.channels, 1, 1});
  add("policy.from", {c.policy_channels, c.channels, 1, 1});
  add("policy.to", {c.policy_channels, c.channels, 1, 1});
  shapes["policy.move_bias"] = {kPolicySize};
  add("value.conv", {c.value_channels, c.channels, 1, 1});
  add("value.fc1", {c.value_hidden, kBoard * c.value_channels});
  add("value.wdl", {3, c.value_hidden});
  add("value.moves", {1, c.value_hidden});
  return shapes;
}

void check_net_config(const NetConfig& config) {
  NetConfig copy = config;
  const Fields fields = fields_of(copy);
  for (const Fields::Field& field : fields.all()) {
    try {
      field.set(field.get());
    } catch (const Error& e) {
      throw Error("net config: {}: {}", field.name, e.what());
    }
  }
  if (config.channels % 16 != 0)
    throw Error("net config: channels: {}, expected a multiple of 16", config.channels);
  if (config.encoding != kEncodingVersion)
    throw Error("net config: encoding {}, expected {}", config.encoding, kEncodingVersion);
}

}  // namespace chuhe::nn
