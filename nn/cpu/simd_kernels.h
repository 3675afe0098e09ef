#pragma once
// The vector code under simd_forward.cpp: a handful of loops, compiled once for each instruction set
// (simd_body.h) and chosen at run time. Every output is summed in one fixed order, a product rounded before
// it is added, so that all instruction sets give the same bits.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace chuhe::nn::simd {

/// Activations lie on a grid with a ring of zeros around the board: [12][11][channels], so that a 3x3 window
/// needs no tests.
constexpr int kGridFiles = 11, kGridRanks = 12, kGridSquares = kGridFiles * kGridRanks;
constexpr int kFirstSquare = kGridFiles + 1;
/// Output channels are packed (and padded with zeros) in panels of this width.
constexpr int kPanel = 16;
constexpr int padded(int channels) {
  return (channels + kPanel - 1) / kPanel * kPanel;
}

/// weight: [panel][tap][in][kPanel]
struct Layer {
  int in = 0, out = 0;  // out a multiple of kPanel
  std::vector<float> weight, bias;
};

/// The first convolution, whose inputs are bits. weight: [plane][tap][out]
struct StemLayer {
  int out = 0;
  std::vector<float> weight, bias;
};

struct Kernels {
  std::string_view level;
  /// masks: the planes of the 90 squares as bits. Writes relu(conv) to the grid `out`, ring included.
  void (*stem)(const uint64_t* masks, const StemLayer& layer, float* out);
  /// Grid to grid; the ring of `out` is left alone.
  void (*conv3x3)(const float* in, const Layer& layer, bool relu, float* out);
  /// `rows` vectors that are `in_stride` apart, to rows `out_stride` apart.
  void (*dense)(const float* in, ptrdiff_t in_stride, int rows, const Layer& layer, bool relu, float* out,
                ptrdiff_t out_stride);
  /// The means of each channel over the board.
  void (*mean)(const float* grid, int channels, float* out);
  /// x = relu(x + gate * y + add) on the board.
  void (*residual)(float* x, const float* y, const float* gate, const float* add, int channels);
};

/// Those that this CPU can run, the widest first. The last, "baseline", runs everywhere.
std::vector<const Kernels*> usable_kernels();

}  // namespace chuhe::nn::simd
