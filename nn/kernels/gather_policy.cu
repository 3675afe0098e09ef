#include <cuda_runtime.h>

#include "nn/kernels/kernels.h"
#include "nn/kernels/launch_check.h"
#include "nn/model/policy_head.h"

namespace chuhe::nn {
namespace {

using policy_head::kSlots;

// A block per row, a thread per legal move.
__global__ void __launch_bounds__(kSlots) gather_kernel(PolicyGather in, float* priors) {
  __shared__ float slots[kSlots];
  const int lane = int(threadIdx.x);
  const uint32_t first = in.offsets[blockIdx.x];
  const int moves = int(in.offsets[blockIdx.x + 1] - first);
  if (moves == 0) return;  // the same for the whole block
  float logit = -INFINITY;
  if (lane < moves) {
    const int index = in.indices[first + lane];
    const int move = in.moves[index];
    const size_t row = size_t(blockIdx.x) * 90;
    const float* from = in.from + (row + (move & 127)) * in.stride;
    const float* to = in.to + (row + (move >> 7)) * in.stride;
    logit = policy_head::dot(from, to, in.dims, [](float x) { return x; }) * (1.0f / sqrtf(float(in.dims))) +
            in.move_bias[index];
  }
  slots[lane] = logit;
  __syncthreads();
  for (int width = kSlots / 2; width > 0; width /= 2) {
    if (lane < width) slots[lane] = fmaxf(slots[lane], slots[lane + width]);
    __syncthreads();
  }
  const float max = slots[0];
  __syncthreads();
  const float weight = lane < moves ? expf(logit - max) : 0.0f;
  slots[lane] = weight;
  __syncthreads();
  for (int width = kSlots / 2; width > 0; width /= 2) {
    if (lane < width) policy_head::fold_step(slots, lane, width);
    __syncthreads();
  }
  if (lane < moves) priors[first + lane] = weight / slots[0];
}

}  // namespace

void launch_gather_policy(const PolicyGather& in, int rows, float* priors, void* stream) {
  if (rows <= 0) return;
  gather_kernel<<<rows, kSlots, 0, static_cast<cudaStream_t>(stream)>>>(in, priors);
  const cudaError_t error = cudaGetLastError();
  check_launch("gather_policy", error == cudaSuccess ? nullptr : cudaGetErrorString(error));
}

}  // namespace chuhe::nn
