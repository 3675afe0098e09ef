#pragma once
// Whether the games of a shard are of the same kind as those that would be played now.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/selfplay_settings.h"
#include "shards/shard_file.h"

namespace chuhe::selfplay {

/// What shapes games now against what shaped those of a shard, a text for each thing that differs
/// ("search.visits is 7, they were played with 6"); none: the same. The settings themselves are compared: one
/// that the shard's program did not know counts as its default. `stored_hash` is GameRecord::params_hash.
std::vector<std::string> what_differs(const shards::Provenance& provenance, uint64_t stored_hash,
                                      const SelfplaySettings& settings, const GameMaker& now);

/// Looks at the newest game of the writer in the folder of shards, which may be missing. Throws Error naming
/// the folder if its seed is another (both are named), or if something else shaped it (all is named): games of
/// the rest would not belong to it, and nobody could tell.
void check_continued(const std::filesystem::path& folder, const std::string& writer,
                     const SelfplaySettings& settings, uint64_t seed);

}  // namespace chuhe::selfplay
