#include <cuda_runtime.h>

#include "nn/encoding/planes_inl.h"
#include "nn/kernels/kernels.h"
#include "nn/kernels/launch_check.h"

namespace chuhe::nn {
namespace {

using planes::kBoardSquares;

constexpr int kThreads = 96;

// 1.0 in each type, as bits.
template <PlaneType type>
struct One;
template <>
struct One<PlaneType::F32> {
  using Word = uint32_t;
  static constexpr Word value = 0x3f800000;
};
template <>
struct One<PlaneType::F16> {
  using Word = uint16_t;
  static constexpr Word value = 0x3c00;
};
template <>
struct One<PlaneType::BF16> {
  using Word = uint16_t;
  static constexpr Word value = 0x3f80;
};

// A block per row, a thread per square; then all threads write the planes in order, 16 bytes at a time.
template <PlaneType type>
__global__ void __launch_bounds__(kThreads) expand_kernel(const PackedRow* rows, uint4* out) {
  __shared__ PackedRow row;
  __shared__ unsigned char board[kBoardSquares];
  __shared__ unsigned char attacked[2][kBoardSquares];
  __shared__ uint64_t masks[kBoardSquares];
  __shared__ int king;
  const int s = int(threadIdx.x);
  if (s < int(sizeof(PackedRow) / 2))
    reinterpret_cast<uint16_t*>(&row)[s] = reinterpret_cast<const uint16_t*>(rows + blockIdx.x)[s];
  if (s == 0) king = -1;
  __syncthreads();
  if (s < kBoardSquares) {
    board[s] = static_cast<unsigned char>(planes::piece_at(row, s));
    attacked[0][s] = attacked[1][s] = 0;
  }
  __syncthreads();
  if (s < kBoardSquares && board[s]) {
    // As the twin does with several own kings (no real row has them): the last counts.
    if (board[s] == 1) atomicMax(&king, s);
    unsigned char* by = attacked[board[s] > 7];
    planes::attacks_of(board, s, [by](int target) { by[target] = 1; });
  }
  __syncthreads();
  if (s < kBoardSquares)
    masks[s] = planes::common_planes(row, king >= 0 && attacked[1][king]) | planes::history_planes(row, s) |
               planes::board_planes(board[s], attacked[0][s], attacked[1][s]);
  __syncthreads();
  using Word = typename One<type>::Word;
  constexpr int kWords = sizeof(uint4) / sizeof(Word), kChunks = kBoardSquares * kPlanes / kWords;
  static_assert(kPlanes % kWords == 0, "a chunk lies within one square");
  out += size_t(blockIdx.x) * kChunks;
  for (int chunk = s; chunk < kChunks; chunk += kThreads) {
    const int first = chunk * kWords;
    const uint64_t bits = masks[first / kPlanes] >> (first % kPlanes);
    union {
      Word words[kWords];
      uint4 vector;
    };
#pragma unroll
    for (int i = 0; i < kWords; ++i) words[i] = bits >> i & 1 ? One<type>::value : Word(0);
    out[chunk] = vector;
  }
}

}  // namespace

void launch_expand_planes(const PackedRow* rows, int count, void* planes, PlaneType type, void* stream) {
  if (count <= 0) return;
  auto* out = static_cast<uint4*>(planes);
  const auto s = static_cast<cudaStream_t>(stream);
  switch (type) {
    case PlaneType::F32:
      expand_kernel<PlaneType::F32><<<count, kThreads, 0, s>>>(rows, out);
      break;
    case PlaneType::F16:
      expand_kernel<PlaneType::F16><<<count, kThreads, 0, s>>>(rows, out);
      break;
    case PlaneType::BF16:
      expand_kernel<PlaneType::BF16><<<count, kThreads, 0, s>>>(rows, out);
      break;
  }
  const cudaError_t error = cudaGetLastError();
  check_launch("expand_planes", error == cudaSuccess ? nullptr : cudaGetErrorString(error));
}

}  // namespace chuhe::nn
