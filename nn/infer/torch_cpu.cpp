#include "nn/infer/torch_cpu.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "nn/api/inline_evaluator.h"
#include "nn/encoding/planes.h"
#include "nn/infer/torch_device.h"
#include "nn/model/net_config.h"
#include "nn/model/policy_head.h"

namespace chuhe::nn {
namespace {

constexpr int64_t kRowPlanes = 90 * kPlanes;

/// Softmax in place. False if something is not finite.
bool softmax(float* values, size_t n) {
  const float most = *std::max_element(values, values + n);
  float sum = 0;
  for (size_t i = 0; i < n; ++i) sum += values[i] = std::exp(values[i] - most);
  const float factor = 1 / sum;
  for (size_t i = 0; i < n; ++i) values[i] *= factor;
  return std::isfinite(most) && std::isfinite(sum);
}

/// One thread, one fixed shape: what is computed for a row then does not depend on the rows around it.
class CpuTorchEvaluator final : public InlineEvaluator {
 public:
  CpuTorchEvaluator(std::shared_ptr<const InferNet> net, const EvaluatorInfo& info)
      : net_(std::move(net)), info_(info) {
    use_threads(1);
    const c10::InferenceMode inference;
    planes_ = at::zeros({info.preferred_batch, 90, kPlanes}, at::kFloat);
  }

  EvaluatorInfo info() const override { return info_; }

 private:
  void evaluate_now(EvalBatch& batch) override {
    use_threads(1);
    const c10::InferenceMode inference;
    with_torch_errors("net " + info_.net_id, [&] {
      for (int begin = 0; begin < batch.size(); begin += info_.preferred_batch)
        evaluate_piece(batch, begin, std::min(info_.preferred_batch, batch.size() - begin));
    });
  }

  void evaluate_piece(EvalBatch& batch, int begin, int n) {
    for (int i = 0; i < n; ++i)
      expand_planes(batch.row(begin + i), planes_.data_ptr<float>() + i * kRowPlanes);
    const Outputs out = net_->forward(planes_);
    for (int i = 0; i < n; ++i) {
      const bool value_finite = write_value(batch, begin + i, out, i);
      if (!write_priors(batch, begin + i, out, i) || !value_finite)
        throw Error("net {}: its output for row {:016x} is not finite", info_.net_id,
                    digest(batch.row(begin + i)));
    }
  }

  bool write_value(EvalBatch& batch, int row, const Outputs& out, int i) const {
    float wdl[3];
    std::copy_n(out.wdl.const_data_ptr<float>() + 3 * i, 3, wdl);
    const bool finite = softmax(wdl, 3);
    batch.mutable_wdl()[row] = {wdl[0], wdl[1], wdl[2]};
    const float m = out.moves.const_data_ptr<float>()[i];
    batch.mutable_moves_left()[row] = kMovesLeftScale * (m > 20 ? m : std::log1p(std::exp(m)));
    return finite && std::isfinite(m);
  }

  bool write_priors(EvalBatch& batch, int row, const Outputs& out, int i) const {
    const int dims = int(out.from.size(2));
    const PolicyEmbeddings embeddings{out.from.const_data_ptr<float>() + int64_t(i) * 90 * dims,
                                      out.to.const_data_ptr<float>() + int64_t(i) * 90 * dims, dims, dims,
                                      out.move_bias.const_data_ptr<float>()};
    const auto indices = batch.indices(row);
    float* priors = batch.mutable_priors() + batch.offsets()[row];
    gather_policy(embeddings, indices, priors);
    return std::all_of(priors, priors + indices.size(), [](float p) { return std::isfinite(p); });
  }

  std::shared_ptr<const InferNet> net_;
  EvaluatorInfo info_;
  at::Tensor planes_;  // [batch, 90, 48]; rows beyond a short batch keep what they had
};

}  // namespace

std::unique_ptr<Evaluator> make_cpu_torch_evaluator(std::shared_ptr<const InferNet> net,
                                                    const EvaluatorInfo& info) {
  return std::make_unique<CpuTorchEvaluator>(std::move(net), info);
}

}  // namespace chuhe::nn
