#pragma once
// What a set of self-play games came to: result mix by reason, length, and how often a resignation would have
// been wrong.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shards/game_record.h"

namespace chuhe::selfplay {

class GameSummary {
 public:
  void add(const shards::GameRecord& record);

  uint64_t games = 0, plies = 0, red_wins = 0, black_wins = 0, draws = 0;
  std::array<uint64_t, xiangqi::kEndReasons> reasons{};
  /// Of the games in which nobody was allowed to resign: those in which somebody would have, and those of
  /// them that this side won and drew. The names are those of `chuhe shards stats`.
  uint64_t played_out = 0, resign_tests = 0, false_resignations = 0, drawn_resignations = 0;

  /// Games in which a side's root value stayed above 0.9 for three of its moves, and those of them that it
  /// did not win: chance moves, the ply cap, or a net that is too sure of itself.
  uint64_t decided = 0, decided_not_won = 0;

  double draw_share() const { return games ? double(draws) / double(games) : 0; }
  /// Share of resignations that throw away a won game, with its 95 % interval (Wilson). Without a case: 0 in
  /// 0..1.
  struct Share {
    double value, low, high;
  };
  Share false_resignation_share() const;
  /// Plain lines for a log. A warning line begins with "warning:".
  std::vector<std::string> lines() const;
};

}  // namespace chuhe::selfplay
