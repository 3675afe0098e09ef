// Self-check positions: made at export, asked at load.

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/net/infer_net.h"

namespace chuhe::nn {
namespace {

constexpr int kLogits = kCheckLogits, kLogitStride = kCheckLogitStep;

std::vector<SelfCheck> answers(const InferNet& net, const std::vector<PackedRow>& rows) {
  if (rows.empty()) return {};
  const c10::InferenceMode inference;
  const auto n = int64_t(rows.size());
  at::Tensor planes = at::empty({n, 90, kPlanes}, at::kFloat);
  for (int64_t i = 0; i < n; ++i) expand_planes(rows[size_t(i)], planes.data_ptr<float>() + i * 90 * kPlanes);
  const Outputs out = net.forward(planes.to(net.device()));
  const at::Tensor moves =
      at::arange(0, kLogits * kLogitStride, kLogitStride, at::kLong).to(net.device()).expand({n, kLogits});
  const at::Tensor logits = move_logits(out, square_pairs(net.device()), moves).cpu().contiguous();
  const at::Tensor wdl = out.wdl.softmax(1).cpu().contiguous();
  const at::Tensor left = moves_left(out).cpu().contiguous();
  std::vector<SelfCheck> checks(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    checks[i].row = rows[i];
    std::copy_n(wdl.data_ptr<float>() + 3 * i, 3, checks[i].wdl);
    checks[i].moves_left = left.data_ptr<float>()[i];
    std::copy_n(logits.data_ptr<float>() + kLogits * i, kLogits, checks[i].policy_logits);
  }
  return checks;
}

// A NaN anywhere makes it infinite: it must not hide behind a comparison that is false.
double distance(const SelfCheck& a, const SelfCheck& b) {
  double most = 0;
  const auto take = [&](double d) { most = std::isfinite(d) ? std::max(most, std::abs(d)) : INFINITY; };
  for (int k = 0; k < 3; ++k) take(double(a.wdl[k]) - b.wdl[k]);
  const auto relative = [&](double x, double expected) { take((x - expected) / (1 + std::abs(expected))); };
  for (int k = 0; k < kLogits; ++k) relative(a.policy_logits[k], b.policy_logits[k]);
  relative(a.moves_left, b.moves_left);
  return most;
}

}  // namespace

std::vector<SelfCheck> self_checks(const NetFile& net, const std::vector<PackedRow>& rows) {
  return answers(InferNet(net, at::kCPU, at::kFloat), rows);
}

void verify_self_checks(const NetFile& file, const InferNet& net) {
  std::vector<PackedRow> rows;
  for (const SelfCheck& c : file.checks) rows.push_back(c.row);
  const std::vector<SelfCheck> here = answers(net, rows);
  const double tolerance = net.type() == at::kFloat ? 1e-3 : 0.1;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double apart = distance(here[i], file.checks[i]);
    if (!(apart <= tolerance))
      throw Error("net {} fails its self-check {} of {} on {}: outputs are {:.2g} apart, at most {} expected",
                  file.id, i + 1, rows.size(), net.device().str(), apart, tolerance);
  }
}

}  // namespace chuhe::nn
