#include "nn/model/policy_head.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "nn/encoding/policy_index.h"

namespace chuhe::nn {

float policy_logit(const PolicyEmbeddings& row, int index) {
  const int move = policy_moves()[size_t(index)];
  const float* from = row.from + (move & 127) * row.stride;
  const float* to = row.to + (move >> 7) * row.stride;
  const float scale = 1.0f / std::sqrt(float(row.dims));
  return policy_head::dot(from, to, row.dims, [](float x) { return x; }) * scale + row.move_bias[index];
}

void gather_policy(const PolicyEmbeddings& row, std::span<const uint16_t> indices, float* priors) {
  CHUHE_CHECK(!indices.empty() && indices.size() <= size_t(policy_head::kSlots));
  for (size_t i = 0; i < indices.size(); ++i) priors[i] = policy_logit(row, indices[i]);
  const float max = *std::max_element(priors, priors + indices.size());
  float slots[policy_head::kSlots] = {};
  for (size_t i = 0; i < indices.size(); ++i)
    slots[i] = priors[i] = float(det_exp(double(priors[i]) - double(max)));
  for (int width = policy_head::kSlots / 2; width > 0; width /= 2)
    for (int lane = 0; lane < width; ++lane) policy_head::fold_step(slots, lane, width);
  for (size_t i = 0; i < indices.size(); ++i) priors[i] /= slots[0];
}

}  // namespace chuhe::nn
