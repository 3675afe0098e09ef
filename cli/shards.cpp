// chuhe shards: looks into shards of games.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/long_step.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/shards_pgn.h"
#include "shards/shard_file.h"
#include "shards/shard_folder.h"
#include "shards/statistics.h"
#include "xiangqi/notation/move_text.h"

namespace chuhe::cli {
namespace {

namespace fs = std::filesystem;
using shards::GameRecord;
using shards::IdRange;
using shards::ShardFile;

// A game's identity in one order for all commands.
using GameId = std::pair<std::string, uint64_t>;

std::string text_of(const GameId& id) {
  return fmt::format("{}/{}", id.first, id.second);
}

std::string text_of(const std::vector<IdRange>& ids) {
  std::string text;
  for (size_t i = 0; i < ids.size() && i < 4; ++i)
    text += fmt::format("{}{}-{}", i ? "," : "", ids[i].first, ids[i].last);
  return ids.size() > 4 ? text + fmt::format(",... ({} ranges)", ids.size()) : text;
}

int info(const fs::path& path) {
  uint64_t games = 0, rows = 0, bytes = 0;
  const auto files = shards::list_shards(path);
  std::map<std::string, std::vector<uint64_t>> writers;
  for (const ShardFile& file : files) {
    const auto header = shards::read_header(file.path);
    const uint64_t size = fs::file_size(file.path);
    fmt::print("{}: format {}, writer {}, {} games, {} positions, {} bytes ({:.1f} each), ids {}\n",
               file.path.string(), header.format_version, header.writer, header.games, header.rows, size,
               header.rows ? double(size) / double(header.rows) : 0.0, text_of(header.ids));
    games += header.games;
    rows += header.rows;
    bytes += size;
  }
  // All of a folder's shards are alike as a rule, so the newest one stands for them.
  const auto newest = shards::read_shard(files.back().path);
  const GameRecord& game = newest.games.back();
  fmt::print("newest: rule set {}, run seed {}, net {}, code {}\n", game.rule_set, game.seed,
             game.nets.empty() ? "none" : game.nets.back().net_id,
             newest.provenance.code_revision.empty() ? "unknown" : newest.provenance.code_revision);
  if (files.size() == 1 && !newest.provenance.params.empty()) fmt::print("{}\n", newest.provenance.params);
  fmt::print("SHARDS files={} games={} positions={} bytes={}\n", files.size(), games, rows, bytes);
  return 0;
}

// Ids from `first` to each writer's highest one that lie nowhere.
uint64_t missing_of(const std::set<GameId>& seen, uint64_t first) {
  std::map<std::string, std::pair<uint64_t, uint64_t>> writers;  // number of games, highest id
  for (const auto& [writer, id] : seen) {
    if (id < first) continue;
    auto& [count, highest] = writers[writer];
    ++count;
    highest = std::max(highest, id);
  }
  uint64_t missing = 0;
  for (const auto& [writer, games] : writers) missing += games.second + 1 - first - games.first;
  return missing;
}

int verify(const fs::path& path, uint64_t first_id) {
  uint64_t games = 0, rows = 0, corrupt = 0, faults = 0, duplicates = 0;
  std::set<GameId> seen;
  for (const ShardFile& file : shards::list_shards(path)) {
    try {
      const auto shard = shards::read_shard(file.path);
      for (const GameRecord& game : shard.games) {
        ++games;
        rows += game.plies.size();
        const GameId id{game.writer, game.id};
        if (!seen.insert(id).second) {
          ++duplicates;
          fmt::print("{}: game {} is in another shard as well\n", file.path.string(), text_of(id));
        }
        if (const auto fault = shards::find_fault(game)) {
          ++faults;
          fmt::print("{}: game {}: {}\n", file.path.string(), text_of(id), *fault);
        }
      }
    } catch (const Error& e) {
      ++corrupt;
      fmt::print("{}\n", e.what());
    }
  }
  const size_t unfinished = fs::is_directory(path) ? shards::find_shards(path).unfinished.size() : 0;
  const bool ok = corrupt + faults + duplicates == 0;
  fmt::print(
      "VERIFY {} games={} positions={} corrupt={} faults={} duplicates={} missing_ids={} unfinished={}\n",
      ok ? "ok" : "FAIL", games, rows, corrupt, faults, duplicates, missing_of(seen, first_id), unfinished);
  return ok ? 0 : 1;
}

struct Requirement {
  std::string name, comparison;
  double bound = 0;

  bool holds(double value) const {
    if (comparison == "<=") return value <= bound;
    if (comparison == ">=") return value >= bound;
    if (comparison == "==") return value == bound;
    return comparison == "<" ? value < bound : value > bound;
  }
};

Requirement parse_requirement(const std::string& text) {
  Requirement r;
  const size_t begin = text.find_first_of("<>=");
  const size_t end = text.find_first_not_of("<>=", begin);
  if (begin != std::string::npos && end != std::string::npos) {
    r.name = text.substr(0, begin);
    r.comparison = text.substr(begin, end - begin);
    const char* last = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + end, last, r.bound);
    const bool known = r.comparison == "<=" || r.comparison == ">=" || r.comparison == "<" ||
                       r.comparison == ">" || r.comparison == "==";
    if (known && parsed.ec == std::errc() && parsed.ptr == last) return r;
  }
  throw Error("--require {}: expected NAME<=NUMBER (or <, >=, >, ==), such as bytes_per_position<=120", text);
}

// One line that says PASS or FAIL with the figures asked for.
int judge_requirements(const std::vector<std::string>& texts,
                       const std::vector<std::pair<std::string, double>>& figures) {
  std::vector<Requirement> requirements;
  for (const auto& text : texts) requirements.push_back(parse_requirement(text));
  bool ok = true;
  std::string shown;
  for (const Requirement& r : requirements) {
    const auto figure =
        std::find_if(figures.begin(), figures.end(), [&](const auto& f) { return f.first == r.name; });
    if (figure == figures.end())
      throw Error("--require: unknown figure '{}', expected one that chuhe shards stats prints", r.name);
    const bool holds = r.holds(figure->second);
    ok &= holds;
    shown += fmt::format(" {}={:.6g}", r.name, figure->second);
    if (!holds) shown += fmt::format(" (required {}{:g})", r.comparison, r.bound);
  }
  fmt::print("{}{}\n", ok ? "PASS" : "FAIL", shown);
  return ok ? 0 : 1;
}

int stats(const fs::path& path, const std::vector<std::string>& required) {
  for (const auto& text : required) parse_requirement(text);
  shards::Statistics statistics;
  for (const ShardFile& file : shards::list_shards(path)) {
    for (const GameRecord& game : shards::read_shard(file.path).games) statistics.add(game);
    statistics.add_file(fs::file_size(file.path));
  }
  const auto figures = statistics.figures();
  for (const auto& [name, value] : figures) fmt::print("{:<20} {:.6g}\n", name, value);
  for (const auto& [end, count] : statistics.ends())
    fmt::print("{:<10} by {:<17} {}\n", name_of(end.first), name_of(end.second), count);
  return required.empty() ? 0 : judge_requirements(required, figures);
}

std::map<GameId, GameRecord> games_of(const fs::path& path) {
  std::map<GameId, GameRecord> games;
  for (const ShardFile& file : shards::list_shards(path))
    for (GameRecord& game : shards::read_shard(file.path).games) {
      const GameId id{game.writer, game.id};
      if (!games.emplace(id, std::move(game)).second)
        throw Error("{}: game {} is in another shard as well", file.path.string(), text_of(id));
    }
  return games;
}

int diff(const fs::path& a, const fs::path& b) {
  const auto left = games_of(a), right = games_of(b);
  constexpr uint64_t kShown = 20;
  uint64_t only_left = 0, only_right = 0, differing = 0;
  auto show = [&, shown = uint64_t(0)](const std::string& line) mutable {
    if (++shown <= kShown) fmt::print("{}\n", line);
  };
  for (const auto& [id, game] : left) {
    const auto other = right.find(id);
    if (other == right.end()) {
      ++only_left;
      show(fmt::format("game {} only in {}", text_of(id), a.string()));
    } else if (const auto difference = first_difference(game, other->second)) {
      ++differing;
      show(fmt::format("game {}: {}", text_of(id), *difference));
    }
  }
  for (const auto& [id, game] : right)
    if (!left.contains(id)) {
      ++only_right;
      show(fmt::format("game {} only in {}", text_of(id), b.string()));
    }
  if (only_left + only_right + differing == 0) {
    fmt::print("EQUAL games={}\n", left.size());
    return 0;
  }
  fmt::print("DIFFERENT games={} differing={} only_a={} only_b={}\n", left.size(), differing, only_left,
             only_right);
  return 1;
}

}  // namespace

int shards_command(int argc, char** argv) {
  CLI::App app(
      "Looks into shards of games. PATH is a shard, or a folder that is searched with those below it.",
      "chuhe shards");
  app.footer(
      "example: chuhe shards stats runs/quickstart-1/shards --require 'bytes_per_position<=120'\n"
      "         chuhe shards diff runs/a/shards runs/b/shards\n"
      "         chuhe shards pgn runs/quickstart-1/shards --games 10 > games.pgn");
  app.require_subcommand(1);
  std::string path, other;
  std::vector<std::string> required;
  auto* info_app = app.add_subcommand("info", "what each shard holds, from its header");
  info_app->add_option("path", path, "shard or folder")->required();
  auto* verify_app = app.add_subcommand(
      "verify",
      "replays every game by the rules; checksums, counts, games that occur twice. Exit 1 on a fault");
  verify_app->add_option("path", path, "shard or folder")->required();
  uint64_t first_id = 0;
  verify_app->add_option("--first-id", first_id, "missing_ids counts from this id on: that of chuhe selfplay")
      ->capture_default_str();
  auto* stats_app =
      app.add_subcommand("stats", "figures about the games: results, lengths, searches, sizes, variety");
  stats_app->add_option("path", path, "shard or folder")->required();
  stats_app->add_option("--require", required,
                        "NAME<=NUMBER (or <, >=, >, ==) of a figure; exit 1 if it does not hold");
  auto* diff_app =
      app.add_subcommand("diff", "compares the games of two sets by writer and id. Exit 1 if they differ");
  diff_app->add_option("a", path, "shard or folder")->required();
  diff_app->add_option("b", other, "shard or folder")->required();
  auto* pgn_app = app.add_subcommand(
      "pgn", "writes the games to standard output as PGN, with rule set and reason of the end as tags");
  ShardsPgnOptions pgn;
  pgn_app->add_option("path", path, "shard or folder")->required();
  pgn_app->add_option("--to", pgn.notation, "notation: " + xiangqi::notation_list())->capture_default_str();
  pgn_app->add_option("--encoding", pgn.encoding, "utf-8 or gb18030")->capture_default_str();
  pgn_app->add_option("--games", pgn.games, "the first so many games (default: all)");
  if (!parse_command(app, argc, argv)) return 0;
  if (info_app->parsed()) return info(path);
  if (pgn_app->parsed()) {
    write_shards_as_pgn(path, pgn);
    return 0;
  }
  Log log;
  const LongStep step(log, "reading the shards of " + path);
  if (verify_app->parsed()) return verify(path, first_id);
  if (stats_app->parsed()) return stats(path, required);
  return diff(path, other);
}

}  // namespace chuhe::cli
