#include "base/build_info.h"

#include <fmt/format.h>

#include "build_config.h"

namespace chuhe {

// In a source that each build writes anew when the revision has changed (cmake/ChuheRevision.cmake), so that
// only it is recompiled.
extern const char* const kBuildRevision;

const BuildInfo& build_info() {
  static const BuildInfo info{CHUHE_BUILD_VERSION, kBuildRevision,    CHUHE_BUILD_COMPILER, CHUHE_BUILD_TYPE,
                              CHUHE_BUILD_HDF5,    CHUHE_BUILD_TORCH, CHUHE_BUILD_CUDA};
  return info;
}

std::string describe_build() {
  const BuildInfo& b = build_info();
  const auto line = [](const char* name, const char* value) {
    return fmt::format("{:<12}{}\n", name, *value != '\0' ? value : "none");
  };
  return line("chuhe", b.version) + line("revision", b.revision) + line("compiler", b.compiler) +
         line("build", b.build_type) + line("hdf5", b.hdf5) + line("torch", b.torch) + line("cuda", b.cuda);
}

}  // namespace chuhe
