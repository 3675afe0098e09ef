// chuhe train: shards in, a net out.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/stop_signal.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "run/lease.h"
#include "shards/shard_file.h"
#include "shards/shard_folder.h"
#include "trainer/trainer.h"

namespace chuhe::cli {
namespace {

namespace fs = std::filesystem;

struct TrainConfig {
  trainer::TrainSettings train;
  nn::NetConfig net;
  void describe(Fields& f) {
    f.table("train", train, "how nets are trained");
    f.table("net", net, "what the net is made of");
  }
};

struct Options {
  std::vector<std::string> shards, overrides;
  std::string out, net = "nano", config, id, rule_set, resume = "auto";
  int64_t steps = 0;
  uint64_t seed = 1, first_game = 0, end_game = UINT64_MAX;
  bool print_config = false;
};

void add_options(CLI::App& app, Options& o) {
  app.add_option("--shards", o.shards, "folder of shards, searched with its subfolders; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--out", o.out, "folder for checkpoints, metrics and the net, net-STEPS.safetensors");
  app.add_option("--steps", o.steps,
                 "train until so many steps lie behind the net, those of earlier calls counted")
      ->check(CLI::PositiveNumber);
  app.add_option("--net", o.net,
                 "preset of the net: nano, tiny, small, base, large; --set net.KEY changes it");
  app.add_option("--id", o.id, "id of the net that is written (default: OUT's name and the step)");
  app.add_option("--seed", o.seed, "the net's first weights and the order of the rows derive from it");
  app.add_option("--first-game", o.first_game, "lowest game id that may be trained on");
  app.add_option("--end-game", o.end_game, "ids from here on are left out");
  app.add_option("--rule-set", o.rule_set, "name that goes into the net (default: the games' own)");
  app.add_option("--resume", o.resume,
                 "auto: go on from the newest checkpoint in OUT; never: it must be empty")
      ->check(CLI::IsMember({"auto", "never"}));
  app.add_option("--config", o.config, "TOML file with the tables [train] and [net]");
  app.add_option("--set", o.overrides, "KEY=VALUE, as train.batch=512; may be repeated")
      ->allow_extra_args(false);
  app.add_flag("--print-config", o.print_config,
               "print every key with its documentation and value, and do nothing");
}

TrainConfig config_of(const Options& o) {
  TrainConfig config;
  config.net = nn::net_preset(o.net);
  const Fields fields = fields_of(config);
  if (!o.config.empty()) apply_toml_file(fields, o.config);
  for (const std::string& s : o.overrides) apply_override(fields, s);
  nn::check_net_config(config.net);
  return config;
}

/// The rule set of the games, by the first of the newest shard.
std::string rule_set_of(const Options& o) {
  if (!o.rule_set.empty()) return o.rule_set;
  const auto files = shards::list_shards(o.shards.front());
  const auto games = shards::read_shard(files.back().path).games;
  return games.empty() ? "" : games.front().rule_set;
}

trainer::TrainRequest request_of(const Options& o, const TrainConfig& config) {
  trainer::TrainRequest r;
  for (const std::string& folder : o.shards) r.shards.emplace_back(folder);
  r.first_game = o.first_game;
  r.end_game = o.end_game;
  r.folder = o.out;
  r.target_step = o.steps;
  r.net_out = fs::path(o.out) / fmt::format("net-{}.safetensors", o.steps);
  const fs::path out = fs::weakly_canonical(o.out);
  r.net_id = !o.id.empty() ? o.id : fmt::format("{}-{}", out.filename().string(), o.steps);
  r.rule_set = rule_set_of(o);
  r.net = config.net;
  r.settings = config.train;
  r.seed = o.seed;
  r.clock = [] {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  };
  return r;
}

/// A run keeps its own checkpoints below its folder, and its config.toml there is another one.
void refuse_run_folder(const fs::path& out) {
  const fs::path path = fs::absolute(out).lexically_normal();
  for (fs::path p = path; p != p.root_path() && !p.empty(); p = p.parent_path())
    if (fs::exists(p / "config.toml") && fs::is_directory(p / "nets"))
      throw Error("train: {} is or lies in the folder of a run ({}); expected another one for --out",
                  out.string(), p.string());
}

void check(const Options& o) {
  if (o.shards.empty()) throw Error("train: expected --shards: the folder that holds the games");
  if (o.out.empty()) throw Error("train: expected --out: the folder for checkpoints and the net");
  if (o.steps < 1) throw Error("train: expected --steps: how many steps to train");
  refuse_run_folder(o.out);
  if (o.resume == "never" && fs::exists(fs::path(o.out) / "checkpoints"))
    throw Error("train: {} holds checkpoints, and --resume is never; take another folder or --resume auto",
                o.out);
}

}  // namespace

int train_command(int argc, char** argv) {
  CLI::App app("Trains a net on the games in shards. May be killed at any moment: the same command goes on.",
               "chuhe train");
  app.footer(
      "example: chuhe train --shards runs/a/shards --out trained/a --net nano --steps 2000\n"
      "         chuhe train --print-config     every key");
  Options o;
  add_options(app, o);
  if (!parse_command(app, argc, argv)) return 0;
  TrainConfig config = config_of(o);
  if (o.print_config) {
    fmt::print("{}", to_toml(fields_of(config), true));
    return 0;
  }
  check(o);
  const trainer::TrainRequest request = request_of(o, config);
  make_folder(o.out);
  const run::Lease lease(o.out);
  write_file_atomically(fs::path(o.out) / "config.toml", to_toml(fields_of(config), true));
  Log log(fs::path(o.out) / "train.log");
  const trainer::TrainReport report = trainer::train(request, log, install_stop_signals());
  if (report.stopped) {
    fmt::print("TRAIN stopped step={}/{}\n", report.steps, o.steps);
    return 3;
  }
  fmt::print("TRAIN done step={} net={} rows_per_second={:.0f}\n", report.steps, request.net_out.string(),
             report.rows_per_second);
  return 0;
}

}  // namespace chuhe::cli
