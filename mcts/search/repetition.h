#pragma once
// How a search treats repetitions: the policy for the first one in its tree, and moves that end the game by
// one.

#include <bitset>
#include <span>
#include <string>
#include <vector>

#include "xiangqi/rules/game_history.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::mcts {

/// SearchParams::tree_repetition: first, draw, rule.
enum class FirstRepetition { Judged, Drawn, PlayedOn };
/// Throws Error for an unknown name.
FirstRepetition first_repetition(const std::string& name);

/// Of a list of legal moves, by their places in it.
using MoveSet = std::bitset<xiangqi::kMaxMoves>;

/// Keys of the game's positions whose next occurrence ends it.
std::vector<uint64_t> ripe_positions(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules);

/// The moves of a position `depth` plies below the root that bring a ripe position back. None at the root:
/// what the root plays is left to its values.
MoveSet closing_moves(const xiangqi::GameHistory& history, const xiangqi::MoveList& legal,
                      std::span<const uint64_t> ripe, int depth);

/// Priors in which the closing moves come first, whatever the net thinks of them: what they are worth is
/// known, and looking costs no evaluation. They sum to 1.
std::vector<float> closing_first(std::span<const float> priors, const MoveSet& closing);

}  // namespace chuhe::mcts
