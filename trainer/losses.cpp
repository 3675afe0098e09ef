#include "trainer/losses.h"

namespace chuhe::trainer {
namespace {

constexpr double kUnitPlies = 20;

at::Tensor weighted_mean(const at::Tensor& rows, const at::Tensor& weight) {
  return (rows * weight).sum() / weight.sum().clamp_min(1);
}

// A large finite number, not infinity: 0 * infinity would be NaN in the sums over padding.
at::Tensor log_softmax_over(const at::Tensor& logits, const at::Tensor& legal) {
  return logits.masked_fill(legal == 0, -1e30).log_softmax(1);
}

}  // namespace

at::Tensor policy_loss(const at::Tensor& logits, const at::Tensor& target, const at::Tensor& legal,
                       const at::Tensor& weight) {
  return weighted_mean(-(target * log_softmax_over(logits, legal)).sum(1), weight);
}

at::Tensor policy_entropy(const at::Tensor& logits, const at::Tensor& legal) {
  const at::Tensor log_p = log_softmax_over(logits, legal);
  return -(log_p.exp() * log_p * legal).sum(1).mean();
}

at::Tensor value_loss(const at::Tensor& logits, const at::Tensor& target) {
  return -(target * logits.log_softmax(1)).sum(1).mean();
}

at::Tensor moves_loss(const at::Tensor& prediction, const at::Tensor& target, const at::Tensor& weight) {
  const at::Tensor rows =
      at::huber_loss(prediction / kUnitPlies, target / kUnitPlies, at::Reduction::None, 1.0);
  return weighted_mean(rows, weight);
}

}  // namespace chuhe::trainer
