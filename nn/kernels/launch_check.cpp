// Apart from the .cu files: nvcc need not read what base/error.h includes.

#include "nn/kernels/launch_check.h"

#include "base/error.h"

namespace chuhe::nn {

void check_launch(const char* kernel, const char* message) {
  if (message) throw Error("CUDA: kernel {} cannot be launched: {}", kernel, message);
}

}  // namespace chuhe::nn
