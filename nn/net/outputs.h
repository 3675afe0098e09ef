#pragma once
// What a net's forward pass yields, and the one place that turns its logits into moves' logits, for torch
// code.

#include <ATen/ATen.h>

#include <cmath>

#include "nn/model/net_config.h"

namespace chuhe::nn {

struct Outputs {
  at::Tensor from, to;   // [B, 90, D] embeddings of the squares as a move's origin and destination
  at::Tensor move_bias;  // [2062]
  at::Tensor wdl;        // [B, 3] logits of win, draw, loss
  at::Tensor moves;      // [B] before softplus
};

/// [B, C, 10, 9] -> [B, 90, C].
inline at::Tensor squares_last(const at::Tensor& x) {
  return x.permute({0, 2, 3, 1}).reshape({x.size(0), 90, x.size(1)});
}

/// [2062] on `device`: 90 * from + to of each policy index, a move's place in the [90, 90] table of dot
/// products.
at::Tensor square_pairs(at::Device device);

/// Logits of the moves with policy indices `moves` [B, M] (int64): [B, M].
inline at::Tensor move_logits(const Outputs& out, const at::Tensor& pairs, const at::Tensor& moves) {
  const auto rows = out.from.size(0);
  const at::Tensor table = at::bmm(out.from, out.to.transpose(1, 2)).reshape({rows, 90 * 90});
  const at::Tensor places = pairs.index_select(0, moves.reshape(-1)).view_as(moves);
  const double scale = 1 / std::sqrt(double(out.from.size(2)));
  // The bias is gathered from an expanded view: its gradient is then a plain sum over rows, in a fixed order.
  return table.gather(1, places).to(out.move_bias.scalar_type()) * scale +
         out.move_bias.expand({rows, -1}).gather(1, moves);
}

/// Plies to the end of the game, [B].
inline at::Tensor moves_left(const Outputs& out) {
  return at::softplus(out.moves) * kMovesLeftScale;
}

}  // namespace chuhe::nn
