#pragma once
// Moves as subcommands read them.

#include <string>

#include "xiangqi/rules/game_history.h"

namespace chuhe::cli {

/// Plays moves separated by blanks or commas, each in any notation of xiangqi/notation/move_text.h (h2e2,
/// H2-E2, C2=5, 炮二平五); move numbers such as "12." are passed over. Throws Error naming the first move
/// that is none, is not legal, or can mean several.
void play_moves(xiangqi::GameHistory& history, const std::string& text);

}  // namespace chuhe::cli
