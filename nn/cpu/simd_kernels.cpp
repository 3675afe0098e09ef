#include "nn/cpu/simd_kernels.h"

#include "nn/cpu/simd_body.h"

namespace chuhe::nn::simd {
namespace {

// One table of kernels: the bodies for vectors of `width` floats, each inlined into a function with the
// attribute.
#define CHUHE_SIMD_LEVEL(name, width, attribute)                                                         \
  namespace name {                                                                                       \
  attribute void stem(const uint64_t* masks, const StemLayer& layer, float* out) {                       \
    stem_body<width>(masks, layer, out);                                                                 \
  }                                                                                                      \
  attribute void conv3x3(const float* in, const Layer& layer, bool relu, float* out) {                   \
    conv3x3_body<width>(in, layer, relu, out);                                                           \
  }                                                                                                      \
  attribute void dense(const float* in, ptrdiff_t in_stride, int rows, const Layer& layer, bool relu,    \
                       float* out, ptrdiff_t out_stride) {                                               \
    dense_body<width>(in, in_stride, rows, layer, relu, out, out_stride);                                \
  }                                                                                                      \
  attribute void mean(const float* grid, int channels, float* out) {                                     \
    mean_body<width>(grid, channels, out);                                                               \
  }                                                                                                      \
  attribute void residual(float* x, const float* y, const float* gate, const float* add, int channels) { \
    residual_body<width>(x, y, gate, add, channels);                                                     \
  }                                                                                                      \
  constexpr Kernels kKernels = {#name, stem, conv3x3, dense, mean, residual};                            \
  }

CHUHE_SIMD_LEVEL(baseline, 4, )
#ifdef __x86_64__
CHUHE_SIMD_LEVEL(avx2, 8, __attribute__((target("avx2"))))
CHUHE_SIMD_LEVEL(avx512, 16, __attribute__((target("avx512f"))))
#endif

}  // namespace

std::vector<const Kernels*> usable_kernels() {
  std::vector<const Kernels*> list;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) list.push_back(&avx512::kKernels);
  if (__builtin_cpu_supports("avx2")) list.push_back(&avx2::kKernels);
#endif
  list.push_back(&baseline::kKernels);
  return list;
}

}  // namespace chuhe::nn::simd
