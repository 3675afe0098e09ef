#include "gauntlet/journal.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"

namespace chuhe::gauntlet {
namespace {

using nlohmann::json;

json to_json(const JournalHeader& h) {
  return {{"a", h.a},           {"b", h.b},       {"a_file", h.a_file},
          {"b_file", h.b_file}, {"seed", h.seed}, {"settings", h.settings}};
}

json to_json(const JournalGame& g) {
  return {{"id", g.id},
          {"outcome", int(g.outcome)},
          {"reason", std::string(xiangqi::name_of(g.reason))},
          {"plies", g.plies},
          {"moves", g.moves_hash}};
}

JournalGame game_of(const json& j) {
  JournalGame g;
  g.id = j.at("id");
  const int outcome = j.at("outcome");
  if (outcome < 0 || outcome > int(xiangqi::Outcome::Draw))
    throw Error("outcome {} is not 0, 1 or 2", outcome);
  g.outcome = xiangqi::Outcome(outcome);
  g.reason = xiangqi::end_reason(j.at("reason").get<std::string>());
  g.plies = j.at("plies");
  g.moves_hash = j.at("moves");
  return g;
}

std::string describe(const JournalHeader& h) {
  const auto player = [](const std::string& name, const std::string& file) {
    return file.empty() ? name : fmt::format("{} (file {})", name, file);
  };
  return fmt::format("{} against {}, seed {}, settings {}", player(h.a, h.a_file), player(h.b, h.b_file),
                     h.seed, h.settings);
}

// Nets of two runs may share an id.
void check_same_files(const std::filesystem::path& path, const JournalHeader& there, const JournalHeader& h) {
  const auto check = [&](const std::string& name, const std::string& old_file, const std::string& file) {
    if (old_file != file)
      throw Error(
          "{}: its games were played by another net named {} (file digest {}, now {}): use another folder or "
          "remove it",
          path.string(), name, old_file.empty() ? "none" : old_file, file.empty() ? "none" : file);
  };
  if (there.a == h.a) check(h.a, there.a_file, h.a_file);
  if (there.b == h.b) check(h.b, there.b_file, h.b_file);
}

}  // namespace

JournalGame journal_game(const shards::GameRecord& record) {
  uint64_t hash = hash_text(record.start_fen);
  for (const shards::PlyRecord& ply : record.plies) hash = mix64(hash ^ ply.move.bits);
  return {record.id, record.outcome, record.reason, int(record.plies.size()), hash};
}

Journal::Journal(const std::filesystem::path& path, const JournalHeader& header) : path_(path) {
  if (std::filesystem::exists(path_)) read();
  if (begun_) check_same_files(path_, header_, header);
  if (begun_ && header_ != header)
    throw Error("{}: holds the games of another match ({}), not of {}: use another folder or remove it",
                path_.string(), describe(header_), describe(header));
  header_ = header;
  if (begun_) return;
  if (path_.has_parent_path()) make_folder(path_.parent_path());
  // Whatever a kill left in the way of a first line goes.
  write_file_atomically(path_, to_json(header_).dump() + "\n");
}

Journal::Journal(const std::filesystem::path& path) : path_(path) {
  read();
}

void Journal::read() {
  const std::vector<std::string> lines = read_lines(path_);
  for (size_t i = 0; i < lines.size(); ++i) {
    try {
      const json j = json::parse(lines[i]);
      if (i == 0) {
        header_ = {j.at("a"), j.at("b"), j.at("a_file"), j.at("b_file"), j.at("seed"), j.at("settings")};
        begun_ = true;
      } else {
        games_.push_back(game_of(j));
      }
    } catch (const std::exception& e) {
      throw Error("{}:{}: not a line of a match journal: {}", path_.string(), i + 1, e.what());
    }
  }
}

void Journal::append(const JournalGame& game) {
  append_line(path_, to_json(game).dump());
}

}  // namespace chuhe::gauntlet
