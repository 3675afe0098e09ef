#pragma once
// What this build is made of: for `chuhe --version` and for the code revision that every output carries.

#include <string>

namespace chuhe {

struct BuildInfo {
  const char* version;     // of Chuhe
  const char* revision;    // git's short hash, with "-dirty" where tracked files differed from it; "unknown"
                           // outside a git tree
  const char* compiler;    // name and version
  const char* build_type;  // "Release", and sanitizers if any
  const char* hdf5;        // HDF5's version at build time
  const char* torch;       // LibTorch's version at build time, "" without it
  const char* cuda;        // CUDA toolkit's version at build time, "" where no kernel was built
};

const BuildInfo& build_info();

/// One line a fact, as `chuhe --version` prints them; LibTorch and CUDA as the build found them, not as the
/// machine has them.
std::string describe_build();

}  // namespace chuhe
