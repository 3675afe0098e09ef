#include "trainer/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/build_info.h"
#include "base/error.h"
#include "nn/infer/torch_client.h"
#include "nn/infer/torch_entry.h"
#include "trainer/batch_source.h"
#include "trainer/calibration.h"
#include "trainer/checkpoint.h"
#include "trainer/learner.h"

namespace chuhe::trainer {
namespace {

class SelectionTrainer final : public Trainer {
 public:
  SelectionTrainer(const nn::NetConfig& config, const TrainSettings& settings, uint64_t seed,
                   const Selection& selection, Log& log)
      : config_(config),
        settings_(settings),
        seed_(seed),
        selection_(selection),
        log_(log),
        sampler_(selection, settings, seed),
        generated_(selection.generated({})),
        learner_(make_learner(config, settings, nn::initial_net(config, seed))) {}

  int64_t steps() const override { return steps_; }
  std::string device() const override { return learner_->device(); }
  MetricList step() override;
  MetricList validate() override;
  void checkpoint(const std::filesystem::path& dir) override;
  bool resume(const std::filesystem::path& dir, int64_t max_step) override;
  nn::NetFile net(const std::string& id, const std::string& parent, const std::string& rule_set) override;

 private:
  void log_changes(const Checkpoint& c) const;

  const nn::NetConfig config_;
  const TrainSettings settings_;
  const uint64_t seed_;
  const Selection& selection_;
  Log& log_;
  Sampler sampler_;
  RowsGenerated generated_;
  std::unique_ptr<Learner> learner_;
  std::unique_ptr<BatchSource> source_;  // from the first step on
  int64_t steps_ = 0;
};

MetricList SelectionTrainer::step() {
  if (!source_)
    source_ =
        std::make_unique<BatchSource>(sampler_, steps_, settings_.data_threads, learner_->wants_planes());
  std::unique_ptr<TrainBatch> batch = source_->next();
  const StepFigures f = learner_->step(*batch);
  source_->recycle(std::move(batch));
  ++steps_;
  const double drawn = double(steps_) * settings_.batch;
  return {{"train/loss", f.loss},
          {"train/policy_loss", f.policy_loss},
          {"train/value_loss", f.value_loss},
          {"train/moves_loss", f.moves_loss},
          {"train/policy_entropy", f.policy_entropy},
          {"train/gradient_norm", f.gradient_norm},
          {"train/learning_rate", f.learning_rate},
          {"train/reuse_ratio", drawn / double(std::max<int64_t>(generated_.rows, 1))}};
}

MetricList SelectionTrainer::validate() {
  Judgement sum;
  Calibration calibration;
  double rows = 0;
  TrainBatch batch;
  while (int(rows) < settings_.validation_rows) {
    // Against the results alone, so that figures of different value targets can be compared.
    const int n = fill_validation(selection_, int(rows),
                                  std::min(settings_.batch, settings_.validation_rows - int(rows)),
                                  /*root_value_share=*/0, learner_->wants_planes(), batch);
    if (n == 0) break;
    const Judgement j = learner_->judge(batch);
    rows += n;
    sum.value_loss += j.value_loss * n;
    sum.policy_entropy += j.policy_entropy * n;
    sum.policy_loss += j.policy_loss * j.policy_rows;
    sum.moves_loss += j.moves_loss * j.moves_rows;
    sum.policy_rows += j.policy_rows;
    sum.moves_rows += j.moves_rows;
    sum.policy_hits += j.policy_hits;
    for (int i = 0; i < n; ++i) calibration.add(j.wdl[size_t(3 * i)], batch.wdl[size_t(3 * i)]);
  }
  if (rows == 0) return {};
  const double policy_rows = std::max(sum.policy_rows, 1.0), moves_rows = std::max(sum.moves_rows, 1.0);
  const double policy = sum.policy_loss / policy_rows, value = sum.value_loss / rows,
               moves = sum.moves_loss / moves_rows;
  return {{"held_out/loss", policy * settings_.policy_weight + value * settings_.value_weight +
                                moves * settings_.moves_weight},
          {"held_out/policy_loss", policy},
          {"held_out/value_loss", value},
          {"held_out/moves_loss", moves},
          {"held_out/policy_entropy", sum.policy_entropy / rows},
          {"held_out/policy_top1", sum.policy_hits / policy_rows},
          {"held_out/win_calibration_error", calibration.expected_error()},
          {"held_out/rows", rows}};
}

void SelectionTrainer::checkpoint(const std::filesystem::path& dir) {
  Checkpoint c;
  c.state = learner_->state();
  c.seed = seed_;
  c.net = config_;
  TrainSettings settings = settings_;
  c.settings = to_toml(fields_of(settings), false);
  c.generated = generated_;
  c.device = learner_->device();
  c.revision = build_info().revision;
  write_checkpoint(c, dir, settings_.keep_checkpoints);
}

bool SelectionTrainer::resume(const std::filesystem::path& dir, int64_t max_step) {
  const auto c = newest_checkpoint(
      dir, [&](const std::string& why) { log_.warn("passed over: " + why); }, max_step);
  if (!c) return false;
  const std::string where = fmt::format("checkpoint of step {} in {}", c->state.steps, dir.string());
  if (!(c->net == config_)) throw Error("{}: it is of another net than the one asked for", where);
  if (c->seed != seed_) throw Error("{}: its seed is {}, asked for {}", where, c->seed, seed_);
  learner_->set_state(c->state);
  steps_ = c->state.steps;
  generated_ = selection_.generated(c->generated);
  source_.reset();
  log_changes(*c);
  return true;
}

void SelectionTrainer::log_changes(const Checkpoint& c) const {
  TrainSettings then;
  try {
    apply_toml(fields_of(then), c.settings, "checkpoint");
  } catch (const Error& e) {
    log_.warn(fmt::format("settings of the checkpoint are not known here: {}", e.what()));
    return;
  }
  TrainSettings now = settings_;
  for (const FieldDifference& d : differences(fields_of(then), fields_of(now)))
    log_.info(fmt::format("changed since the checkpoint: {} {} -> {}", d.name, d.before, d.now));
  if (c.device != learner_->device())
    log_.info(fmt::format("changed since the checkpoint: device {} -> {}", c.device, learner_->device()));
}

nn::NetFile SelectionTrainer::net(const std::string& id, const std::string& parent,
                                  const std::string& rule_set) {
  nn::NetFile net;
  net.id = id;
  net.parent = parent;
  net.step = steps_;
  net.rule_set = rule_set;
  net.revision = build_info().revision;
  net.config = config_;
  net.tensors = nn::folded(config_, learner_->averaged());
  CHUHE_TORCH_CALL(chuhe_torch_self_check, net);
  return net;
}

}  // namespace

void Trainer::export_net(const std::filesystem::path& path, const std::string& id, const std::string& parent,
                         const std::string& rule_set) {
  nn::write_net_file(net(id, parent, rule_set), path);
}

std::unique_ptr<Learner> make_learner(const nn::NetConfig& config, const TrainSettings& settings,
                                      const nn::RawNet& start) {
  std::unique_ptr<Learner> learner;
  CHUHE_TORCH_CALL(chuhe_torch_make_learner, config, settings, start, learner);
  return learner;
}

std::unique_ptr<Trainer> make_trainer(const nn::NetConfig& config, const TrainSettings& settings,
                                      uint64_t seed, const Selection& selection, Log& log) {
  if (selection.train.empty()) throw Error("nothing to train on: the window holds no training row");
  return std::make_unique<SelectionTrainer>(config, settings, seed, selection, log);
}

}  // namespace chuhe::trainer
