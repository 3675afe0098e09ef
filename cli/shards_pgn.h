#pragma once
// chuhe shards pgn: games of shards as a game file.

#include <cstdint>
#include <filesystem>
#include <string>

namespace chuhe::cli {

struct ShardsPgnOptions {
  std::string notation = "chinese", encoding = "utf-8";
  uint64_t games = 0;  // at most so many; 0 = all
};

/// Writes the games to standard output in the order of the shards, with rule set, reason and article of the
/// end as tags, and a summary to standard error.
void write_shards_as_pgn(const std::filesystem::path& path, const ShardsPgnOptions& options);

}  // namespace chuhe::cli
