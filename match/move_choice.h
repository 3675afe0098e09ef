#pragma once
// From a search's result, or a net's priors, to the move that is played.

#include <span>
#include <string>
#include <vector>

#include "match/player.h"
#include "mcts/search/search.h"
#include "shards/game_record.h"

namespace chuhe::match {

/// The move to play at that ply of the game. At temperature 0 it is the search's own choice. Else moves are
/// drawn by visits^(1/T), with Gumbel (whose root samples already, so that 0 is its usual temperature) by
/// target^(1/T) over the visited ones, among those within max_value_loss of the best.
xiangqi::Move choose_move(const MoveChoice& choice, bool gumbel, const mcts::SearchResult& result, int ply,
                          Random& random);

/// The index of the move that a net plays without a search: the greatest prior (ties: the lowest index), or
/// one drawn by prior^(1/T).
int choose_prior(const MoveChoice& choice, std::span<const float> priors, int ply, Random& random);

/// A search's target as it is stored: sorted by move, shares of 65535, zeros left out.
std::vector<shards::PolicyEntry> stored_policy(const mcts::SearchResult& result);

}  // namespace chuhe::match
