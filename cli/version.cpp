#include "cli/version.h"

#include <fmt/format.h>

#include <string>

#include "base/build_info.h"
#include "nn/api/torch_plugin.h"

namespace chuhe::cli {

void print_version() {
  fmt::print("{}", describe_build());
  std::string why;
  if (nn::torch_available(&why)) {
    fmt::print("torch plugin loads\n");
  } else {
    fmt::print("torch plugin does not load: {}\n", why);
  }
}

}  // namespace chuhe::cli
