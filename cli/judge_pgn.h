#pragma once
// Games of a PGN file under the judge.

#include <string>

#include "xiangqi/notation/pgn.h"
#include "xiangqi/rules/explain.h"

namespace chuhe::cli {

struct PgnRequest {
  std::string path;
  int game = 0;       // from 1; 0 = all
  std::string rules;  // "" = the game's own tag, else the default
  bool json = false;
  xiangqi::Language language = xiangqi::Language::English;
};

/// The one game that is meant. Throws Error if the file has no such game, or several
/// and none was named, or if the game is faulty.
xiangqi::PgnGame chosen_game(const PgnRequest& request);
/// By the request, the game's tag or the default.
const xiangqi::RuleSet& rules_of(const xiangqi::PgnGame& game, const std::string& requested);
xiangqi::GameHistory history_of(const xiangqi::PgnGame& game, const xiangqi::RuleSet& rules);

/// Prints every repetition of each game with its verdict, how the game ends by the rules, and whether the
/// header's result agrees. Of faulty games the legal beginning is judged; throws Error at the end if there
/// was one.
void judge_pgn(const PgnRequest& request);

}  // namespace chuhe::cli
