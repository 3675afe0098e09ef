#pragma once
// The last step of the policy: embeddings of squares -> logits of the legal moves -> priors. The bodies are
// host-device functions; the CPU twin is gather_policy(), the CUDA kernel is in nn/kernels. The meaning is
// fixed in docs/net_file.md.

#include <cstdint>
#include <span>

#include "nn/encoding/host_device.h"

namespace chuhe::nn {

namespace policy_head {

/// A row's moves fit into so many slots (EvalBatch allows 128).
constexpr int kSlots = 128;

/// dot(from, to) of `dims` numbers, in four partial sums so that a thread need not wait on each addition.
template <class T, class ToFloat>
CHUHE_HOST_DEVICE inline float dot(const T* from, const T* to, int dims, ToFloat to_float) {
  float sum[4] = {0, 0, 0, 0};
  int d = 0;
  for (; d + 4 <= dims; d += 4)
    for (int i = 0; i < 4; ++i) sum[i] += to_float(from[d + i]) * to_float(to[d + i]);
  for (int i = 0; d < dims; ++d, ++i) sum[i] += to_float(from[d]) * to_float(to[d]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// One lane's part of a step of the tree that adds up kSlots numbers: run it for all lanes below `width`, for
/// width kSlots / 2, ..., 2, 1; the sum is then in slots[0]. A tree of fixed shape gives one rounding
/// whatever runs in parallel.
CHUHE_HOST_DEVICE inline void fold_step(float* slots, int lane, int width) {
  slots[lane] += slots[lane + width];
}

}  // namespace policy_head

/// A row's square embeddings: `from` and `to` point to square 0, squares are `stride` floats apart.
struct PolicyEmbeddings {
  const float* from;
  const float* to;
  int stride;
  int dims;
  const float* move_bias;  // [kPolicySize]
};

/// The logit of one policy index.
float policy_logit(const PolicyEmbeddings& row, int index);
/// Softmax over the logits of the given indices (1 to 128 of them), in their order. The same bits on every
/// machine.
void gather_policy(const PolicyEmbeddings& row, std::span<const uint16_t> indices, float* priors);

}  // namespace chuhe::nn
