#include "run/run_loop.h"

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include "base/build_info.h"
#include "base/error.h"
#include "base/files.h"
#include "base/metrics.h"
#include "nn/api/torch_plugin.h"
#include "nn/infer/torch_evaluator.h"
#include "nn/model/net_file.h"
#include "nn/net/init_net.h"
#include "run/lease.h"
#include "run/play_phase.h"
#include "run/rate_phase.h"
#include "run/run_folder.h"
#include "run/stored_settings.h"
#include "run/suite_phase.h"
#include "shards/shard_folder.h"
#include "trainer/trainer.h"

namespace chuhe::run {
namespace {

/// Trips its token when the outer one does or the time is up.
class Deadline {
 public:
  Deadline(std::stop_token outer, double seconds) : forward_(outer, Forward{&source_}) {
    if (seconds > 1e8) return;
    timer_ = std::jthread([this, seconds](std::stop_token done) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock lock(mutex);
      wake.wait_for(lock, done, std::chrono::duration<double>(seconds), [] { return false; });
      if (!done.stop_requested()) source_.request_stop();
    });
  }
  std::stop_token token() const { return source_.get_token(); }
  void trip() { source_.request_stop(); }

 private:
  struct Forward {
    std::stop_source* source;
    void operator()() const { source->request_stop(); }
  };
  std::stop_source source_;
  std::stop_callback<Forward> forward_;
  std::jthread timer_;
};

class Runner {
 public:
  Runner(RunSettings settings, const RunFolder& folder, const RunLimits& limits, std::stop_token stop,
         const Clocks& clocks)
      : settings_(std::move(settings)),
        folder_(folder),
        limits_(limits),
        stop_(std::move(stop)),
        clocks_(clocks),
        log_(folder.log()),
        window_(settings_.train.validation_share, settings_.train.learn_cheap_values) {}

  RunReport run() {
    const double begin = clocks_.steady();
    RunReport report;
    make_first_net();
    publish_newest();
    const int first = newest_net(folder_);
    log_.info(fmt::format("run {}: {} of {} generations are done", folder_.path.string(), first,
                          settings_.generations));
    rate(first);  // what a kill between net and rating left open
    for (int generation = first; generation < settings_.generations && !stop_.stop_requested();
         ++generation) {
      if (!play(generation) || !train(generation)) break;
      rate(generation + 1);
      log_eta(generation + 1 - first, settings_.generations - generation - 1, clocks_.steady() - begin);
    }
    report.newest_net = newest_net(folder_);
    report.net = folder_.net(report.newest_net);
    report.stopped = stop_.stop_requested();
    report.minutes = (clocks_.steady() - begin) / 60;
    const Standing standing = standing_of(folder_, settings_, report.newest_net);
    report.score = standing.score;
    report.low = standing.low;
    return report;
  }

 private:
  std::string net_id(int number) const { return fmt::format("{}-{}", settings_.name, number); }

  void make_first_net() {
    if (newest_net(folder_) >= 0) return;
    make_folder(folder_.nets());
    const nn::NetConfig config = settings_.net.config();
    nn::write_net_file(nn::init_net(config, settings_.seed, net_id(0), settings_.selfplay.rule_set),
                       folder_.net(0));
  }

  void publish_newest() {
    write_file_atomically(folder_.latest(), folder_.net(newest_net(folder_)).filename().string() + "\n");
  }

  bool play(int generation) {
    const int64_t first = int64_t(generation) * settings_.games_per_generation;
    const int64_t end = first + settings_.games_per_generation;
    PlayPhase phase;
    phase.settings = settings_.selfplay;
    phase.evaluator = settings_.evaluator;
    phase.seed = settings_.seed;
    phase.net = folder_.net(generation);
    phase.shards = folder_.shards();
    phase.first = uint64_t(first);
    phase.end = uint64_t(std::min(end, limits_.games));
    phase.shard_games = settings_.shard_games;
    phase.title = fmt::format("generation {}: self-play", generation);
    if (phase.end > phase.first) play_phase(phase, log_, stop_, clocks_.steady);
    if (end > limits_.games) log_.info(fmt::format("the limit of {} games is reached", limits_.games));
    return end <= limits_.games && !stop_.stop_requested();
  }

  bool train(int generation) {
    trainer::TrainRequest request;
    request.shards = {folder_.shards()};
    request.end_game = uint64_t(generation + 1) * uint64_t(settings_.games_per_generation);
    const int oldest = std::max(0, generation + 1 - settings_.window_generations);
    request.first_game = uint64_t(oldest) * uint64_t(settings_.games_per_generation);
    request.folder = folder_.train();
    const int64_t parent_step = nn::read_net_header(folder_.net(generation)).step;
    request.must_resume = parent_step > 0;
    request.target_step = parent_step + settings_.steps_per_generation;
    request.net_out = folder_.net(generation + 1);
    request.net_id = net_id(generation + 1);
    request.parent = net_id(generation);
    request.rule_set = settings_.selfplay.rule_set;
    request.net = settings_.net.config();
    request.settings = settings_.train;
    request.seed = settings_.seed;
    request.clock = clocks_.wall;
    log_.info(fmt::format("generation {}: training to step {}", generation, request.target_step));
    warn_of_missing(request.first_game, request.end_game);
    const trainer::TrainReport report = trainer::train(request, log_, stop_, &window_);
    if (report.stopped) return false;
    publish_newest();
    return true;
  }

  /// Shards that somebody removed: training goes on, but not in silence.
  void warn_of_missing(uint64_t first, uint64_t end) {
    const std::set<uint64_t> ids = shards::stored_ids(folder_.shards() / "main", "main");
    const auto there = uint64_t(std::distance(ids.lower_bound(first), ids.lower_bound(end)));
    if (there < end - first)
      log_.warn(fmt::format("{} of the games {} to {} are missing in {}", end - first - there, first, end - 1,
                            folder_.shards().string()));
  }

  void rate(int number) {
    if (settings_.rating.games == 0 || stop_.stop_requested()) return;
    if (!rate_phase(folder_, settings_, number, log_, stop_, clocks_.steady)) return;
    const Standing standing = standing_of(folder_, settings_, number);
    if (stop_.stop_requested() || standing.score < 0) return;
    MetricList metrics = {{"run/elo", standing.elo},
                          {"run/elo_error", standing.elo_error},
                          {"run/score_vs_random", standing.score}};
    const MetricList known = suite_scores(folder_, settings_, number);
    metrics.insert(metrics.end(), known.begin(), known.end());
    MetricsWriter(folder_.report(), clocks_.wall(), "run").write(number, clocks_.wall(), metrics);
  }

  void log_eta(int done, int left, double seconds) {
    if (left > 0)
      log_.info(fmt::format("{} generations left, about {}", left, format_duration(seconds / done * left)));
  }

  const RunSettings settings_;
  const RunFolder folder_;
  const RunLimits limits_;
  const std::stop_token stop_;
  const Clocks& clocks_;
  Log log_;
  trainer::Window window_;
};

/// What would otherwise be found out after a generation of games.
void check_training(const RunSettings& settings) {
  std::string why;
  if (!nn::torch_available(&why)) throw Error("a run trains nets, which needs LibTorch: {}", why);
  if (!settings.train.device.starts_with("cuda")) return;
  nn::EvaluatorSettings device;
  device.device = settings.train.device;
  nn::open_torch_net(nn::init_net(settings.net.config(), settings.seed, "probe", settings.selfplay.rule_set),
                     device);
}

}  // namespace

RunReport run(RunSettings settings, const std::filesystem::path& path, const RunLimits& limits,
              std::stop_token stop, const Clocks& clocks) {
  settings.check();
  const RunFolder folder{path};
  make_folder(path);
  const Lease lease(path);
  check_training(settings);
  {
    Log log(folder.log());
    log.info(fmt::format("chuhe {} {} in {}", build_info().version, build_info().revision, path.string()));
    adopt_settings(folder, settings, log);
  }
  Deadline deadline(std::move(stop), limits.hours * 3600);
  const std::stop_callback on_loss(lease.lost(), [&deadline] { deadline.trip(); });
  const RunReport report = Runner(std::move(settings), folder, limits, deadline.token(), clocks).run();
  if (lease.lost().stop_requested())
    throw Error("{}: this process stood still for so long that another one took the run over", path.string());
  return report;
}

}  // namespace chuhe::run
