#include "run/run_folder.h"

#include <charconv>

namespace chuhe::run {

int newest_net(const RunFolder& folder) {
  int newest = -1;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder.nets(), ec)) {
    if (entry.path().extension() != ".safetensors") continue;
    const std::string stem = entry.path().stem().string();
    int number = -1;
    const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
    if (error == std::errc() && end == stem.data() + stem.size()) newest = std::max(newest, number);
  }
  return newest;
}

}  // namespace chuhe::run
