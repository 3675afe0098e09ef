#pragma once
// Devices and precisions by the names of the settings, and the state of LibTorch that is the process's.

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <string>

#include "base/error.h"

namespace chuhe::nn {

/// "auto" (CUDA where LibTorch finds one, else the CPU), "cpu", "cuda", "cuda:N". Throws Error, with what
/// LibTorch finds, for a device that is not there.
at::Device torch_device(const std::string& name);
/// "auto" (fp32 on the CPU, bf16 on CUDA), "fp32", "bf16", "fp16" (CUDA only).
at::ScalarType torch_precision(const std::string& name, at::Device device);
std::string precision_name(at::ScalarType type);
/// "cpu", "cuda:0 (NVIDIA H200)".
std::string device_name(at::Device device);
/// For EvaluatorInfo and `chuhe --version`.
std::string describe_libtorch();

/// Once, when the plugin is loaded: without it glibc gives the memory of freed tensors back to the kernel at
/// every forward pass, which costs more than half of the speed.
void tune_allocator();
/// Runs `work`; what LibTorch throws (a device out of memory, say) becomes an Error "<what>: <its first
/// line>".
template <class Work>
auto with_torch_errors(const std::string& what, Work work) {
  try {
    return work();
  } catch (const c10::Error& e) {
    const std::string text = e.what_without_backtrace();
    throw Error("{}: {}", what, text.substr(0, text.find('\n')));
  }
}

/// Intra-op threads of the calling thread's torch calls.
void use_threads(int threads);

}  // namespace chuhe::nn
