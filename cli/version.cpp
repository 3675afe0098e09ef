#include "cli/version.h"

#include <fmt/format.h>

#include "base/build_info.h"
#include "base/error.h"
#include "nn/api/torch_plugin.h"
#include "nn/infer/torch_evaluator.h"

namespace chuhe::cli {

void print_version() {
  fmt::print("{}", describe_build());
  std::string why;
  if (!nn::torch_available(&why)) {
    fmt::print("here        {}\n", why);
    return;
  }
  fmt::print("here        {}\n", nn::describe_torch());
}

}  // namespace chuhe::cli
