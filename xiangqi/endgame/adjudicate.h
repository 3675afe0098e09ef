#pragma once
// Ends games that an endgame table has decided.

#include <optional>

#include "xiangqi/endgame/endgame_table.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {

/// Who wins the current position for certain, under any repetition rules and the natural limit of `rules`;
/// nothing if nobody does or the store's limit does not cover the material. Draws of the table are not
/// answered, since repetition rules may decide them. In a game that is asked at every ply, the answer holds
/// whatever was played before: each move on the table's way to the win leads to a position that has not been
/// on the board yet, for there the game would have ended.
std::optional<Color> certain_winner(const GameHistory& history, const RuleSet& rules, EndgameTables& tables);

}  // namespace chuhe::xiangqi
