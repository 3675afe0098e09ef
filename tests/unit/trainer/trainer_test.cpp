// The trainer through the plugin, on the CPU.

#include "trainer/trainer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "nn/net/init_net.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/trainer/synthetic_games.h"
#include "trainer/checkpoint.h"
#include "trainer/learner.h"
#include "trainer/sampler.h"

namespace chuhe::trainer {
namespace {

namespace fs = std::filesystem;

nn::NetConfig small_net() {
  nn::NetConfig c;
  c.blocks = 1;
  c.channels = 16;
  c.policy_channels = 16;
  c.value_hidden = 32;
  return c;
}

TrainSettings small_settings() {
  TrainSettings s;
  s.batch = 32;
  s.device = "cpu";
  s.threads = 1;
  s.warmup_steps = 5;
  s.validation_rows = 100;
  return s;
}

const Selection& selection() {
  static const Selection s = [] {
    Window window(0.1, true);
    for (uint64_t id = 0; id < 60; ++id) window.add(testing::synthetic_game(6, id, 60));
    return window.select({});
  }();
  return s;
}

double figure(const MetricList& list, const std::string& name) {
  for (const auto& [key, value] : list)
    if (key == name) return value;
  ADD_FAILURE() << "no figure " << name;
  return NAN;
}

class TrainerTest : public ::testing::Test {
 protected:
  std::unique_ptr<Trainer> trainer(const TrainSettings& s, uint64_t seed = 3) {
    return make_trainer(small_net(), s, seed, selection(), log_);
  }
  std::string bytes(Trainer& t) { return nn::to_bytes(t.net("x", "", "checks_only")); }

  const test::TempFolder temp_;
  const fs::path dir_ = temp_ / "checkpoints";
  Log log_;
};

TEST_F(TrainerTest, StartsFromTheFreshNetOfItsSeed) {
  const auto t = trainer(small_settings());
  const nn::NetFile fresh = nn::init_net(small_net(), 3, "x", "checks_only");
  const nn::NetFile start = t->net("x", "", "checks_only");
  for (const auto& [name, tensor] : fresh.tensors)
    EXPECT_EQ(start.tensors.at(name).values, tensor.values) << name;
}

TEST_F(TrainerTest, LearnsWhatTheGamesShow) {
  for (const char* optimizer : {"adamw", "sgd"}) {
    TrainSettings s = small_settings();
    s.optimizer = optimizer;
    s.learning_rate = s.optimizer == "sgd" ? 0.05 : 0.005;
    const auto t = trainer(s);
    const MetricList before = t->validate();
    for (int i = 0; i < 60; ++i) t->step();
    const MetricList after = t->validate();
    // The target prefers captures: on rows never trained on too.
    EXPECT_LT(figure(after, "held_out/policy_loss"), figure(before, "held_out/policy_loss") - 0.1)
        << optimizer;
    EXPECT_GT(figure(after, "held_out/policy_top1"), figure(before, "held_out/policy_top1")) << optimizer;
    EXPECT_GE(figure(after, "held_out/win_calibration_error"), 0);
  }
}

TEST_F(TrainerTest, BfloatTrainingLearnsToo) {
  TrainSettings s = small_settings();
  s.precision = "bf16";
  s.learning_rate = 0.005;
  const auto t = trainer(s);
  const double before = figure(t->validate(), "held_out/policy_loss");
  for (int i = 0; i < 60; ++i) t->step();
  EXPECT_LT(figure(t->validate(), "held_out/policy_loss"), before - 0.1);
}

TEST_F(TrainerTest, ResumesBitByBit) {
  for (const char* optimizer : {"adamw", "sgd"}) {
    fs::remove_all(dir_);
    TrainSettings s = small_settings();
    s.optimizer = optimizer;
    const auto whole = trainer(s);
    std::vector<MetricList> figures;
    for (int i = 0; i < 12; ++i) figures.push_back(whole->step());

    const auto first = trainer(s);
    for (int i = 0; i < 5; ++i) first->step();
    first->checkpoint(dir_);
    const auto second = trainer(s);
    ASSERT_TRUE(second->resume(dir_));
    EXPECT_EQ(second->steps(), 5);
    for (size_t i = 5; i < 12; ++i) EXPECT_EQ(second->step(), figures[i]) << optimizer << " step " << i;
    EXPECT_EQ(bytes(*whole), bytes(*second));

    whole->checkpoint(dir_ / "a");
    second->checkpoint(dir_ / "b");
    const auto a = newest_checkpoint(dir_ / "a", [](const std::string&) {});
    const auto b = newest_checkpoint(dir_ / "b", [](const std::string&) {});
    EXPECT_EQ(a->state, b->state);  // moments and averages too
    EXPECT_EQ(a->state.arrays.contains("adam.v"), s.optimizer == "adamw");
  }
}

TEST_F(TrainerTest, ANewLearningRateWinsOverTheCheckpoints) {
  TrainSettings s = small_settings();
  const auto t = trainer(s);
  for (int i = 0; i < 6; ++i) t->step();
  t->checkpoint(dir_);
  s.learning_rate /= 2;
  const auto resumed = trainer(s);
  ASSERT_TRUE(resumed->resume(dir_));
  EXPECT_DOUBLE_EQ(figure(resumed->step(), "train/learning_rate"), s.learning_rate);
}

TEST_F(TrainerTest, RefusesForeignCheckpoints) {
  const auto t = trainer(small_settings());
  EXPECT_FALSE(t->resume(dir_));
  for (int i = 0; i < 2; ++i) t->step();
  t->checkpoint(dir_);
  EXPECT_THROW(trainer(small_settings(), 4)->resume(dir_), Error);  // seed
  EXPECT_FALSE(trainer(small_settings())->resume(dir_, 1));         // beyond the target: passed over
  TrainSettings sgd = small_settings();
  sgd.optimizer = "sgd";
  EXPECT_THROW(trainer(sgd)->resume(dir_), Error);
  nn::NetConfig other = small_net();
  other.channels = 32;
  EXPECT_THROW(make_trainer(other, small_settings(), 3, selection(), log_)->resume(dir_), Error);
}

TEST_F(TrainerTest, StopsAtNaNBeforeTheWeightsChange) {
  const auto learner = make_learner(small_net(), small_settings(), nn::initial_net(small_net(), 3));
  const Sampler sampler(selection(), small_settings(), 3);
  TrainBatch batch;
  sampler.fill(0, true, batch);
  learner->step(batch);
  const LearnerState before = learner->state();
  batch.wdl[4] = NAN;
  try {
    learner->step(batch);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("step 1"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("not finite"), std::string::npos) << e.what();
  }
  EXPECT_EQ(learner->state(), before);
}

TEST_F(TrainerTest, DecaySparesBiasesAndNorms) {
  TrainSettings s = small_settings();
  s.optimizer = "sgd";
  s.learning_rate = 0.1;
  s.warmup_steps = 0;
  s.weight_decay = 0.5;
  s.policy_weight = s.value_weight = s.moves_weight = 0;  // no gradient: what moves is decay
  const nn::RawNet start = nn::initial_net(small_net(), 3);
  const auto learner = make_learner(small_net(), s, start);
  TrainBatch batch;
  Sampler(selection(), s, 3).fill(0, true, batch);
  learner->step(batch);
  const auto weights = learner->state().arrays.at("weights");
  const auto layout = nn::parameter_layout(small_net());
  for (const auto& p : layout.parameters) {
    const bool decays = p.name.ends_with(".weight") && !p.name.ends_with("norm.weight");
    EXPECT_EQ(decays, p.begin < layout.decayed) << p.name;
    for (int64_t i = p.begin; i < p.begin + p.size; ++i)
      ASSERT_FLOAT_EQ(weights[size_t(i)], start.parameters[size_t(i)] * (decays ? 0.95f : 1.0f)) << p.name;
  }
}

TEST_F(TrainerTest, ClipsTheGradient) {
  TrainSettings s = small_settings();
  s.optimizer = "sgd";
  s.momentum = 0;
  s.learning_rate = 1;
  s.warmup_steps = 0;
  s.weight_decay = 0;
  s.clip_norm = 0.01;
  const nn::RawNet start = nn::initial_net(small_net(), 3);
  const auto learner = make_learner(small_net(), s, start);
  TrainBatch batch;
  Sampler(selection(), s, 3).fill(0, true, batch);
  EXPECT_GT(learner->step(batch).gradient_norm, 0.01);
  const auto weights = learner->state().arrays.at("weights");
  double norm = 0;
  for (size_t i = 0; i < weights.size(); ++i) norm += std::pow(weights[i] - start.parameters[i], 2);
  EXPECT_NEAR(std::sqrt(norm), 0.01, 1e-4);
}

TEST_F(TrainerTest, MirroredAndColorSwappedGamesGiveTheSameLosses) {
  // The net is not symmetric, so a mirrored batch is compared with the mirrored games' batch; colours vanish
  // in the encoding altogether.
  const auto losses = [](auto&& change, Augment augment) {
    Window window(0, true);
    for (uint64_t id = 0; id < 4; ++id) window.add(change(testing::synthetic_game(8, id, 40)));
    const Selection s = window.select({});
    TrainBatch batch;
    batch.resize(64, true);
    for (int i = 0; i < 64; ++i)
      fill_row(s.game(s.train[size_t(i)]), s.row(s.train[size_t(i)]), augment, 0.3, batch, i);
    const StepFigures f =
        make_learner(small_net(), small_settings(), nn::initial_net(small_net(), 3))->step(batch);
    return std::array{f.policy_loss, f.value_loss, f.moves_loss, f.gradient_norm};
  };
  const auto same = [](const shards::GameRecord& g) { return g; };
  const auto plain = losses(same, {});
  EXPECT_EQ(plain, losses(testing::color_swapped_game, {}));
  const auto mirrored = losses(same, {.mirror = true});
  EXPECT_EQ(mirrored, losses(testing::mirrored_game, {}));
  EXPECT_NE(plain, mirrored);
}

}  // namespace
}  // namespace chuhe::trainer
