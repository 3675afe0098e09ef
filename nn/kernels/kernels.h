#pragma once
// Our CUDA kernels. No CUDA header here: `stream` is a cudaStream_t, all other pointers are device memory of
// the current device. Nothing is allocated and nothing waits, so that calls may be captured into a graph.
// Each kernel runs the same host-device body as its CPU twin. Throws Error if a launch fails.

#include <cstdint>

#include "nn/encoding/row.h"

namespace chuhe::nn {

enum class PlaneType { F32, F16, BF16 };

/// rows[count] -> planes [count][90][48] of the type, all written. `planes` is aligned to 16 bytes. Twin:
/// expand_planes() of nn/encoding/planes.h.
void launch_expand_planes(const PackedRow* rows, int count, void* planes, PlaneType type, void* stream);

struct PolicyGather {
  const float* from;        // [rows][90][dims], square `stride` floats after square
  const float* to;          // the same for destinations
  int stride, dims;         // a row is 90 * stride floats after the last
  const float* move_bias;   // [2062]
  const uint16_t* moves;    // policy_moves(), copied to the device
  const uint16_t* indices;  // legal moves of all rows, ragged, at most 128 per row (EvalBatch::all_indices)
  const uint32_t* offsets;  // [rows + 1]; a row may have none (padding)
};
/// priors[offsets[rows]]: softmax over each row's legal moves. Twin: gather_policy() of
/// nn/model/policy_head.h.
void launch_gather_policy(const PolicyGather& in, int rows, float* priors, void* stream);

}  // namespace chuhe::nn
