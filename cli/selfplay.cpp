// chuhe selfplay: plays games against itself into shards, or plays a recorded game again.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/log.h"
#include "base/stop_signal.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "nn/api/doubles.h"
#include "nn/infer/factory.h"
#include "run/play_phase.h"
#include "selfplay/continued.h"
#include "selfplay/replay.h"
#include "selfplay/selfplay_settings.h"
#include "shards/shard_file.h"
#include "shards/shard_folder.h"

namespace chuhe::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string config, out, name = "main", replay;
  std::vector<std::string> nets, overrides;
  uint64_t games = 100, seed = 1, first_id = 0;
  std::optional<uint64_t> game;
  int workers = 0, slots = 0;
  bool print_config = false;
};

void add_options(CLI::App& app, Options& o) {
  app.add_option("--net", o.nets,
                 "net file, or a double (hash, material, uniform); with --replay, a net of that game");
  app.add_option("--out", o.out, "folder of shards; the writer's own folder is made in it");
  app.add_option("--games", o.games, "games to play, those that are there already counted")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", o.seed, "all random streams derive from (seed, writer, game id)");
  app.add_option("--name", o.name, "writer name: each process that plays at the same time has its own");
  app.add_option("--first-id", o.first_id, "id of the first game");
  app.add_option("--config", o.config, "TOML file with the tables [selfplay] and [evaluator]");
  app.add_option("--set", o.overrides, "KEY=VALUE; may be repeated")->allow_extra_args(false);
  app.add_option("--workers", o.workers, "threads (key selfplay.farm.workers)")->check(CLI::Range(1, 4096));
  app.add_option("--slots", o.slots, "games in flight per thread (key selfplay.farm.slots)")
      ->check(CLI::Range(1, 65536));
  app.add_option("--replay", o.replay,
                 "play a recorded game again and compare: SHARD:ID, or a folder with --game ID");
  app.add_option("--game", o.game, "with --replay FOLDER: the game's id (its writer is --name)");
  app.add_flag("--print-config", o.print_config,
               "print every key with its documentation and value, and do nothing");
}

selfplay::StoredConfig config_of(const Options& o) {
  selfplay::StoredConfig config;
  config.evaluator.batch = 0;
  const Fields fields = fields_of(config);
  if (!o.config.empty()) apply_toml_file(fields, o.config);
  for (const std::string& s : o.overrides) apply_override(fields, s);
  if (o.workers > 0) config.selfplay.farm.workers = o.workers;
  if (o.slots > 0) config.selfplay.farm.slots = o.slots;
  return config;
}

int play(const Options& o, const selfplay::StoredConfig& config) {
  if (o.nets.size() != 1) throw Error("selfplay: expected one --net: a net file, hash, material or uniform");
  if (o.out.empty()) throw Error("selfplay: expected --out: the folder that the shards go to");
  if (!shards::is_writer_name(o.name))
    throw Error(
        "writer name '{}': expected at most 64 letters, digits, '.', '_' or '-', a letter or digit first",
        o.name);
  selfplay::check_continued(fs::path(o.out) / o.name, o.name, config.selfplay, o.seed);
  constexpr uint64_t kMostIds = uint64_t(1) << 62;  // the sum must not wrap
  if (o.first_id > kMostIds || o.games > kMostIds)
    throw Error("selfplay: --first-id {} and --games {}: expected at most {} each", o.first_id, o.games,
                kMostIds);
  run::PlayPhase phase;
  phase.settings = config.selfplay;
  phase.evaluator = config.evaluator;
  phase.seed = o.seed;
  phase.net = o.nets[0];
  phase.shards = o.out;
  phase.first = o.first_id;
  phase.end = o.first_id + o.games;
  phase.writer = o.name;
  phase.title = "self-play " + o.name;
  Log log;
  const auto clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const std::stop_token stop = install_stop_signals();
  run::play_phase(phase, log, stop, clock);
  uint64_t there = 0;
  for (const uint64_t id : shards::stored_ids(fs::path(o.out) / o.name, o.name))
    there += id >= phase.first && id < phase.end;
  const bool stopped = there < o.games;
  fmt::print("SELFPLAY {} games={}/{} shards={}\n", stopped ? "stopped" : "done", there, o.games,
             (fs::path(o.out) / o.name).string());
  return stopped ? 3 : 0;
}

struct RecordedGame {
  shards::GameRecord record;
  shards::Provenance provenance;
};

RecordedGame game_in(const fs::path& path, uint64_t id) {
  shards::Shard shard = shards::read_shard(path);
  for (shards::GameRecord& record : shard.games)
    if (record.id == id) return {std::move(record), std::move(shard.provenance)};
  throw Error("{}: no game {} in it", path.string(), id);
}

bool holds(const shards::ShardHeader& header, uint64_t id) {
  for (const shards::IdRange& r : header.ids)
    if (r.first <= id && id <= r.last) return true;
  return false;
}

RecordedGame find_game(const Options& o) {
  if (o.game) {
    for (const shards::ShardFile& file : shards::list_shards(o.replay))
      if (file.name.writer == o.name && holds(shards::read_header(file.path), *o.game))
        return game_in(file.path, *o.game);
    throw Error("{}: no game {} of writer '{}' in its shards", o.replay, *o.game, o.name);
  }
  const size_t colon = o.replay.rfind(':');
  uint64_t id = 0;
  const char* end = o.replay.data() + o.replay.size();
  if (colon == std::string::npos || std::from_chars(o.replay.data() + colon + 1, end, id).ptr != end ||
      colon + 1 == o.replay.size())
    throw Error("--replay {}: expected SHARD:ID, or a folder of shards and --game ID", o.replay);
  return game_in(o.replay.substr(0, colon), id);
}

// The nets that the game needs: doubles by name, files from --net by the id in them.
std::map<std::string, nn::NetHandle> nets_for(const shards::GameRecord& record, const Options& o,
                                              const nn::EvaluatorSettings& settings) {
  std::map<std::string, nn::NetHandle> nets;
  for (const std::string& path : o.nets) {
    nn::NetHandle net = nn::open_net(path, settings);
    nets.emplace(net.net_id, std::move(net));
  }
  for (const shards::NetRun& run : record.nets) {
    if (nets.contains(run.net_id)) continue;
    if (!nn::make_double(run.net_id))
      throw Error("game {} was played by net '{}': expected its file as --net", record.id, run.net_id);
    nets.emplace(run.net_id, nn::open_net(run.net_id, settings));
  }
  return nets;
}

int replay(const Options& o) {
  const RecordedGame game = find_game(o);
  selfplay::StoredConfig config;
  apply_toml(fields_of(config), game.provenance.params, o.replay + ", its settings");
  config.evaluator = selfplay::fitted(config.evaluator, config.selfplay.farm);
  const selfplay::GameMaker maker(config.selfplay, game.record.seed, game.record.writer);
  const auto differing =
      selfplay::what_differs(game.provenance, game.record.params_hash, config.selfplay, maker);
  if (!differing.empty())
    throw Error("{}: game {} cannot be played again: {}", o.replay, game.record.id,
                fmt::join(differing, "; "));
  const auto nets = nets_for(game.record, o, config.evaluator);
  const auto evaluator_of = [&](const std::string& net) { return nets.at(net).make(); };
  const shards::GameRecord again = selfplay::play_again(game.record, maker.make(game.record.id), evaluator_of,
                                                        (config.selfplay.farm.slots + 1) / 2);
  const auto difference = shards::first_difference(game.record, again);
  const bool equal = !difference && shards::encode_shard({&again, 1}, game.provenance) ==
                                        shards::encode_shard({&game.record, 1}, game.provenance);
  if (!equal) {
    fmt::print("{}\n", difference.value_or("the stored bytes differ"));
    // A record names its nets by their ids, and another run's net may have the same.
    for (const shards::NetRun& run : game.record.nets)
      if (!nn::make_double(run.net_id))
        fmt::print("net '{}' at ply {}: is the file given as --net the one that played?\n", run.net_id,
                   run.ply);
  }
  fmt::print("REPLAY {} game={} plies={} reason={}\n", equal ? "equal" : "differs", game.record.id,
             game.record.plies.size(), name_of(game.record.reason));
  return equal ? 0 : 1;
}

}  // namespace

int selfplay_command(int argc, char** argv) {
  CLI::App app(
      "Plays games against itself into shards. Killed or stopped, the same command goes on where it was; "
      "games that "
      "were lost are played first, and no id is used twice.",
      "chuhe selfplay");
  app.footer(
      "example: chuhe selfplay --net runs/first/nets/3.safetensors --out games --games 1000 --seed 1\n"
      "         chuhe selfplay --replay games/main/g000000-main-256g-20480r.h5:17");
  Options options;
  add_options(app, options);
  if (!parse_command(app, argc, argv)) return 0;
  if (!options.replay.empty()) return replay(options);
  selfplay::StoredConfig config = config_of(options);
  if (options.print_config) {
    fmt::print("{}", to_toml(fields_of(config), true));
    return 0;
  }
  return play(options, config);
}

}  // namespace chuhe::cli
