// The CPU twin of the gather kernel, by hand.

#include "nn/model/policy_head.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

TEST(PolicyHead, LogitsAndSoftmaxByHand) {
  constexpr int kDims = 6, kStride = 8;
  Random random(1);
  std::vector<float> from(90 * kStride), to(90 * kStride), bias(kPolicySize);
  for (auto* values : {&from, &to, &bias})
    for (float& v : *values) v = float(random.normal());
  const PolicyEmbeddings row{from.data(), to.data(), kStride, kDims, bias.data()};
  const auto sample = test::random_samples(1, 3)[0];
  std::vector<double> weights;
  double sum = 0;
  for (uint16_t index : sample.indices) {
    const xiangqi::Move m = policy_move(index);
    double dot = 0;
    for (int d = 0; d < kDims; ++d)
      dot += double(from[size_t(m.from() * kStride + d)]) * double(to[size_t(m.to() * kStride + d)]);
    const double logit = dot / std::sqrt(6.0) + double(bias[index]);
    EXPECT_NEAR(policy_logit(row, index), logit, 1e-5);
    weights.push_back(std::exp(logit));
    sum += weights.back();
  }
  std::vector<float> priors(sample.indices.size());
  gather_policy(row, sample.indices, priors.data());
  for (size_t i = 0; i < priors.size(); ++i) EXPECT_NEAR(priors[i], weights[i] / sum, 1e-6);
}

TEST(PolicyHead, LargeLogitsDoNotOverflow) {
  std::vector<float> zeros(90), bias(kPolicySize);
  bias[3] = 3000;
  bias[4] = -3000;
  const PolicyEmbeddings row{zeros.data(), zeros.data(), 1, 1, bias.data()};
  const uint16_t indices[] = {3, 4, 5};
  float priors[3];
  gather_policy(row, indices, priors);
  EXPECT_EQ(priors[0], 1);
  EXPECT_LT(priors[1] + priors[2], 1e-30);
  const uint16_t one[] = {4};
  gather_policy(row, one, priors);
  EXPECT_EQ(priors[0], 1);
}

}  // namespace
}  // namespace chuhe::nn
