#include "nn/infer/torch_device.h"

#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <malloc.h>
#include <torch/version.h>

#include <charconv>
#include <string_view>

#include "base/error.h"
#include "nn/infer/torch_cuda.h"

namespace chuhe::nn {
namespace {

int cuda_devices() {
  return at::globalContext().hasCUDA() ? at::detail::getCUDAHooks().deviceCount() : 0;
}

}  // namespace

at::Device torch_device(const std::string& name) {
  const int devices = name == "cpu" ? 0 : cuda_devices();
  if (name == "cpu" || (name == "auto" && devices == 0)) return at::kCPU;
  int index = 0;
  const std::string_view digits = name.starts_with("cuda:") ? std::string_view(name).substr(5) : "0";
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if ((name != "auto" && name != "cuda" && !name.starts_with("cuda:")) || error != std::errc() ||
      end != digits.data() + digits.size() || index < 0)
    throw Error("device '{}': expected auto, cpu, cuda or cuda:N", name);
  if (index >= devices)
    throw Error("device '{}': {} CUDA devices found by {}; use auto or cpu", name, devices,
                describe_libtorch());
  return at::Device(at::kCUDA, at::DeviceIndex(index));
}

at::ScalarType torch_precision(const std::string& name, at::Device device) {
  if (name == "auto") return device.is_cuda() ? at::kBFloat16 : at::kFloat;
  if (name == "fp32") return at::kFloat;
  if (name == "bf16") return at::kBFloat16;
  if (name != "fp16") throw Error("precision '{}': expected auto, fp32, bf16 or fp16", name);
  if (!device.is_cuda()) throw Error("precision 'fp16' needs a CUDA device; the CPU has fp32 and bf16");
  return at::kHalf;
}

std::string precision_name(at::ScalarType type) {
  return type == at::kFloat ? "fp32" : type == at::kBFloat16 ? "bf16" : "fp16";
}

std::string device_name(at::Device device) {
  if (!device.is_cuda()) return "cpu";
  return fmt::format("cuda:{} ({})", int(device.index()), cuda_device_name(device.index()));
}

std::string describe_libtorch() {
  std::string text = fmt::format("LibTorch {}", TORCH_VERSION);
  text += cuda_versions();
  const int devices = cuda_devices();
  for (int i = 0; i < devices; ++i)
    text += fmt::format("{}{}", i ? ", " : ", devices: ", cuda_device_name(at::DeviceIndex(i)));
  return devices ? text : text + ", no CUDA device";
}

void tune_allocator() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
}

void use_threads(int threads) {
  if (at::get_num_threads() != threads) at::set_num_threads(threads);
}

}  // namespace chuhe::nn
