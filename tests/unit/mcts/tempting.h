#pragma once
// Material's value with priors that are pseudo-random and peaked: some seeds put nearly everything on the
// very move that a test hopes the search will not play.

#include "base/random.h"
#include "nn/api/doubles.h"
#include "nn/api/inline_evaluator.h"

namespace chuhe::test {

class Tempting : public nn::InlineEvaluator {
 public:
  explicit Tempting(uint64_t seed) : seed_(seed) {}
  nn::EvaluatorInfo info() const override { return {.net_id = "tempting", .device = "cpu"}; }

 protected:
  void evaluate_now(nn::EvalBatch& batch) override {
    for (int i = 0; i < batch.size(); ++i) {
      const double pawns = nn::material_balance(batch.row(i));
      const double e = det_exp(pawns / 5);
      const float value = float((e - 1) / (e + 1));
      batch.mutable_wdl()[i] = {(1 + value) / 2, 0, (1 - value) / 2};
      batch.mutable_moves_left()[i] = 60;
      double sum = 0;
      for (const uint16_t index : batch.indices(i)) sum += weight(index);
      float* priors = batch.mutable_priors() + batch.offsets()[i];
      for (const uint16_t index : batch.indices(i)) *priors++ = float(weight(index) / sum);
    }
  }

 private:
  // A power law by policy index: the same squares tempt all game long.
  double weight(uint16_t index) const {
    const double u = double(mix64(seed_ * 4096 + index) >> 11) * 0x1p-53 + 1e-4;
    return 1 / (u * u);
  }
  uint64_t seed_;
};

}  // namespace chuhe::test
