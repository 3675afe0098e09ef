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
  const auto or_none = [](const char* text) { return *text != '\0' ? text : "none"; };
  return fmt::format("chuhe {}\nrevision {}\ncompiler {}\nbuild {}\nhdf5 {}\ntorch {}\ncuda {}\n", b.version,
                     b.revision, b.compiler, b.build_type, b.hdf5, or_none(b.torch), or_none(b.cuda));
}

}  // namespace chuhe
