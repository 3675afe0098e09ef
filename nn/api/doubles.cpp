#include "nn/api/doubles.h"

#include <algorithm>
#include <string>

#include "base/random.h"
#include "nn/api/hash_answer.h"
#include "nn/api/inline_evaluator.h"
#include "nn/api/piece_values.h"

namespace chuhe::nn {
namespace {

constexpr float kPlainMovesLeft = 50;

void uniform_priors(EvalBatch& batch) {
  float* out = batch.mutable_priors();
  for (int i = 0; i < batch.size(); ++i) {
    const size_t n = batch.indices(i).size();
    out = std::fill_n(out, n, 1.0f / float(n));
  }
}

class Uniform final : public InlineEvaluator {
 public:
  EvaluatorInfo info() const override { return {.net_id = "uniform", .device = "cpu"}; }

 private:
  void evaluate_now(EvalBatch& batch) override {
    uniform_priors(batch);
    std::fill_n(batch.mutable_wdl(), batch.size(), EvalBatch::Wdl{0.25f, 0.5f, 0.25f});
    std::fill_n(batch.mutable_moves_left(), batch.size(), kPlainMovesLeft);
  }
};

class Hash final : public InlineEvaluator {
 public:
  EvaluatorInfo info() const override { return {.net_id = "hash", .device = "cpu"}; }

 private:
  void evaluate_now(EvalBatch& batch) override { answer_by_hash(batch); }
};

// (e^2x - 1) / (e^2x + 1) with an exponential that has the same bits everywhere.
double det_tanh(double x) {
  const double e = det_exp(2 * x);
  return (e - 1) / (e + 1);
}

class Material final : public InlineEvaluator {
 public:
  EvaluatorInfo info() const override { return {.net_id = "material", .device = "cpu"}; }

 private:
  void evaluate_now(EvalBatch& batch) override {
    uniform_priors(batch);
    for (int i = 0; i < batch.size(); ++i) {
      const float value = float(det_tanh(material_balance(batch.row(i)) / 10));
      batch.mutable_wdl()[i] = {0.5f + 0.5f * value, 0, 0.5f - 0.5f * value};
      batch.mutable_moves_left()[i] = kPlainMovesLeft;
    }
  }
};

}  // namespace

double material_balance(const PackedRow& row) {
  int sum = 0;
  for (int s = 0; s < xiangqi::kSquares; ++s) {
    const int piece = row.board[s / 2] >> (s % 2 * 4) & 15;
    if (piece == 0) continue;
    const bool own = piece <= xiangqi::kPieceTypes;
    const auto type = xiangqi::PieceType(own ? piece - 1 : piece - 1 - xiangqi::kPieceTypes);
    const bool across = own ? s >= 45 : s < 45;
    const int value = half_pawns(type, across);
    sum += own ? value : -value;
  }
  return sum * 0.5;
}

void answer_by_hash(EvalBatch& batch) {
  float* priors = batch.mutable_priors();
  uint32_t weights[kMaxRowMoves];
  for (int i = 0; i < batch.size(); ++i) {
    const uint64_t seed = digest(batch.row(i));
    const auto indices = batch.indices(i);
    // Cubed, so that a few moves stand out as with a real net. All sums are integers: no order of adding can
    // change them.
    uint64_t sum = 0;
    for (size_t k = 0; k < indices.size(); ++k) {
      const uint64_t u = mix64(seed ^ indices[k]) >> 54;
      weights[k] = uint32_t(16 + (u * u * u >> 16));
      sum += weights[k];
    }
    for (size_t k = 0; k < indices.size(); ++k) *priors++ = float(double(weights[k]) / double(sum));
    const uint64_t bits = mix64(~seed);
    const uint32_t win = 1 + (bits & 1023), draw = 1 + (bits >> 10 & 1023), loss = 1 + (bits >> 20 & 1023);
    const double total = win + draw + loss;
    batch.mutable_wdl()[i] = {float(win / total), float(draw / total), float(loss / total)};
    batch.mutable_moves_left()[i] = float(1 + (bits >> 32) % 200);
  }
}

std::unique_ptr<Evaluator> make_uniform_evaluator() {
  return std::make_unique<Uniform>();
}
std::unique_ptr<Evaluator> make_hash_evaluator() {
  return std::make_unique<Hash>();
}
std::unique_ptr<Evaluator> make_material_evaluator() {
  return std::make_unique<Material>();
}

std::unique_ptr<Evaluator> make_double(std::string_view name) {
  const EvaluatorFactory factory = double_factory(name);
  return factory ? factory() : nullptr;
}

EvaluatorFactory double_factory(std::string_view name) {
  if (name == "uniform") return make_uniform_evaluator;
  if (name == "hash") return make_hash_evaluator;
  if (name == "material") return make_material_evaluator;
  if (name.starts_with("device:")) return device_model_factory(name);
  return nullptr;
}

}  // namespace chuhe::nn
