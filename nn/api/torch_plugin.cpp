#include "nn/api/torch_plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/error.h"

namespace chuhe::nn {
namespace {

namespace fs = std::filesystem;

constexpr bool kBuiltWithTorch = CHUHE_BUILT_WITH_TORCH;

struct Plugin {
  void* handle = nullptr;
  std::string path;
  std::string failure;  // why it cannot be used; empty where it can
};

std::vector<fs::path> candidates() {
  if (const char* given = std::getenv("CHUHE_TORCH_PLUGIN"); given && *given) return {given};
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path folder = program.parent_path();
  return {folder.parent_path() / "lib" / CHUHE_TORCH_PLUGIN_NAME, folder / CHUHE_TORCH_PLUGIN_NAME};
}

// Why the library that was opened must not be used, or nothing. Asked before any other of its functions.
std::string misfit(void* handle, const std::string& path) {
  void* const build = dlsym(handle, "chuhe_torch_build");
  const std::string its =
      build ? reinterpret_cast<decltype(&chuhe_torch_build)>(build)() : "unknown, it does not tell";
  if (its == kPluginBuild) return {};
  return fmt::format(
      "LibTorch: {} belongs to another build of chuhe ({}; this program: {}); build or install "
      "both together",
      path, its, kPluginBuild);
}

Plugin open_plugin() {
  Plugin plugin;
  std::string looked;
  for (const fs::path& path : candidates()) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      looked += (looked.empty() ? "" : ", ") + path.string();
      continue;
    }
    // Read when the OpenMP runtime is loaded: its threads would otherwise spin between two operations and
    // take the cores from workers (training beside a busy neighbour: 5 times slower).
    setenv("OMP_WAIT_POLICY", "PASSIVE", /*overwrite=*/0);
    plugin.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    plugin.path = path.string();
    if (plugin.handle) {
      plugin.failure = misfit(plugin.handle, plugin.path);
    } else {
      const char* why = dlerror();
      plugin.failure =
          fmt::format("LibTorch: {} cannot be loaded: {}", plugin.path, why ? why : "unknown cause");
    }
    return plugin;
  }
  plugin.failure =
      kBuiltWithTorch
          ? fmt::format("LibTorch: no plugin, looked at {} (CHUHE_TORCH_PLUGIN names another)", looked)
          : fmt::format("LibTorch: this build of chuhe is without it (looked at {})", looked);
  return plugin;
}

// Opened once and never closed: LibTorch does not survive being unloaded.
const Plugin& plugin() {
  static const Plugin opened = open_plugin();
  return opened;
}

}  // namespace

void* torch_symbol(const char* name) {
  const Plugin& p = plugin();
  if (!p.failure.empty()) throw Error(p.failure);
  void* symbol = dlsym(p.handle, name);
  if (!symbol) throw Error("LibTorch: {} has no function '{}'", p.path, name);
  return symbol;
}

bool torch_available(std::string* why) {
  const Plugin& p = plugin();
  if (why) *why = p.failure;
  return p.failure.empty();
}

}  // namespace chuhe::nn
