#pragma once
// What a net is made of. The same description builds the torch module (nn/net) and the torch-free one
// (nn/cpu). The layers that it stands for are written down in docs/net_file.md.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/config.h"

namespace chuhe::nn {

/// Plies per unit of the moves-left head's softplus.
constexpr float kMovesLeftScale = 50;

struct NetConfig {
  int blocks = 2;
  int channels = 32;         // a multiple of 16
  int se_channels = 16;      // squeeze-excitation's inner width, 0 = none
  int policy_channels = 32;  // length of the squares' embeddings whose products are the policy logits
  int value_channels = 16;   // 1x1 convolution before the value heads
  int value_hidden = 64;
  int encoding = 1;  // encoding version of its input

  void describe(Fields& f);
  bool operator==(const NetConfig&) const = default;
};

/// nano 2x32, tiny 4x64, small 6x96, base 10x128, large 20x256. Throws Error listing the names.
NetConfig net_preset(std::string_view name);
std::vector<std::string_view> net_preset_names();
/// Multiply-adds for one position (convolutions counted over the whole board, padding included; 40 legal
/// moves).
double macs_per_position(const NetConfig& config);
/// Trainable numbers, batch norm folded.
int64_t parameter_count(const NetConfig& config);
/// Every tensor of such a net with its shape, by name.
std::map<std::string, std::vector<int64_t>> tensor_shapes(const NetConfig& config);
/// Throws Error if a size is out of its range, channels are no multiple of 16, or the encoding is not this
/// build's.
void check_net_config(const NetConfig& config);

}  // namespace chuhe::nn
