// chuhe run: the whole loop in one run folder.

#include "run/run_loop.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>

#include "base/error.h"
#include "base/stop_signal.h"
#include "cli/commands.h"
#include "cli/parse.h"

namespace chuhe::cli {
namespace {

template <class Clock>
double seconds_of() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// The command that plays the newest net in a GUI. The path is absolute: a GUI starts engines anywhere.
std::string play_command_line(const std::filesystem::path& net) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  return fmt::format("{} play --net {}", self.string(),
                     std::filesystem::absolute(net).lexically_normal().string());
}

void print_result(const run::RunReport& report, const std::filesystem::path& folder) {
  const std::string rated = report.score < 0
                                ? "score_vs_random=none lo=none"
                                : fmt::format("score_vs_random={:.3f} lo={:.3f}", report.score, report.low);
  fmt::print("RESULT run={} net={} generations={} minutes={:.1f} {} play=\"{}\"\n", folder.string(),
             report.net.string(), report.newest_net, report.minutes, rated, play_command_line(report.net));
}

}  // namespace

int run_command(int argc, char** argv) {
  CLI::App app(
      "Plays, trains and rates, generation after generation, in one run folder. Killed or stopped, the same "
      "command goes on "
      "where it was.",
      "chuhe run");
  app.footer("example: chuhe run configs/smoke/tiny.toml --run runs/first --hours 8");
  std::string config, folder;
  std::vector<std::string> overrides;
  run::RunLimits limits;
  int generations = 0;
  bool print_config = false;
  app.add_option("config", config, "TOML file; without one, the settings of the quickstart");
  app.add_option("--run", folder, "the run's folder (default runs/NAME)");
  app.add_option("--generations", generations, "generations in all: overrides the key of that name")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--games", limits.games, "stop when so many games are played in all")
      ->check(CLI::PositiveNumber);
  app.add_option("--hours", limits.hours, "stop after so many hours of this process")
      ->check(CLI::PositiveNumber);
  app.add_option("--set", overrides, "KEY=VALUE for a key of the configuration; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--print-config", print_config,
               "print every key with its documentation and value, and do nothing");
  if (!parse_command(app, argc, argv)) return 0;
  if (!(limits.hours > 0)) throw Error("run: --hours: expected a number above 0");  // what nan passes by
  run::RunSettings settings = config.empty() ? run::quickstart_settings() : run::RunSettings();
  const Fields fields = fields_of(settings);
  if (!config.empty()) apply_toml_file(fields, config);
  for (const std::string& o : overrides) apply_override(fields, o);
  if (generations > 0) settings.generations = generations;
  if (print_config) {
    fmt::print("{}", to_toml(fields, true));
    return 0;
  }
  if (folder.empty()) folder = "runs/" + settings.name;
  const std::stop_token stop = install_stop_signals();
  const run::Clocks clocks{seconds_of<std::chrono::steady_clock>, seconds_of<std::chrono::system_clock>};
  const run::RunReport report = run::run(settings, folder, limits, stop, clocks);
  print_result(report, folder);
  return stop.stop_requested() ? 3 : 0;
}

}  // namespace chuhe::cli
