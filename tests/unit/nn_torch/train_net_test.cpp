#include "nn/net/train_net.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/net/check_rows.h"
#include "nn/net/infer_net.h"
#include "trainer/losses.h"

namespace chuhe::nn {
namespace {

// Small products gain nothing from threads, and these spin where cores are shared.
[[gnu::constructor]] void use_one_thread() {
  at::set_num_threads(1);
}

NetConfig small_config(int se_channels = 16) {
  NetConfig c;
  c.blocks = 1;
  c.channels = 16;
  c.se_channels = se_channels;
  c.policy_channels = 16;
  c.value_channels = 16;
  c.value_hidden = 16;
  return c;
}

at::Tensor planes_of(const std::vector<PackedRow>& rows) {
  at::Tensor planes = at::empty({int64_t(rows.size()), 90, kPlanes}, at::kFloat);
  for (size_t i = 0; i < rows.size(); ++i)
    expand_planes(rows[i], planes.data_ptr<float>() + i * 90 * kPlanes);
  return planes;
}

at::Tensor some_moves(int64_t rows) {
  return at::arange(0, 2062, 37, at::kLong).expand({rows, -1}).contiguous();
}

/// One number that depends on every output.
at::Tensor total(const Outputs& out) {
  const at::Tensor moves = some_moves(out.from.size(0));
  const at::Tensor logits = move_logits(out, square_pairs(at::kCPU), moves);
  const auto options = logits.options();
  const at::Tensor target = at::softmax(at::arange(logits.size(1), options) * 0.1, 0).expand_as(logits);
  const at::Tensor ones = at::ones({logits.size(0)}, options);
  const at::Tensor wdl = at::tensor({0.6, 0.3, 0.1}, options).expand({logits.size(0), 3});
  return trainer::policy_loss(logits, target, at::ones_like(logits), ones) +
         trainer::value_loss(out.wdl, wdl) + trainer::moves_loss(moves_left(out), ones * 17, ones);
}

TEST(TrainNet, GradientIsTheSlopeInEveryLayer) {
  const NetConfig config = small_config();
  RawNet start = initial_net(config, 3);
  TrainNet net(config, start, at::kCPU, at::kDouble);
  const at::Tensor planes = planes_of(self_check_rows()).to(at::kDouble);
  total(net.forward(planes, true)).backward();
  const at::Tensor gradient = net.gradient().clone();
  EXPECT_GT(gradient.abs().max().item<double>(), 1e-3);
  for (const Parameter& p : net.layout().parameters) {
    // The steepest number of each tensor.
    const int64_t i = p.begin + gradient.narrow(0, p.begin, p.size).abs().argmax().item<int64_t>();
    const double h = 1e-6;
    const auto value_at = [&](double shift) {
      const c10::InferenceMode inference;
      net.flat()[i] += shift;
      const double v = total(net.forward(planes, true)).item<double>();
      net.flat()[i] -= shift;
      return v;
    };
    const double slope = (value_at(h) - value_at(-h)) / (2 * h), exact = gradient[i].item<double>();
    EXPECT_NEAR(slope, exact, 1e-6 + 1e-3 * std::abs(exact)) << p.name;
    EXPECT_NE(exact, 0) << p.name;
  }
}

TEST(TrainNet, InferenceOnTheFoldedNetEqualsEvaluationMode) {
  for (int se : {0, 16}) {
    const NetConfig config = small_config(se);
    RawNet raw = initial_net(config, 5);
    TrainNet net(config, raw, at::kCPU);
    const at::Tensor planes = planes_of(self_check_rows());
    for (int i = 0; i < 5; ++i) net.forward(planes, true);  // statistics other than 0 and 1
    std::copy_n(net.statistics().data_ptr<float>(), raw.statistics.size(), raw.statistics.begin());
    NetFile file;
    file.config = config;
    file.tensors = folded(config, raw);
    const Outputs a = net.forward(planes, false);
    const c10::InferenceMode inference;
    const Outputs b = InferNet(file, at::kCPU, at::kFloat).forward(planes);
    EXPECT_LT((a.wdl - b.wdl).abs().max().item<double>(), 1e-5);
    EXPECT_LT((a.moves - b.moves).abs().max().item<double>(), 1e-5);
    const at::Tensor moves = some_moves(planes.size(0)), pairs = square_pairs(at::kCPU);
    EXPECT_LT((move_logits(a, pairs, moves) - move_logits(b, pairs, moves)).abs().max().item<double>(), 1e-5);
  }
}

TEST(TrainNet, RunningStatisticsReachTheBatchs) {
  // With enough passes over one batch, evaluation mode agrees with training mode: what is folded at export is
  // what was trained (lc0 issue 784: statistics of rare features made play blind to them).
  const NetConfig config = small_config();
  TrainNet net(config, initial_net(config, 7), at::kCPU, at::kDouble);
  const at::Tensor planes = planes_of(self_check_rows()).to(at::kDouble);
  const double before = std::abs(total(net.forward(planes, true)).item<double>() -
                                 total(net.forward(planes, false)).item<double>());
  for (int i = 0; i < 200; ++i) net.forward(planes, true);
  const double train = total(net.forward(planes, true)).item<double>();
  const double evaluation = total(net.forward(planes, false)).item<double>();
  EXPECT_NEAR(train, evaluation, 0.01);
  EXPECT_GT(before, std::abs(train - evaluation));
}

TEST(TrainNet, SelfChecksPassAndAWrongWeightFailsThem) {
  NetFile file;
  file.id = "test";
  file.config = small_config();
  file.tensors = folded(file.config, initial_net(file.config, 9));
  file.checks = self_checks(file, self_check_rows());
  ASSERT_EQ(file.checks.size(), 8u);
  verify_self_checks(file, InferNet(file, at::kCPU, at::kFloat));
  verify_self_checks(file, InferNet(file, at::kCPU, at::kBFloat16));
  file.tensors.at("value.wdl.bias").values[0] += 0.5f;
  EXPECT_THROW(verify_self_checks(file, InferNet(file, at::kCPU, at::kFloat)), Error);
}

TEST(TrainNet, LayoutFoldsIntoTheDocumentedTensors) {
  for (const auto name : net_preset_names()) {
    const NetConfig config = net_preset(name);
    if (config.channels > 128) continue;  // the large one takes seconds
    const auto tensors = folded(config, initial_net(config, 1));
    const auto shapes = tensor_shapes(config);
    ASSERT_EQ(tensors.size(), shapes.size());
    for (const auto& [tensor, shape] : shapes) EXPECT_EQ(tensors.at(tensor).shape, shape) << tensor;
  }
}

TEST(TrainNet, FreshNetsAreEvenAndDiffer) {
  const NetConfig config = net_preset("nano");
  EXPECT_EQ(initial_net(config, 1).parameters, initial_net(config, 1).parameters);
  EXPECT_NE(initial_net(config, 1).parameters, initial_net(config, 2).parameters);
  NetFile file;
  file.config = config;
  file.tensors = folded(config, initial_net(config, 1));
  for (const SelfCheck& c : self_checks(file, self_check_rows())) {
    for (float p : c.wdl) EXPECT_NEAR(p, 1.0f / 3, 0.15);
    EXPECT_NEAR(c.moves_left, 50, 20);
    for (float logit : c.policy_logits) EXPECT_NEAR(logit, 0, 1);
  }
}

}  // namespace
}  // namespace chuhe::nn
