#pragma once

namespace chuhe::cli {

/// `chuhe --version`: code revision, compiler, HDF5, and LibTorch and CUDA where the plugin loads.
void print_version();

}  // namespace chuhe::cli
