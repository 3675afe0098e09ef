#pragma once
// Whether a folder's games can be gone on with.

#include <cstdint>
#include <filesystem>
#include <string>

#include "selfplay/selfplay_settings.h"

namespace chuhe::selfplay {

/// Looks at the newest game of the writer in the folder of shards, which may be missing. Throws Error naming
/// the folder if its seed is another (both are named), or if other settings shaped it (names the first that
/// differs): games of the rest would not belong to it, and nobody could tell.
void check_continued(const std::filesystem::path& folder, const std::string& writer,
                     const SelfplaySettings& settings, uint64_t seed);

}  // namespace chuhe::selfplay
