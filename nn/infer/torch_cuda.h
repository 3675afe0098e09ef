#pragma once
// The CUDA side of the plugin. torch_cuda.cpp has it where chuhe::torch_cuda and our kernels are built,
// torch_no_cuda.cpp stands in elsewhere (there is then no device that could ask for it).

#include <ATen/ATen.h>

#include <memory>
#include <string>

#include "nn/api/evaluator.h"
#include "nn/net/infer_net.h"

namespace chuhe::nn {

std::string cuda_device_name(at::DeviceIndex index);
/// ", CUDA 13.0, cuDNN 9.19", or " without CUDA".
std::string cuda_versions();

/// Packed rows (host) to planes [n, 90, 48] on the device.
at::Tensor cuda_planes(const PackedRow* rows, int64_t n, at::Device device);

/// An evaluator with a stream of its own; its batches are in pinned memory.
std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const InferNet> net,
                                               const EvaluatorInfo& info);

}  // namespace chuhe::nn
