#include "selfplay/continued.h"

#include <optional>
#include <sstream>

#include "base/error.h"
#include "shards/shard_file.h"
#include "shards/shard_folder.h"

namespace chuhe::selfplay {
namespace {

std::string games_text(SelfplaySettings settings) {
  Fields f;
  settings.describe_games(f);
  return to_toml(f, false);
}

// "search.visits = 6 there, visits = 7 now": the first line that differs, with its table's name.
std::optional<std::string> first_difference(const std::string& there, const std::string& now) {
  std::istringstream a(there), b(now);
  std::string table, x, y;
  while (std::getline(a, x) && std::getline(b, y)) {
    if (x.starts_with('[')) table = x.substr(1, x.find(']') - 1) + ".";
    if (x != y) return fmt::format("{}{} there, {} now", table, x, y);
  }
  return std::nullopt;
}

std::string difference_of(const shards::Provenance& provenance, const SelfplaySettings& settings) {
  StoredConfig there;
  try {
    apply_toml(fields_of(there), provenance.params, "its settings");
  } catch (const Error& e) {
    return e.what();
  }
  return first_difference(games_text(there.selfplay), games_text(settings))
      .value_or("the openings file has changed");
}

}  // namespace

void check_continued(const std::filesystem::path& folder, const std::string& writer,
                     const SelfplaySettings& settings, uint64_t seed) {
  if (!std::filesystem::exists(folder)) return;
  std::optional<std::filesystem::path> newest;
  for (const shards::ShardFile& file : shards::find_shards(folder).shards)
    if (file.name.writer == writer) newest = file.path;
  if (!newest) return;
  const shards::Shard shard = shards::read_shard(*newest);
  const shards::GameRecord& game = shard.games.back();
  if (game.seed != seed)
    throw Error(
        "{}: its games were played with seed {}, not {}: take that seed, another folder or another name",
        folder.string(), game.seed, seed);
  if (game.params_hash != GameMaker(settings, seed, writer).params_hash())
    throw Error(
        "{}: its games were played with other settings ({}): take those, another folder or another name",
        folder.string(), difference_of(shard.provenance, settings));
}

}  // namespace chuhe::selfplay
