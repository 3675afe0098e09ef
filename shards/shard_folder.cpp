#include "shards/shard_folder.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <tuple>

#include "base/error.h"
#include "shards/shard_file.h"

namespace chuhe::shards {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPattern = "g<id>-<writer>-<games>g-<rows>r.h5";

// Takes "<number><unit>" off the end, with the dash before it.
std::optional<uint64_t> take_count(std::string_view& text, char unit) {
  if (text.empty() || text.back() != unit) return std::nullopt;
  const size_t dash = text.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(dash + 1, text.size() - dash - 2);
  uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || result.ec != std::errc() || result.ptr != digits.data() + digits.size())
    return std::nullopt;
  text.remove_suffix(text.size() - dash);
  return value;
}

Error nothing_found(const fs::path& folder, const Listing& listing) {
  std::string found;
  const auto say = [&](size_t n, const char* what, const std::vector<fs::path>& paths) {
    if (n == 0) return;
    found += fmt::format("{}{} {} (such as {})", found.empty() ? "" : ", ", n, what,
                         paths.front().filename().string());
  };
  say(listing.unfinished.size(), "unfinished", listing.unfinished);
  say(listing.others.size(), "of another name", listing.others);
  return Error("{}: no shards: 0 files match {} in it and the folders below{}", folder.string(), kPattern,
               found.empty() ? ", which hold no file" : "; rejected: " + found);
}

}  // namespace

std::string to_file_name(const ShardName& name) {
  return fmt::format("g{:010}-{}-{}g-{}r.h5", name.first_id, name.writer, name.games, name.rows);
}

std::optional<ShardName> parse_file_name(std::string_view file_name) {
  const std::string whole(file_name);
  constexpr std::string_view kEnding = ".h5";
  if (!file_name.starts_with('g') || !file_name.ends_with(kEnding)) return std::nullopt;
  file_name.remove_suffix(kEnding.size());
  const auto rows = take_count(file_name, 'r');
  if (!rows) return std::nullopt;
  const auto games = take_count(file_name, 'g');
  const size_t dash = file_name.find('-');
  if (!games || dash == std::string_view::npos) return std::nullopt;
  ShardName name{0, std::string(file_name.substr(dash + 1)), *games, *rows};
  std::from_chars(file_name.data() + 1, file_name.data() + dash, name.first_id);
  // Only what this program would have written.
  if (!is_writer_name(name.writer) || to_file_name(name) != whole) return std::nullopt;
  return name;
}

Listing find_shards(const fs::path& folder) {
  Listing listing;
  std::error_code code;
  const auto status = fs::status(folder, code);
  if (!fs::exists(status)) throw Error("{}: no such folder, expected one with shards", folder.string());
  if (!fs::is_directory(status)) throw Error("{}: not a folder, expected one with shards", folder.string());
  fs::recursive_directory_iterator files(folder, code);
  if (code) throw Error("{}: cannot list this folder: {}", folder.string(), code.message());
  for (const fs::recursive_directory_iterator end; files != end; files.increment(code)) {
    if (code) break;
    const fs::path& path = files->path();
    if (files->is_directory(code)) continue;
    const std::string file_name = path.filename().string();
    if (const auto name = parse_file_name(file_name)) {
      listing.shards.push_back({path, *name});
    } else {
      (file_name.ends_with(".tmp") ? listing.unfinished : listing.others).push_back(path);
    }
  }
  if (code) throw Error("{}: cannot list this folder: {}", folder.string(), code.message());
  std::sort(listing.shards.begin(), listing.shards.end(), [](const ShardFile& a, const ShardFile& b) {
    return std::tie(a.name.first_id, a.name.writer, a.path) <
           std::tie(b.name.first_id, b.name.writer, b.path);
  });
  std::sort(listing.unfinished.begin(), listing.unfinished.end());
  std::sort(listing.others.begin(), listing.others.end());
  return listing;
}

std::vector<ShardFile> list_shards(const fs::path& path) {
  std::vector<ShardFile> shards;
  if (fs::is_regular_file(path)) {
    const auto name = parse_file_name(path.filename().string());
    if (!name) throw Error("{}: not a shard's name, expected {}", path.string(), kPattern);
    shards.push_back({path, *name});
  } else {
    Listing listing = find_shards(path);
    if (listing.shards.empty()) throw nothing_found(path, listing);
    shards = std::move(listing.shards);
  }
  for (const ShardFile& shard : shards) read_header(shard.path);
  return shards;
}

std::set<uint64_t> stored_ids(const fs::path& folder, const std::string& writer) {
  std::set<uint64_t> ids;
  for (const ShardFile& shard : find_shards(folder).shards) {
    if (shard.name.writer != writer) continue;
    for (const IdRange& range : read_header(shard.path).ids)
      for (uint64_t more = 0; more <= range.last - range.first; ++more)  // the last id may be 2^64 - 1
        if (!ids.insert(range.first + more).second)
          throw Error("{}: game {} of {} is in another shard as well", shard.path.string(),
                      range.first + more, writer);
  }
  return ids;
}

}  // namespace chuhe::shards
