#pragma once
// A fresh net from a seed. No torch: the numbers come from our own generator, so a seed gives the same net
// everywhere, and the trainer starts from the same weights (nn/net/parameters.h).

#include <cstdint>
#include <string>

#include "nn/model/net_file.h"

namespace chuhe::nn {

/// The untrained net of `config` and `seed`: step 0, no parent. Its self-check outputs come from the
/// torch-free forward pass (nn/cpu). `rule_set` is the name that goes into the file.
NetFile init_net(const NetConfig& config, uint64_t seed, const std::string& id, const std::string& rule_set);

}  // namespace chuhe::nn
