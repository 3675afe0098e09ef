#pragma once
// The three losses, as functions of tensors of any floating type. Each is a mean over the rows that have the
// target (their weight is 1, otherwise 0), and 0 where no row has it.

#include <ATen/ATen.h>

namespace chuhe::trainer {

/// Cross-entropy of the search's policy against the softmax over legal moves.
/// logits, target, legal: [B, M], a row's moves first (legal 1), then padding (legal 0, target 0); weight:
/// [B].
at::Tensor policy_loss(const at::Tensor& logits, const at::Tensor& target, const at::Tensor& legal,
                       const at::Tensor& weight);
/// Mean entropy (nats) of the softmax over legal moves, all rows.
at::Tensor policy_entropy(const at::Tensor& logits, const at::Tensor& legal);
/// Cross-entropy of win, draw, loss. logits, target: [B, 3]; every row has this target.
at::Tensor value_loss(const at::Tensor& logits, const at::Tensor& target);
/// Huber loss of moves left, in units of 20 plies, quadratic up to one unit. prediction, target, weight: [B].
at::Tensor moves_loss(const at::Tensor& prediction, const at::Tensor& target, const at::Tensor& weight);

}  // namespace chuhe::trainer
