// Each loss against finite differences in double precision, and what its masks promise.

#include "trainer/losses.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace chuhe::trainer {
namespace {

using Loss = std::function<at::Tensor(const at::Tensor&)>;

/// Largest difference between backward() and central differences, over all inputs.
double gradient_error(const Loss& loss, const at::Tensor& at_point) {
  at::Tensor x = at_point.clone().requires_grad_(true);
  loss(x).backward();
  const at::Tensor gradient = x.grad().reshape(-1);
  double worst = 0;
  const double h = 1e-6;
  for (int64_t i = 0; i < at_point.numel(); ++i) {
    at::Tensor up = at_point.clone(), down = at_point.clone();
    up.view(-1)[i] += h;
    down.view(-1)[i] -= h;
    const double slope = (loss(up).item<double>() - loss(down).item<double>()) / (2 * h);
    worst = std::max(worst, std::abs(slope - gradient[i].item<double>()));
  }
  return worst;
}

struct PolicyCase {
  at::Tensor logits, target, legal, weight;
};

PolicyCase policy_case() {
  at::manual_seed(1);
  PolicyCase c;
  c.logits = at::randn({4, 7}, at::kDouble);
  c.legal = at::ones({4, 7}, at::kDouble);
  c.legal.slice(1, 5).zero_();     // two of padding
  c.legal[1].slice(0, 1).zero_();  // a row with one legal move
  c.target = at::rand({4, 7}, at::kDouble) * c.legal;
  c.target = c.target / c.target.sum(1, true);
  c.weight = at::tensor({1.0, 1.0, 0.0, 1.0}, at::kDouble);
  c.target[2].zero_();
  return c;
}

TEST(Losses, PolicyGradientIsTheSlope) {
  const PolicyCase c = policy_case();
  const Loss loss = [&](const at::Tensor& x) { return policy_loss(x, c.target, c.legal, c.weight); };
  EXPECT_LT(gradient_error(loss, c.logits), 1e-8);
}

TEST(Losses, PolicyLooksAtLegalMovesOfWeightedRowsOnly) {
  const PolicyCase c = policy_case();
  at::Tensor x = c.logits.clone().requires_grad_(true);
  policy_loss(x, c.target, c.legal, c.weight).backward();
  EXPECT_EQ((x.grad() * (1 - c.legal)).abs().max().item<double>(), 0);  // padding
  EXPECT_EQ(x.grad()[2].abs().max().item<double>(), 0);                 // weight 0
  EXPECT_LT(x.grad()[1].abs().max().item<double>(), 1e-12);             // nothing to choose
  EXPECT_GT(x.grad()[0].abs().max().item<double>(), 1e-3);
  at::Tensor shifted = c.logits.clone();
  shifted.slice(1, 5).fill_(1e6);  // what stands in the padding does not matter
  EXPECT_EQ(policy_loss(shifted, c.target, c.legal, c.weight).item<double>(),
            policy_loss(c.logits, c.target, c.legal, c.weight).item<double>());
}

TEST(Losses, PolicyOfAPerfectNetIsTheTargetsEntropy) {
  PolicyCase c = policy_case();
  c.target[2] = c.target[0];
  const at::Tensor logits = at::where(c.legal > 0, c.target.log(), at::zeros_like(c.target));
  const at::Tensor entropy =
      -(c.target * at::where(c.target > 0, c.target.log(), at::zeros_like(c.target))).sum(1);
  EXPECT_NEAR(policy_loss(logits, c.target, c.legal, at::ones({4}, at::kDouble)).item<double>(),
              entropy.mean().item<double>(), 1e-12);
  EXPECT_NEAR(policy_entropy(logits, c.legal).item<double>(), entropy.mean().item<double>(), 1e-12);
}

TEST(Losses, ValueGradientIsTheSlope) {
  at::manual_seed(2);
  const at::Tensor logits = at::randn({5, 3}, at::kDouble);
  at::Tensor target = at::rand({5, 3}, at::kDouble);
  target = target / target.sum(1, true);
  EXPECT_LT(gradient_error([&](const at::Tensor& x) { return value_loss(x, target); }, logits), 1e-8);
  EXPECT_NEAR(value_loss(at::zeros({5, 3}, at::kDouble), target).item<double>(), std::log(3.0), 1e-12);
}

TEST(Losses, MovesGradientIsTheSlopeOnBothSidesOfTheBend) {
  const at::Tensor prediction = at::tensor({10.0, 35.0, 90.0, 12.0, 3.0}, at::kDouble);
  const at::Tensor target = at::tensor({14.0, 10.0, 40.0, 80.0, 3.5}, at::kDouble);
  const at::Tensor weight = at::tensor({1.0, 1.0, 1.0, 1.0, 0.0}, at::kDouble);
  const Loss loss = [&](const at::Tensor& x) { return moves_loss(x, target, weight); };
  EXPECT_LT(gradient_error(loss, prediction), 1e-8);
  // 4 plies: 0.5 * 0.2^2; 25: 1.25 - 0.5; 50: 2.5 - 0.5; 68: 3.4 - 0.5.
  EXPECT_NEAR(loss(prediction).item<double>(), (0.02 + 0.75 + 2.0 + 2.9) / 4, 1e-12);
}

TEST(Losses, WithoutTargetsTheyAreZeroNotNaN) {
  const PolicyCase c = policy_case();
  const at::Tensor none = at::zeros({4}, at::kDouble);
  EXPECT_EQ(policy_loss(c.logits, at::zeros_like(c.target), c.legal, none).item<double>(), 0);
  EXPECT_EQ(moves_loss(none + 5, none, none).item<double>(), 0);
}

}  // namespace
}  // namespace chuhe::trainer
