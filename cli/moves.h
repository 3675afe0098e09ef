#pragma once
// Moves as subcommands read them.

#include <sstream>
#include <string>

#include "base/error.h"
#include "xiangqi/rules/game_history.h"

namespace chuhe::cli {

/// Plays "h2e2 h9g7 ..." (files a-i, ranks 0-9). Throws Error naming the first move that is none or not
/// legal.
inline void play_moves(xiangqi::GameHistory& history, const std::string& text) {
  std::istringstream words(text);
  int number = 0;
  for (std::string word; words >> word;) {
    ++number;
    const xiangqi::Move m = xiangqi::parse_uci(word);
    if (!m) throw Error("move {} is '{}', expected two squares such as h2e2", number, word);
    if (!history.current().is_legal(m))
      throw Error("move {} is '{}', which is not legal in {}", number, word, history.current().to_fen());
    history.push(m);
  }
}

}  // namespace chuhe::cli
