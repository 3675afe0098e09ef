// The net of docs/net_file.md over the vector kernels. A row's trunk runs alone; the value heads of up to
// kForwardRows rows run together, since their weights are larger than their inputs.

#include <cstring>

#include "base/error.h"
#include "base/random.h"
#include "nn/cpu/backends.h"
#include "nn/cpu/cpu_evaluator.h"
#include "nn/cpu/simd_kernels.h"
#include "nn/encoding/planes.h"

namespace chuhe::nn {
namespace {

using simd::kPanel;
using simd::Layer;
using simd::padded;

constexpr int kSquares = 90, kFiles = 9, kRanks = 10;

struct Block {
  Layer conv1, conv2, se1, se2;
};

struct Weights {
  int channels, embedding, value_channels, hidden;  // padded widths
  int policy_dims;
  bool has_se;
  simd::StemLayer stem;
  std::vector<Block> blocks;
  Layer policy, from_to, value, value_hidden, outputs;
};

// Where the file's tensor has a weight: value [out][in][tap] of one or several stacked tensors.
struct Source {
  const Tensor* weight;
  const Tensor* bias;
  int64_t out() const { return weight->shape[0]; }
  int64_t in() const { return weight->shape[1]; }
  int64_t taps() const { return weight->shape.size() == 4 ? weight->shape[2] * weight->shape[3] : 1; }
};

Source source(const NetFile& net, const std::string& name) {
  return {&net.tensors.at(name + ".weight"), &net.tensors.at(name + ".bias")};
}

// Packs tensors that share an input into one layer, output behind output. `place` says where an input channel
// of the file lies in the padded input of `in` numbers.
template <class Place>
Layer pack_layer(const std::vector<Source>& sources, int in, Place place) {
  Layer layer;
  layer.in = in;
  int64_t out = 0;
  for (const Source& s : sources) out += s.out();
  layer.out = padded(int(out));
  const int64_t taps = sources[0].taps();
  layer.weight.assign(size_t(layer.out) * size_t(taps) * size_t(in), 0);
  layer.bias.assign(size_t(layer.out), 0);
  int64_t to = 0;
  for (const Source& s : sources)
    for (int64_t o = 0; o < s.out(); ++o, ++to) {
      layer.bias[size_t(to)] = s.bias->values[size_t(o)];
      for (int64_t i = 0; i < s.in(); ++i)
        for (int64_t t = 0; t < taps; ++t)
          layer.weight[size_t(((to / kPanel * taps + t) * in + place(i)) * kPanel + to % kPanel)] =
              s.weight->values[size_t((o * s.in() + i) * taps + t)];
    }
  return layer;
}

Layer pack_layer(const std::vector<Source>& sources, int in) {
  return pack_layer(sources, in, [](int64_t i) { return i; });
}

simd::StemLayer pack_stem(const Source& s) {
  simd::StemLayer layer;
  layer.out = int(s.out());
  layer.bias = s.bias->values;
  layer.weight.resize(s.weight->values.size());
  for (int64_t o = 0; o < s.out(); ++o)
    for (int64_t i = 0; i < s.in(); ++i)
      for (int64_t t = 0; t < 9; ++t)
        layer.weight[size_t((i * 9 + t) * s.out() + o)] = s.weight->values[size_t((o * s.in() + i) * 9 + t)];
  return layer;
}

Weights weights_of(const NetFile& net) {
  const NetConfig& c = net.config;
  Weights w{};
  w.channels = c.channels;
  w.policy_dims = c.policy_channels;
  w.embedding = padded(2 * c.policy_channels);
  w.value_channels = padded(c.value_channels);
  w.hidden = padded(c.value_hidden);
  w.has_se = c.se_channels > 0;
  w.stem = pack_stem(source(net, "stem.conv"));
  for (int i = 0; i < c.blocks; ++i) {
    const std::string name = fmt::format("blocks.{}.", i);
    Block block{pack_layer({source(net, name + "conv1")}, c.channels),
                pack_layer({source(net, name + "conv2")}, c.channels),
                {},
                {}};
    if (w.has_se) {
      block.se1 = pack_layer({source(net, name + "se.fc1")}, c.channels);
      block.se2 = pack_layer({source(net, name + "se.fc2")}, padded(c.se_channels));
    }
    w.blocks.push_back(std::move(block));
  }
  w.policy = pack_layer({source(net, "policy.conv")}, c.channels);
  w.from_to = pack_layer({source(net, "policy.from"), source(net, "policy.to")}, c.channels);
  w.value = pack_layer({source(net, "value.conv")}, c.channels);
  const int file_channels = c.value_channels, own_channels = w.value_channels;
  w.value_hidden = pack_layer({source(net, "value.fc1")}, kSquares * own_channels, [=](int64_t i) {
    return i / file_channels * own_channels + i % file_channels;
  });
  w.outputs = pack_layer({source(net, "value.wdl"), source(net, "value.moves")}, w.hidden);
  return w;
}

class SimdForward final : public Forward {
 public:
  SimdForward(std::shared_ptr<const Weights> weights, const simd::Kernels& kernels)
      : w_(std::move(weights)), k_(kernels) {
    const size_t grid = size_t(simd::kGridSquares) * size_t(w_->channels);
    for (std::vector<float>* g : {&x_, &t_, &y_}) g->assign(grid, 0);
    squares_.resize(size_t(kSquares) * size_t(w_->channels));
    values_in_.resize(size_t(kForwardRows) * kSquares * size_t(w_->value_channels));
    hidden_.resize(size_t(kForwardRows) * size_t(w_->hidden));
    values_out_.resize(size_t(kForwardRows) * kPanel);
    gate_.assign(size_t(w_->channels), 1.0f);
    add_.assign(size_t(w_->channels), 0.0f);
    mean_.resize(size_t(w_->channels));
  }

  std::string name() const override { return fmt::format("simd {}", k_.level); }

  void run(const PackedRow* rows, int count, HeadOutputs& out) override {
    out.to_offset = w_->policy_dims;
    out.stride = w_->embedding;
    out.squares.resize(size_t(count) * kSquares * size_t(out.stride));
    const ptrdiff_t value_width = ptrdiff_t(kSquares) * w_->value_channels;
    for (int i = 0; i < count; ++i) {
      trunk(rows[i]);
      // 1x1 convolutions: the nine squares of a rank are a dense tile.
      for (int rank = 0; rank < kRanks; ++rank) {
        const float* x = x_.data() + ptrdiff_t(simd::kFirstSquare + rank * simd::kGridFiles) * w_->channels;
        const ptrdiff_t first = ptrdiff_t(rank) * kFiles;
        float* p = squares_.data() + first * w_->channels;
        k_.dense(x, w_->channels, kFiles, w_->policy, true, p, w_->channels);
        k_.dense(p, w_->channels, kFiles, w_->from_to, false,
                 out.squares.data() + (ptrdiff_t(i) * kSquares + first) * out.stride, out.stride);
        k_.dense(x, w_->channels, kFiles, w_->value, true,
                 values_in_.data() + i * value_width + first * w_->value_channels, w_->value_channels);
      }
    }
    k_.dense(values_in_.data(), value_width, count, w_->value_hidden, true, hidden_.data(), w_->hidden);
    k_.dense(hidden_.data(), w_->hidden, count, w_->outputs, false, values_out_.data(), kPanel);
    for (int i = 0; i < count; ++i)
      std::memcpy(out.values[i], values_out_.data() + i * kPanel, sizeof out.values[i]);
  }

 private:
  void trunk(const PackedRow& row) {
    uint64_t masks[kSquares];
    plane_masks(row, masks);
    k_.stem(masks, w_->stem, x_.data());
    for (const Block& block : w_->blocks) {
      k_.conv3x3(x_.data(), block.conv1, true, t_.data());
      k_.conv3x3(t_.data(), block.conv2, false, y_.data());
      if (w_->has_se) squeeze(block);
      k_.residual(x_.data(), y_.data(), gate_.data(), add_.data(), w_->channels);
    }
  }

  void squeeze(const Block& block) {
    k_.mean(y_.data(), w_->channels, mean_.data());
    inner_.resize(size_t(block.se1.out));
    excite_.resize(size_t(block.se2.out));
    k_.dense(mean_.data(), 0, 1, block.se1, true, inner_.data(), 0);
    k_.dense(inner_.data(), 0, 1, block.se2, false, excite_.data(), 0);
    for (size_t c = 0; c < gate_.size(); ++c) gate_[c] = float(1 / (1 + det_exp(-double(excite_[c]))));
    std::copy_n(excite_.begin() + w_->channels, w_->channels, add_.begin());
  }

  std::shared_ptr<const Weights> w_;
  const simd::Kernels& k_;
  std::vector<float> x_, t_, y_;  // grids; their rings stay zero
  std::vector<float> squares_;    // [90][channels] of the policy's hidden layer
  std::vector<float> values_in_, hidden_, values_out_;
  std::vector<float> mean_, inner_, excite_, gate_, add_;
};

}  // namespace

std::vector<std::string_view> simd_levels() {
  std::vector<std::string_view> levels;
  for (const simd::Kernels* k : simd::usable_kernels()) levels.push_back(k->level);
  return levels;
}

ForwardFactory simd_forward(std::shared_ptr<const NetFile> net, std::string_view level) {
  for (const simd::Kernels* kernels : simd::usable_kernels()) {
    if (!level.empty() && kernels->level != level) continue;
    auto weights = std::make_shared<const Weights>(weights_of(*net));
    return [weights, kernels] { return std::make_unique<SimdForward>(weights, *kernels); };
  }
  throw Error("instruction set '{}': this CPU lacks it, it has {}", level, fmt::join(simd_levels(), ", "));
}

}  // namespace chuhe::nn
