#pragma once
// Who plays a side of a game. A player is described by a value; GameRunner brings it to life.

#include <memory>
#include <string>
#include <string_view>

#include "base/config.h"
#include "base/random.h"
#include "mcts/search/search_params.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::match {

/// How a search's result becomes a move in a game.
struct MoveChoice {
  double temperature = 1.0;  // visits^(1/T) (PUCT) for the first temperature_plies plies; Gumbel at the root
                             // samples by itself, so T then only applies if > 0
  int temperature_plies = 30;
  double end_temperature = 0.0;
  double max_value_loss = 1.0;  // a sampled move may not be this much worse than the best
  void describe(Fields& f);
};

enum class PlayerKind { Builtin, Search, PolicyOnly, External };

struct PlayerSpec {
  PlayerKind kind = PlayerKind::Search;
  std::string name;   // shown in reports: "random", "ab:4", a net id
  int evaluator = 0;  // Search, PolicyOnly: which evaluator of the farm answers
  mcts::SearchParams search;
  MoveChoice choice;
  int cheap_visits = 0;     // playout cap (KataGo, 2019): visits of a cheap search; 0 = every search is full
  double full_share = 1.0;  // share of plies searched in full
};

/// A built-in player: "random"; "greedy" (the most valuable capture, else random); "ab:N" (alpha-beta of
/// depth N over material, N 1..8; equal moves by chance).
class BuiltinPlayer {
 public:
  virtual ~BuiltinPlayer() = default;
  /// `memory` is of the same rule set.
  virtual xiangqi::Move choose(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules,
                               xiangqi::JudgeMemory& memory, Random& random) = 0;
};
/// Throws Error naming the known players. is_builtin says whether the name is one.
std::unique_ptr<BuiltinPlayer> make_builtin(std::string_view name);
bool is_builtin(std::string_view name);

/// Value of the position for the side to move by alpha-beta of that depth, in pawns (R 9, C 4.5, N 4, A and E
/// 2, P 1, 2 across the river).
double alpha_beta_value(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules, int depth);

}  // namespace chuhe::match
