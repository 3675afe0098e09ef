#include "selfplay/continued.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/random.h"
#include "shards/shard_folder.h"

namespace chuhe::selfplay {
namespace {

// Programs that did not store the openings' digest hashed the text of all settings that they knew, in the
// form that it has in the table [selfplay] of the stored settings. Nothing if that table is not there.
std::optional<uint64_t> hash_by_text(const std::string& params, uint64_t openings_digest) {
  constexpr std::string_view kBegin = "[selfplay]\n", kEnd = "\n[selfplay.farm]\n", kTable = "[selfplay.";
  const size_t begin = params.find(kBegin), end = params.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  std::string text = params.substr(begin + kBegin.size(), end - begin - kBegin.size());
  for (size_t at; (at = text.find(kTable)) != std::string::npos;) text.erase(at + 1, kTable.size() - 1);
  return hash_text(text, openings_digest);
}

std::string openings_name(const SelfplaySettings& settings) {
  if (settings.openings == "default") return "the built-in list of openings";
  return fmt::format("the openings file '{}'", settings.openings);
}

}  // namespace

std::vector<std::string> what_differs(const shards::Provenance& provenance, uint64_t stored_hash,
                                      const SelfplaySettings& settings, const GameMaker& now) {
  if (stored_hash == now.params_hash()) return {};
  StoredConfig there;
  try {
    if (provenance.params.empty()) throw Error("the shard does not say by which settings");
    apply_toml(fields_of(there), provenance.params, "its settings");
  } catch (const Error& e) {
    return {e.what()};
  }
  const auto stored = toml_keys(provenance.params, "its settings");
  const bool same_openings = provenance.openings != 0 && provenance.openings == now.openings_digest();
  std::vector<std::string> list;
  for (const FieldDifference& d : game_differences(there.selfplay, settings))
    if (d.name != kOpeningsKey || !same_openings)
      list.push_back(
          fmt::format("{} is {}, they were played with {}{}", d.name, d.now, d.before,
                      stored.contains("selfplay." + d.name) ? "" : ", the default: it is not stored"));
  if (!list.empty() || same_openings || now.openings_digest() == 0) return list;
  // All settings are the same, so the openings are left; older shards tell of them by their hash alone.
  if (provenance.openings != 0)
    list.push_back(openings_name(settings) + " is not what it was");
  else if (hash_by_text(provenance.params, now.openings_digest()) != stored_hash)
    list.push_back(openings_name(settings) + " is not what it was, or the hash in the shard is wrong");
  return list;
}

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
  const GameMaker maker(settings, seed, writer);
  const auto differing = what_differs(shard.provenance, game.params_hash, settings, maker);
  if (!differing.empty())
    throw Error("{}: its games were played otherwise ({}): take the same, another folder or another name",
                folder.string(), fmt::join(differing, "; "));
}

}  // namespace chuhe::selfplay
