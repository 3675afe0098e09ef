// The torch-free side: opens the plugin and passes the call on.

#include "nn/infer/torch_client.h"

#include "nn/infer/torch_entry.h"
#include "nn/infer/torch_evaluator.h"

namespace chuhe::nn {

NetHandle open_torch_net(const NetFile& net, const EvaluatorSettings& settings) {
  NetHandle handle;
  CHUHE_TORCH_CALL(chuhe_torch_open_net, net, settings, handle);
  return handle;
}

std::string describe_torch() {
  std::string text;
  CHUHE_TORCH_CALL(chuhe_torch_describe, text);
  return text;
}

}  // namespace chuhe::nn
