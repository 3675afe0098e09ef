#include "nn/net/init_net.h"

#include <memory>

#include "base/build_info.h"
#include "nn/cpu/cpu_evaluator.h"
#include "nn/net/check_rows.h"
#include "nn/net/parameters.h"

namespace chuhe::nn {

NetFile init_net(const NetConfig& config, uint64_t seed, const std::string& id, const std::string& rule_set) {
  NetFile net;
  net.id = id;
  net.rule_set = rule_set;
  net.revision = build_info().revision;
  net.config = config;
  net.tensors = folded(config, initial_net(config, seed));
  const auto shared = std::make_shared<const NetFile>(net);
  for (const PackedRow& row : self_check_rows()) net.checks.push_back(self_check_of(shared, row));
  return net;
}

}  // namespace chuhe::nn
