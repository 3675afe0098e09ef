#pragma once

namespace chuhe::nn {

/// Throws Error naming the kernel if `message` is one (the text of the last CUDA error; nullptr: none).
void check_launch(const char* kernel, const char* message);

}  // namespace chuhe::nn
