// chuhe gauntlet: rates two players against each other.

#include "gauntlet/gauntlet.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>

#include "base/error.h"
#include "base/log.h"
#include "base/stop_signal.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "gauntlet/suite_score.h"
#include "selfplay/selfplay_settings.h"

namespace chuhe::cli {
namespace {

struct GauntletConfig {
  gauntlet::GauntletSettings gauntlet;
  gauntlet::SuiteSettings suite;
  nn::EvaluatorSettings evaluator;
  void describe(Fields& f) {
    f.table("gauntlet", gauntlet, "how rating games are played");
    f.table("suite", suite, "what the players know, beside their games");
    f.table("evaluator", evaluator, "where nets are evaluated");
  }
};

struct Options {
  std::string a, b, config, algorithm, openings, out;
  std::vector<std::string> overrides;
  int games = 200, visits = 16, workers = 0, slots = 0;
  uint64_t seed = 1;
  double require_lower = -1;
  bool print_config = false;
};

void add_options(CLI::App& app, Options& o) {
  app.add_option(
      "A", o.a,
      "net file, built-in player (random, greedy, ab:1 to ab:8), or a double (hash, material, uniform)");
  app.add_option("B", o.b, "the same");
  app.add_option("--games", o.games, "games, rounded up to whole colour-swapped pairs")
      ->check(CLI::Range(1, 10000000));
  app.add_option("--visits", o.visits, "visits per move of a net; 0 = its policy alone")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--seed", o.seed, "of openings and random choices");
  app.add_option("--algorithm", o.algorithm, "puct or gumbel (key gauntlet.search.algorithm)");
  app.add_option("--openings", o.openings,
                 "file of openings (key gauntlet.openings; default: the built-in list)");
  app.add_option("--out", o.out,
                 "folder for the journal; the same command then goes on where it was stopped");
  app.add_option("--workers", o.workers, "threads (key gauntlet.farm.workers)")->check(CLI::Range(1, 4096));
  app.add_option("--slots", o.slots, "games in flight per thread (key gauntlet.farm.slots)")
      ->check(CLI::Range(1, 65536));
  app.add_option("--config", o.config, "TOML file with the tables [gauntlet] and [evaluator]");
  app.add_option("--set", o.overrides, "KEY=VALUE; may be repeated")->allow_extra_args(false);
  app.add_option("--require-lower", o.require_lower,
                 "exit with 1 unless the interval's lower end for A is at least this")
      ->check(CLI::Range(0.0, 1.0));
  app.add_flag("--print-config", o.print_config,
               "print every key with its documentation and value, and do nothing");
}

GauntletConfig config_of(const Options& o) {
  GauntletConfig config;
  config.evaluator.batch = 0;
  const Fields fields = fields_of(config);
  if (!o.config.empty()) apply_toml_file(fields, o.config);
  if (!o.algorithm.empty()) apply_override(fields, "gauntlet.search.algorithm=" + o.algorithm);
  for (const std::string& s : o.overrides) apply_override(fields, s);
  if (!o.openings.empty()) config.gauntlet.openings = o.openings;
  if (o.workers > 0) config.gauntlet.farm.workers = o.workers;
  if (o.slots > 0) config.gauntlet.farm.slots = o.slots;
  return config;
}

/// Before the games: it takes seconds, and tells of a wrong name at once.
void print_knowledge(const GauntletConfig& config, const gauntlet::Contender& player) {
  if (!player.evaluator) return;
  const auto evaluator = player.evaluator();
  const xiangqi::RuleSet& rules = xiangqi::rule_set(config.gauntlet.rule_set);
  for (const gauntlet::Suite& suite : config.suite.open())
    fmt::print("{}: {}\n", player.name,
               summary_of(suite, ask_suite(*evaluator, suite, config.suite.visit_counts(), rules)));
}

int gauntlet_between(const Options& o, const GauntletConfig& config) {
  Log log;
  gauntlet::MatchRequest request;
  const nn::EvaluatorSettings evaluator = selfplay::fitted(config.evaluator, config.gauntlet.farm);
  request.a = gauntlet::open_contender(o.a, evaluator);
  request.b = gauntlet::open_contender(o.b, evaluator);
  print_knowledge(config, request.a);
  print_knowledge(config, request.b);
  request.games = o.games;
  request.visits = o.visits;
  request.seed = o.seed;
  request.settings = config.gauntlet;
  if (!o.out.empty())
    request.journal =
        std::filesystem::path(o.out) / fmt::format("{}-{}.jsonl", request.a.name, request.b.name);
  const int games = gauntlet::whole_pairs(o.games);
  if (games != o.games)
    log.info(fmt::format("{} games are asked for, {} are played: they come in pairs", o.games, games));
  const auto begin = std::chrono::steady_clock::now();
  const std::stop_token stop = install_stop_signals();
  const auto progress = [&](const gauntlet::MatchResult& r, const selfplay::FarmProgress& p) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const auto s = gauntlet::score(r.pairs);
    log.progress(fmt::format(
        "{} against {}: {}/{} games, score {:.3f} ({:.3f} to {:.3f}), {:.2f} games/s, ETA {}", r.a, r.b,
        r.games() + r.unpaired, games, s.value, s.low, s.high, double(p.games) / seconds,
        p.games ? format_duration(seconds / double(p.games) * double(games - r.games() - r.unpaired)) : "?"));
  };
  const gauntlet::MatchResult result = gauntlet::play_match(request, stop, progress);
  for (const std::string& line : gauntlet::report(result)) fmt::print("{}\n", line);
  const gauntlet::Interval s = gauntlet::score(result.pairs);
  if (stop.stop_requested()) {
    fmt::print("STOPPED games={} score={:.3f} lo={:.3f} hi={:.3f}\n", result.games(), s.value, s.low, s.high);
    return 3;
  }
  const bool passed = o.require_lower < 0 || s.low >= o.require_lower;
  const char* word = o.require_lower < 0 ? "SCORE" : passed ? "PASS" : "FAIL";
  fmt::print("{} score={:.3f} lo={:.3f} hi={:.3f}\n", word, s.value, s.low, s.high);
  return passed ? 0 : 1;
}

}  // namespace

int gauntlet_command(int argc, char** argv) {
  CLI::App app(
      "Plays colour-swapped pairs of games over an openings file between two players and rates them "
      "(docs/gauntlet.md).",
      "chuhe gauntlet");
  app.footer("example: chuhe gauntlet runs/quickstart-1/nets/3 random --games 200 --visits 16");
  Options options;
  add_options(app, options);
  if (!parse_command(app, argc, argv)) return 0;
  GauntletConfig config = config_of(options);
  if (options.print_config) {
    fmt::print("{}", to_toml(fields_of(config), true));
    return 0;
  }
  if (options.a.empty() || options.b.empty())
    throw Error("gauntlet: expected two players: chuhe gauntlet A B");
  return gauntlet_between(options, config);
}

}  // namespace chuhe::cli
