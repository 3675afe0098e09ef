#include "nn/cpu/cpu_evaluator.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "nn/api/inline_evaluator.h"
#include "nn/cpu/backends.h"
#include "nn/model/net_config.h"
#include "nn/model/policy_head.h"

namespace chuhe::nn {
namespace {

constexpr double kSelfCheckTolerance = 1e-3;

// softmax and softplus with the exponential and logarithm that have the same bits everywhere.
EvalBatch::Wdl wdl_of(const float* logits) {
  const double max = std::max({logits[0], logits[1], logits[2]});
  const double win = det_exp(logits[0] - max), draw = det_exp(logits[1] - max),
               loss = det_exp(logits[2] - max);
  const double sum = win + draw + loss;
  return {float(win / sum), float(draw / sum), float(loss / sum)};
}

float moves_left_of(float x) {
  return float(double(kMovesLeftScale) * (x > 30 ? double(x) : det_log(1 + det_exp(x))));
}

PolicyEmbeddings embeddings_of(const HeadOutputs& out, int row, const NetFile& net) {
  const float* squares = out.squares.data() + size_t(row) * 90 * size_t(out.stride);
  return {squares, squares + out.to_offset, out.stride, net.config.policy_channels,
          net.tensors.at("policy.move_bias").values.data()};
}

bool finite(const float* values, size_t count) {
  return std::all_of(values, values + count, [](float v) { return std::isfinite(v); });
}

class CpuEvaluator final : public InlineEvaluator {
 public:
  CpuEvaluator(std::shared_ptr<const NetFile> net, std::unique_ptr<Forward> forward)
      : net_(std::move(net)), forward_(std::move(forward)) {}

  EvaluatorInfo info() const override { return {.net_id = net_->id, .device = "cpu, " + forward_->name()}; }

 private:
  void evaluate_now(EvalBatch& batch) override {
    for (int first = 0; first < batch.size(); first += kForwardRows) {
      const int count = std::min(kForwardRows, batch.size() - first);
      forward_->run(batch.rows() + first, count, outputs_);
      for (int i = 0; i < count; ++i) finish_row(batch, first + i, i);
    }
  }

  void finish_row(EvalBatch& batch, int row, int at) {
    const auto indices = batch.indices(row);
    float* priors = batch.mutable_priors() + batch.offsets()[row];
    gather_policy(embeddings_of(outputs_, at, *net_), indices, priors);
    const float moves_left = moves_left_of(outputs_.values[at][3]);
    if (!finite(outputs_.values[at], 4) || !std::isfinite(moves_left) || !finite(priors, indices.size()))
      throw Error("net {}: an output is not finite for the row with digest {:016x}", net_->id,
                  digest(batch.row(row)));
    batch.mutable_wdl()[row] = wdl_of(outputs_.values[at]);
    batch.mutable_moves_left()[row] = moves_left;
  }

  std::shared_ptr<const NetFile> net_;
  std::unique_ptr<Forward> forward_;
  HeadOutputs outputs_;
};

SelfCheck outputs_of(Forward& forward, const NetFile& net, const PackedRow& row) {
  HeadOutputs out;
  forward.run(&row, 1, out);
  const EvalBatch::Wdl wdl = wdl_of(out.values[0]);
  SelfCheck check{row, {wdl.win, wdl.draw, wdl.loss}, moves_left_of(out.values[0][3]), {}};
  for (int i = 0; i < kCheckLogits; ++i)
    check.policy_logits[i] = policy_logit(embeddings_of(out, 0, net), i * kCheckLogitStep);
  return check;
}

// The distance that docs/net_file.md defines. A NaN counts as infinitely far.
double distance(const SelfCheck& expected, const SelfCheck& actual) {
  double worst = 0;
  const auto add = [&worst](double d) { worst = d <= worst ? worst : std::isnan(d) ? INFINITY : d; };
  for (int i = 0; i < 3; ++i) add(std::fabs(double(expected.wdl[i]) - double(actual.wdl[i])));
  for (int i = 0; i < kCheckLogits; ++i)
    add(std::fabs(double(expected.policy_logits[i]) - double(actual.policy_logits[i])) /
        (1 + std::fabs(double(expected.policy_logits[i]))));
  add(std::fabs(double(expected.moves_left) - double(actual.moves_left)) /
      (1 + std::fabs(double(expected.moves_left))));
  return worst;
}

EvaluatorFactory checked_factory(const std::shared_ptr<const NetFile>& net, const ForwardFactory& make) {
  const std::unique_ptr<Forward> forward = make();
  for (size_t i = 0; i < net->checks.size(); ++i) {
    const double d = distance(net->checks[i], outputs_of(*forward, *net, net->checks[i].row));
    if (d > kSelfCheckTolerance)
      throw Error(
          "net {}: self-check {} of {}: the outputs computed here ({}) are {:.3g} from those in the file, "
          "expected at most {:g}",
          net->id, i + 1, net->checks.size(), forward->name(), d, kSelfCheckTolerance);
  }
  return [net, make] { return std::make_unique<CpuEvaluator>(net, make()); };
}

}  // namespace

EvaluatorFactory eigen_factory(std::shared_ptr<const NetFile> net) {
  return checked_factory(net, eigen_forward(net));
}

EvaluatorFactory simd_factory(std::shared_ptr<const NetFile> net, std::string_view level) {
  return checked_factory(net, simd_forward(net, level));
}

std::unique_ptr<Evaluator> make_eigen_evaluator(std::shared_ptr<const NetFile> net) {
  return eigen_factory(std::move(net))();
}
std::unique_ptr<Evaluator> make_simd_evaluator(std::shared_ptr<const NetFile> net) {
  return simd_factory(std::move(net))();
}

SelfCheck self_check_of(const std::shared_ptr<const NetFile>& net, const PackedRow& row) {
  return outputs_of(*eigen_forward(net)(), *net, row);
}

}  // namespace chuhe::nn
