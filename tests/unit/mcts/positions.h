#pragma once
// Positions for tests of the search.

#include <string_view>
#include <vector>

#include "base/random.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::test {

inline xiangqi::GameHistory from_fen(std::string_view fen) {
  return xiangqi::GameHistory(xiangqi::Position::from_fen(fen).value());
}

/// A game of `plies` random moves that has not ended.
inline xiangqi::GameHistory random_game(uint64_t seed, int plies) {
  Random random(seed, "random game", 0);
  xiangqi::GameHistory history;
  while (history.plies() < plies) {
    const auto moves = history.current().legal_moves();
    history.push(moves[int(random.below(uint64_t(moves.size())))]);
    if (xiangqi::game_end(history, history.current().legal_moves(), xiangqi::rule_set("checks_only")))
      history.pop(2);
  }
  return history;
}

/// Plays moves in UCI text.
inline xiangqi::GameHistory play(xiangqi::GameHistory history,
                                 std::initializer_list<std::string_view> moves) {
  for (const auto text : moves) {
    const xiangqi::Move move = xiangqi::parse_uci(text);
    CHUHE_CHECK(history.current().is_legal(move), "{} in {}", text, history.current().to_fen());
    history.push(move);
  }
  return history;
}

/// Few moves, so that small trees run deep and into repetitions, mates and the limit.
inline constexpr std::string_view kSmallEndings[] = {
    "4k4/9/9/9/9/9/9/4R4/9/3K5 b - - 0 1",            // rook against king
    "4R4/3k5/5R3/9/9/2B6/n8/3pB4/4p4/3K5 w - - 0 1",  // perpetual check
    "3k5/4P4/9/9/9/9/9/9/4p4/5K3 w - - 0 1",          // two pawns
    "4k4/9/9/9/9/9/9/4B4/9/3K1p3 b - - 110 90",       // near the natural limit
    "3k5/9/9/9/9/9/9/4B4/9/4K4 b - - 0 1",            // bare but for an elephant: every leaf ends
    "4k4/9/4P4/9/9/9/9/9/9/3K5 w - - 0 1",            // a pawn near the palace
};

}  // namespace chuhe::test
