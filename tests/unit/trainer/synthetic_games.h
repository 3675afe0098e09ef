#pragma once
// Random games as self-play would record them, for tests that need shards or windows without a search.

#include <cstdint>

#include "shards/game_record.h"

namespace chuhe::trainer::testing {

/// Legal random moves from the start, captures preferred, up to `max_plies` or the game's end by the rules.
/// Three plies of four have a full search whose target favours captures; the others a cheap one. A function
/// of (seed, id).
shards::GameRecord synthetic_game(uint64_t seed, uint64_t id, int max_plies = 80);

/// The same game seen in a mirror, left to right, or with the colours swapped.
shards::GameRecord mirrored_game(const shards::GameRecord& game);
shards::GameRecord color_swapped_game(const shards::GameRecord& game);

}  // namespace chuhe::trainer::testing
