#pragma once
// Plays a recorded game once more, to show that its record is what seed, settings and nets make of it.

#include <functional>
#include <memory>
#include <string>

#include "match/game_runner.h"

namespace chuhe::selfplay {

/// Plays the game of `spec` with the nets that the record names, ply for ply. `evaluator_of` gives the
/// evaluator of a net id; batches have `batch_rows` rows of room, as in the farm that played the game (one
/// shape, one result).
shards::GameRecord play_again(
    const shards::GameRecord& record, match::GameSpec spec,
    const std::function<std::unique_ptr<nn::Evaluator>(const std::string& net_id)>& evaluator_of,
    int batch_rows);

}  // namespace chuhe::selfplay
