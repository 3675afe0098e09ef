#pragma once
// Bodies of the kernels for vectors of L floats. They are always inlined into functions that carry the
// instruction set, see simd_kernels.cpp. The compilers' vector extensions, no intrinsics: where a vector is
// wider than the machine's, the compiler splits it.

#include <bit>
#include <cstring>
#include <utility>

#include "nn/cpu/simd_kernels.h"

namespace chuhe::nn::simd {

#define CHUHE_INLINE inline __attribute__((always_inline))

template <int L>
struct VectorOf {
  typedef float type __attribute__((vector_size(L * sizeof(float))));
};
template <int L>
using Vec = typename VectorOf<L>::type;

template <class V>
CHUHE_INLINE void load(V& v, const float* p) {
  std::memcpy(&v, p, sizeof v);
}
template <class V>
CHUHE_INLINE void store(float* p, const V& v) {
  std::memcpy(p, &v, sizeof v);
}
/// NaN stays NaN, so that an overflow is seen at the outputs.
template <class V>
CHUHE_INLINE void relu(V& v) {
  v = v < 0.0f ? V{} : v;
}

/// acc[m] += sum over c of a[m * stride + c] * w[c][0 .. L-1]
template <int L, size_t... m>
CHUHE_INLINE void accumulate(Vec<L>* acc, const float* a, ptrdiff_t stride, const float* w, int count,
                             std::index_sequence<m...>) {
  for (int c = 0; c < count; ++c, w += kPanel) {
    Vec<L> weight;
    load(weight, w);
    ((acc[m] += a[ptrdiff_t(m) * stride + c] * weight), ...);
  }
}

template <int L, size_t... m>
CHUHE_INLINE void finish(Vec<L>* acc, bool apply_relu, float* out, ptrdiff_t stride,
                         std::index_sequence<m...>) {
  if (apply_relu) (relu(acc[m]), ...);
  (store(out + ptrdiff_t(m) * stride, acc[m]), ...);
}

template <int L, size_t... m>
CHUHE_INLINE void start(Vec<L>* acc, const float* bias, std::index_sequence<m...>) {
  (load(acc[m], bias), ...);
}

template <int L>
CHUHE_INLINE void conv3x3_body(const float* in, const Layer& layer, bool apply_relu, float* out) {
  constexpr auto files = std::make_index_sequence<9>{};
  const int channels = layer.in;
  for (int o = 0; o < layer.out; o += L) {
    const float* panel = layer.weight.data() + ptrdiff_t(o / kPanel) * 9 * channels * kPanel + o % kPanel;
    for (int rank = 0; rank < 10; ++rank) {
      Vec<L> acc[9];
      start<L>(acc, layer.bias.data() + o, files);
      for (int tap = 0; tap < 9; ++tap) {
        const int row = rank + tap / 3;  // of the grid; 0 and 11 are zeros
        if (row == 0 || row == kGridRanks - 1) continue;
        const float* a = in + ptrdiff_t(row * kGridFiles + tap % 3) * channels;
        accumulate<L>(acc, a, channels, panel + ptrdiff_t(tap) * channels * kPanel, channels, files);
      }
      finish<L>(acc, apply_relu, out + ptrdiff_t(kFirstSquare + rank * kGridFiles) * layer.out + o, layer.out,
                files);
    }
  }
}

template <int L, int M>
CHUHE_INLINE void dense_rows(const float* in, ptrdiff_t in_stride, const Layer& layer, bool apply_relu,
                             float* out, ptrdiff_t out_stride) {
  constexpr auto rows = std::make_index_sequence<M>{};
  for (int o = 0; o < layer.out; o += L) {
    Vec<L> acc[M];
    start<L>(acc, layer.bias.data() + o, rows);
    const float* panel = layer.weight.data() + ptrdiff_t(o / kPanel) * layer.in * kPanel + o % kPanel;
    accumulate<L>(acc, in, in_stride, panel, layer.in, rows);
    finish<L>(acc, apply_relu, out + o, out_stride, rows);
  }
}

/// Tiles of 9, 3 and 1 rows: each output is summed alone, so the tiling does not show in the result.
template <int L>
CHUHE_INLINE void dense_body(const float* in, ptrdiff_t in_stride, int rows, const Layer& layer,
                             bool apply_relu, float* out, ptrdiff_t out_stride) {
  int row = 0;
  for (; row + 9 <= rows; row += 9)
    dense_rows<L, 9>(in + row * in_stride, in_stride, layer, apply_relu, out + row * out_stride, out_stride);
  for (; row + 3 <= rows; row += 3)
    dense_rows<L, 3>(in + row * in_stride, in_stride, layer, apply_relu, out + row * out_stride, out_stride);
  for (; row < rows; ++row)
    dense_rows<L, 1>(in + row * in_stride, in_stride, layer, apply_relu, out + row * out_stride, out_stride);
}

/// Adds the weights of the set bits: of 48 planes few are set on a square. An input square reaches the
/// outputs around it.
template <int L>
CHUHE_INLINE void stem_body(const uint64_t* masks, const StemLayer& layer, float* out) {
  const int channels = layer.out;
  for (int s = 0; s < kGridSquares; ++s)
    std::memcpy(out + ptrdiff_t(s) * channels, layer.bias.data(), size_t(channels) * sizeof(float));
  for (int s = 0; s < 90; ++s) {
    const int at = kFirstSquare + s / 9 * kGridFiles + s % 9;
    for (int tap = 0; tap < 9; ++tap) {
      float* to = out + ptrdiff_t(at - (tap / 3 - 1) * kGridFiles - (tap % 3 - 1)) * channels;
      for (int c = 0; c < channels; c += L) {
        Vec<L> sum, weight;
        load(sum, to + c);
        for (uint64_t bits = masks[s]; bits; bits &= bits - 1) {
          load(weight, layer.weight.data() + (ptrdiff_t(std::countr_zero(bits)) * 9 + tap) * channels + c);
          sum += weight;
        }
        store(to + c, sum);
      }
    }
  }
  for (int s = 0; s < kGridSquares; ++s) {
    const int rank = s / kGridFiles, file = s % kGridFiles;
    const bool ring = rank == 0 || rank == kGridRanks - 1 || file == 0 || file == kGridFiles - 1;
    for (int c = 0; c < channels; c += L) {
      Vec<L> v{};
      if (!ring) load(v, out + ptrdiff_t(s) * channels + c);
      relu(v);
      store(out + ptrdiff_t(s) * channels + c, v);
    }
  }
}

template <int L>
CHUHE_INLINE void mean_body(const float* grid, int channels, float* out) {
  for (int c = 0; c < channels; c += L) {
    Vec<L> sum{}, v;
    for (int s = 0; s < 90; ++s) {
      load(v, grid + ptrdiff_t(kFirstSquare + s / 9 * kGridFiles + s % 9) * channels + c);
      sum += v;
    }
    sum = sum / 90.0f;
    store(out + c, sum);
  }
}

template <int L>
CHUHE_INLINE void residual_body(float* x, const float* y, const float* gate, const float* add, int channels) {
  for (int s = 0; s < 90; ++s) {
    const ptrdiff_t at = ptrdiff_t(kFirstSquare + s / 9 * kGridFiles + s % 9) * channels;
    for (int c = 0; c < channels; c += L) {
      Vec<L> sum, v, g, a;
      load(sum, x + at + c);
      load(v, y + at + c);
      load(g, gate + c);
      load(a, add + c);
      sum += v * g;
      sum += a;
      relu(sum);
      store(x + at + c, sum);
    }
  }
}

}  // namespace chuhe::nn::simd
