// The whole job: window, trainer, metrics, checkpoints, net.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "base/long_step.h"
#include "trainer/trainer.h"

namespace chuhe::trainer {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<fs::path>& folders) {
  std::string text;
  for (const fs::path& f : folders) text += (text.empty() ? "" : ", ") + f.string();
  return text;
}

Selection select_window(const TrainRequest& r, Window& window, Log& log) {
  for (const fs::path& folder : r.shards) {
    const LongStep step(log, "window: reading the shards of " + folder.string());
    const int64_t games = window.load(folder, r.first_game, r.end_game);
    if (games) log.info(fmt::format("window: {} games read from {}", games, folder.string()));
  }
  WindowLimits limits{r.first_game, r.end_game, r.settings.window_games, r.settings.window_rows};
  Selection s = window.select(limits);
  if (s.train.empty())
    throw Error(
        "nothing to train on: expected shards with fully searched games below {}; found {} games with ids "
        "from {} on, "
        "{} rows to learn from, {} held out",
        joined(r.shards), s.games.size(), r.first_game, s.train.size(), s.validation.size());
  log.info(fmt::format("window: {} games, {} rows to train on, {} held out", s.games.size(),
                       format_count(double(s.train.size())), format_count(double(s.validation.size()))));
  return s;
}

// A process that was killed after its last checkpoint has written figures of steps that are now taken again.
void drop_metrics_after(const fs::path& path, int64_t step) {
  if (!fs::exists(path)) return;
  std::string kept;
  bool dropped = false;
  for (const std::string& line : read_lines(path)) {
    const auto row = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    const bool keep = !row.is_discarded() && row.is_object() && row.value("step", int64_t{0}) <= step;
    if (keep) kept += line + "\n";
    dropped |= !keep;
  }
  if (dropped || kept.size() != fs::file_size(path)) write_file_atomically(path, kept);
}

double figure(const MetricList& list, std::string_view name) {
  for (const auto& [key, value] : list)
    if (key == name) return value;
  return 0;
}

/// One call of train().
class Job {
 public:
  Job(const TrainRequest& request, const Selection& selection, Trainer& trainer, Log& log)
      : r_(request), trainer_(trainer), log_(log), first_step_(trainer.steps()), saved_at_(trainer.steps()) {
    drop_metrics_after(r_.folder / "metrics.jsonl", trainer.steps());
    if (trainer.steps() < r_.target_step) metrics_.emplace(r_.folder, now(), "train");
    started_ = now();
    report_.first_step = trainer.steps();
    report_.window_games = int64_t(selection.games.size());
    report_.window_rows = int64_t(selection.train.size());
  }

  TrainReport run(const std::stop_token& stop) {
    while (trainer_.steps() < r_.target_step && !stop.stop_requested()) one_step();
    if (trainer_.steps() != saved_at_ || trainer_.steps() == 0) save();
    report_.steps = trainer_.steps();
    report_.stopped = trainer_.steps() < r_.target_step;
    report_.rows_per_second = rate();
    return std::move(report_);
  }

 private:
  double now() const { return r_.clock ? r_.clock() : 0; }
  double rate() const {
    const double seconds = now() - started_;
    return seconds > 0 ? double(trainer_.steps() - first_step_) * r_.settings.batch / seconds : 0;
  }
  bool due(int64_t every) const {
    return every > 0 && (trainer_.steps() % every == 0 || trainer_.steps() == r_.target_step);
  }

  void one_step() {
    const MetricList figures = trainer_.step();
    report_.last = figures;
    MetricList row;
    if (due(r_.settings.report_every)) {
      row = figures;
      if (r_.clock) row.emplace_back("train/rows_per_second", rate());
    }
    if (due(r_.settings.validate_every)) {
      const LongStep step(log_, fmt::format("train: step {}, asking the held-out games", trainer_.steps()));
      report_.held_out = trainer_.validate();
      row.insert(row.end(), report_.held_out.begin(), report_.held_out.end());
    }
    if (!row.empty()) metrics_->write(trainer_.steps(), now(), row);
    progress(figures);
    if (trainer_.steps() % r_.settings.checkpoint_every == 0) save();
  }

  void progress(const MetricList& figures) {
    std::string line = fmt::format("train: step {}/{}, loss {:.3f} (policy {:.3f}, value {:.3f})",
                                   trainer_.steps(), r_.target_step, figure(figures, "train/loss"),
                                   figure(figures, "train/policy_loss"), figure(figures, "train/value_loss"));
    if (const double speed = rate(); speed > 0) {
      const double left = double(r_.target_step - trainer_.steps()) * r_.settings.batch / speed;
      line += fmt::format(", {} rows/s, ETA {}", format_count(speed), format_duration(left));
    }
    log_.progress(line);
  }

  void save() {
    const LongStep step(log_, fmt::format("train: step {}, writing a checkpoint", trainer_.steps()));
    trainer_.checkpoint(r_.folder / "checkpoints");
    saved_at_ = trainer_.steps();
  }

  const TrainRequest& r_;
  Trainer& trainer_;
  Log& log_;
  const int64_t first_step_;
  int64_t saved_at_;
  double started_ = 0;
  std::optional<MetricsWriter> metrics_;
  TrainReport report_;
};

}  // namespace

TrainReport train(const TrainRequest& request, Log& log, std::stop_token stop, Window* keep) {
  if (request.target_step < 1)
    throw Error("train: the number of steps is {}, expected 1 or more", request.target_step);
  make_folder(request.folder);
  Window own(request.settings.validation_share, request.settings.learn_cheap_values);
  Window& window = keep ? *keep : own;
  const Selection selection = select_window(request, window, log);
  const auto trainer = [&] {
    const LongStep step(log, "train: making the net ready");
    return make_trainer(request.net, request.settings, request.seed, selection, log);
  }();
  log.info("train: on " + trainer->device());
  if (trainer->resume(request.folder / "checkpoints", request.target_step))
    log.info(fmt::format("train: goes on from the checkpoint of step {}", trainer->steps()));
  else if (request.must_resume)
    throw Error("{}: no sound checkpoint, but net {} is to go on from {}: put one back, or begin another run",
                (request.folder / "checkpoints").string(), request.net_id, request.parent);
  TrainReport report = Job(request, selection, *trainer, log).run(stop);
  window.drop_before(selection.oldest_game);
  if (report.stopped || request.net_out.empty()) return report;
  const LongStep step(log, "train: writing net " + request.net_id);
  trainer->export_net(request.net_out, request.net_id, request.parent, request.rule_set);
  log.info(fmt::format("train: step {}, net {} written to {}", report.steps, request.net_id,
                       request.net_out.string()));
  return report;
}

}  // namespace chuhe::trainer
