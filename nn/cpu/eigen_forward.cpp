// The net of docs/net_file.md, written down as plainly as Eigen allows: one row at a time, activations
// [90][channels].

#include <Eigen/Core>

#include "base/error.h"
#include "nn/cpu/backends.h"
#include "nn/encoding/planes.h"

namespace chuhe::nn {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::RowVectorXf;
constexpr int kSquares = 90, kFiles = 9, kRanks = 10;

// weight: [in * taps][out], so that a layer is input * weight + bias.
struct Layer {
  Matrix weight;
  Vector bias;
};

struct Block {
  Layer conv1, conv2, se1, se2;
};

struct Weights {
  Layer stem, policy, from, to, value, value_hidden, wdl, moves;
  std::vector<Block> blocks;
  bool has_se;
};

// A file's [out][in][taps] becomes [tap * in + channel][out].
Layer layer_of(const NetFile& net, const std::string& name) {
  const Tensor& weight = net.tensors.at(name + ".weight");
  const Tensor& bias = net.tensors.at(name + ".bias");
  const int64_t out = weight.shape[0], in = weight.shape[1],
                taps = weight.shape.size() == 4 ? weight.shape[2] * weight.shape[3] : 1;
  Layer layer{Matrix(in * taps, out), Eigen::Map<const Vector>(bias.values.data(), out)};
  for (int64_t o = 0; o < out; ++o)
    for (int64_t i = 0; i < in; ++i)
      for (int64_t t = 0; t < taps; ++t)
        layer.weight(t * in + i, o) = weight.values[size_t((o * in + i) * taps + t)];
  return layer;
}

Weights weights_of(const NetFile& net) {
  Weights w;
  w.stem = layer_of(net, "stem.conv");
  w.policy = layer_of(net, "policy.conv");
  w.from = layer_of(net, "policy.from");
  w.to = layer_of(net, "policy.to");
  w.value = layer_of(net, "value.conv");
  w.value_hidden = layer_of(net, "value.fc1");
  w.wdl = layer_of(net, "value.wdl");
  w.moves = layer_of(net, "value.moves");
  w.has_se = net.config.se_channels > 0;
  for (int i = 0; i < net.config.blocks; ++i) {
    const std::string name = fmt::format("blocks.{}.", i);
    Block block{layer_of(net, name + "conv1"), layer_of(net, name + "conv2"), {}, {}};
    if (w.has_se) {
      block.se1 = layer_of(net, name + "se.fc1");
      block.se2 = layer_of(net, name + "se.fc2");
    }
    w.blocks.push_back(std::move(block));
  }
  return w;
}

Matrix dense(const Matrix& x, const Layer& layer) {
  return (x * layer.weight).rowwise() + layer.bias;
}

Matrix conv3x3(const Matrix& x, const Layer& layer) {
  const int64_t channels = x.cols();
  Matrix window = Matrix::Zero(kSquares, 9 * channels);
  for (int s = 0; s < kSquares; ++s)
    for (int tap = 0; tap < 9; ++tap) {
      const int rank = s / kFiles + tap / 3 - 1, file = s % kFiles + tap % 3 - 1;
      if (rank < 0 || rank >= kRanks || file < 0 || file >= kFiles) continue;
      window.row(s).segment(tap * channels, channels) = x.row(rank * kFiles + file);
    }
  return dense(window, layer);
}

// Lets NaN through: an overflow must be seen at the outputs.
Matrix relu(const Matrix& x) {
  return (x.array() < 0.0f).select(0.0f, x);
}

// relu(x + gate * y + add), gate and add made from the means of y.
Matrix residual(const Matrix& x, const Matrix& y, const Block& block, bool has_se) {
  if (!has_se) return relu(x + y);
  const int64_t channels = x.cols();
  const Matrix mean = y.colwise().sum() / float(kSquares);
  const Matrix z = dense(relu(dense(mean, block.se1)), block.se2);
  const Vector gate = (1.0f + (-z.row(0).head(channels)).array().exp()).inverse();
  const Vector add = z.row(0).tail(channels);
  return relu(x + ((y.array().rowwise() * gate.array()).rowwise() + add.array()).matrix());
}

class EigenForward final : public Forward {
 public:
  explicit EigenForward(std::shared_ptr<const Weights> weights) : w_(std::move(weights)) {}

  std::string name() const override { return "eigen"; }

  void run(const PackedRow* rows, int count, HeadOutputs& out) override {
    const int64_t dims = w_->from.bias.size();
    out.to_offset = int(dims);
    out.stride = int(2 * dims);
    out.squares.resize(size_t(count) * kSquares * size_t(out.stride));
    for (int i = 0; i < count; ++i)
      run_row(rows[i], out.squares.data() + size_t(i) * kSquares * size_t(out.stride), out.values[i]);
  }

 private:
  void run_row(const PackedRow& row, float* squares, float* values) const {
    Matrix x(kSquares, kPlanes);
    expand_planes(row, x.data());
    x = relu(conv3x3(x, w_->stem));
    for (const Block& block : w_->blocks)
      x = residual(x, conv3x3(relu(conv3x3(x, block.conv1)), block.conv2), block, w_->has_se);
    const Matrix p = relu(dense(x, w_->policy));
    const int64_t dims = w_->from.bias.size();
    Eigen::Map<Matrix> embeddings(squares, kSquares, 2 * dims);
    embeddings.leftCols(dims) = dense(p, w_->from);
    embeddings.rightCols(dims) = dense(p, w_->to);
    const Matrix v = relu(dense(x, w_->value));  // row-major [90][V]: flattening it is reading it on
    const Matrix flat = Eigen::Map<const Matrix>(v.data(), 1, v.size());
    const Matrix hidden = relu(dense(flat, w_->value_hidden));
    Eigen::Map<Matrix>(values, 1, 3) = dense(hidden, w_->wdl);
    values[3] = dense(hidden, w_->moves)(0, 0);
  }

  std::shared_ptr<const Weights> w_;
};

}  // namespace

ForwardFactory eigen_forward(std::shared_ptr<const NetFile> net) {
  auto weights = std::make_shared<const Weights>(weights_of(*net));
  return [weights] { return std::make_unique<EigenForward>(weights); };
}

}  // namespace chuhe::nn
