#include "base/error.h"
#include "nn/infer/torch_cuda.h"

namespace chuhe::nn {

std::string cuda_device_name(at::DeviceIndex) {
  return "unknown";
}

std::string cuda_versions() {
  return ", built without CUDA";
}

at::Tensor cuda_planes(const PackedRow*, int64_t, at::Device device) {
  throw Error("device '{}': this build of chuhe has no CUDA kernels", device.str());
}

std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const InferNet>, const EvaluatorInfo& info) {
  throw Error("device '{}': this build of chuhe has no CUDA kernels", info.device);
}

}  // namespace chuhe::nn
