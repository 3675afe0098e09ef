// CUDA against the CPU: the evaluator's answers, and the gradient of one step.

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "nn/infer/torch_evaluator.h"
#include "nn/net/init_net.h"
#include "nn/net/parameters.h"
#include "tests/unit/trainer/synthetic_games.h"
#include "trainer/learner.h"
#include "trainer/sampler.h"

namespace chuhe::trainer {
namespace {

class TorchCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    nn::EvaluatorSettings s;
    s.device = "cuda";
    try {
      nn::open_torch_net(nn::init_net(nn::net_preset("nano"), 1, "x", ""), s);
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
  }
};

TrainBatch sample_batch(int rows) {
  Window window(0, true);
  for (uint64_t id = 0; id < 10; ++id) window.add(testing::synthetic_game(3, id, 60));
  const Selection s = window.select({});
  TrainSettings settings;
  settings.batch = rows;
  TrainBatch batch;
  Sampler(s, settings, 1).fill(0, true, batch);
  return batch;
}

struct Answers {
  std::vector<float> values;  // win, draw, loss, moves left / 50 of each row, then all priors
};

Answers ask(const nn::NetFile& net, const std::string& device, const std::string& precision,
            const TrainBatch& b) {
  nn::EvaluatorSettings s;
  s.device = device;
  s.precision = precision;
  s.batch = 32;
  const auto evaluator = nn::open_torch_net(net, s).make();
  const auto batch = evaluator->make_batch(b.rows);
  for (int i = 0; i < b.rows; ++i) {
    std::vector<uint16_t> moves;
    for (int k = i * TrainBatch::kWidth; b.legal[size_t(k)] > 0; ++k)
      moves.push_back(uint16_t(b.moves[size_t(k)]));
    batch->add(b.packed[size_t(i)], moves);
  }
  Answers a;
  for (int round = 0; round < 2; ++round) {  // the second on a batch that was used before
    evaluator->evaluate(*batch);
    a.values.clear();
    for (int i = 0; i < b.rows; ++i) {
      const auto w = batch->wdl(i);
      a.values.insert(a.values.end(), {w.win, w.draw, w.loss, batch->moves_left(i) / 50});
    }
    for (int i = 0; i < b.rows; ++i)
      a.values.insert(a.values.end(), batch->priors(i).begin(), batch->priors(i).end());
  }
  return a;
}

double apart(const std::vector<float>& a, const std::vector<float>& b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, std::abs(double(a[i]) - b[i]));
  return most;
}

TEST_F(TorchCuda, EvaluatorAgreesWithTheCpu) {
  nn::NetFile net = nn::init_net(nn::net_preset("tiny"), 2, "cuda", "");
  for (const char* name : {"policy.from.weight", "value.wdl.weight"})
    for (float& v : net.tensors.at(name).values) v *= 10;
  net.checks.clear();
  const TrainBatch batch = sample_batch(80);  // two full pieces and a part
  const Answers cpu = ask(net, "cpu", "fp32", batch);
  EXPECT_LT(apart(cpu.values, ask(net, "cuda", "fp32", batch).values), 1e-4);
  EXPECT_LT(apart(cpu.values, ask(net, "cuda", "bf16", batch).values), 0.05);
  EXPECT_LT(apart(cpu.values, ask(net, "cuda", "fp16", batch).values), 0.01);
}

TEST_F(TorchCuda, OneStepEqualsTheCpus) {
  const nn::NetConfig config = nn::net_preset("nano");
  const TrainBatch batch = sample_batch(64);
  LearnerState states[2];
  StepFigures figures[2];
  for (int i = 0; i < 2; ++i) {
    TrainSettings s;
    s.device = i ? "cuda" : "cpu";
    s.optimizer = "sgd";
    s.weight_decay = 0;
    s.warmup_steps = 0;
    const auto learner = make_learner(config, s, nn::initial_net(config, 1));
    figures[i] = learner->step(batch);
    states[i] = learner->state();
  }
  EXPECT_NEAR(figures[0].loss, figures[1].loss, 1e-4);
  EXPECT_NEAR(figures[0].gradient_norm, figures[1].gradient_norm, 1e-3 * figures[0].gradient_norm);
  // SGD's buffer after one step is the gradient.
  EXPECT_LT(apart(states[0].arrays.at("sgd.momentum"), states[1].arrays.at("sgd.momentum")),
            1e-3 * figures[0].gradient_norm);
}

}  // namespace
}  // namespace chuhe::trainer
