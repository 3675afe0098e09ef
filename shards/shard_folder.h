#pragma once
// Folders of shards. Names tell what is inside: g<lowest id>-<writer>-<games>g-<rows>r.h5; what ends in .tmp
// is unfinished and nobody's business but its writer's.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe::shards {

struct ShardName {
  uint64_t first_id = 0;  // lowest id in it
  std::string writer;
  uint64_t games = 0, rows = 0;
  bool operator==(const ShardName&) const = default;
};
std::string to_file_name(const ShardName& name);
std::optional<ShardName> parse_file_name(std::string_view file_name);

struct ShardFile {
  std::filesystem::path path;
  ShardName name;
};

struct Listing {
  std::vector<ShardFile> shards;                  // by (first id, writer)
  std::vector<std::filesystem::path> unfinished;  // *.tmp
  std::vector<std::filesystem::path> others;      // any other file: not a shard's name
};

/// Looks into a folder and the folders below it. Throws Error if it is missing or no folder. Opens no file.
Listing find_shards(const std::filesystem::path& folder);

/// The same for commands that need shards: `path` is a folder or one shard. Throws Error, if there is none,
/// that says what was looked for and what was found instead, and if two are of different format versions or
/// of a version unknown here, naming the files.
std::vector<ShardFile> list_shards(const std::filesystem::path& path);

/// Ids of the games of this writer that lie in finished shards of the folder (from their headers). A restart
/// plays those below the counter that are missing. Throws Error if an id occurs twice.
std::set<uint64_t> stored_ids(const std::filesystem::path& folder, const std::string& writer);

}  // namespace chuhe::shards
