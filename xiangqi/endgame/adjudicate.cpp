#include "xiangqi/endgame/adjudicate.h"

namespace chuhe::xiangqi {

std::optional<Color> certain_winner(const GameHistory& history, const RuleSet& rules, EndgameTables& tables) {
  const Position& p = history.current();
  if (p.is_bare() || !tables.covers(Material::of(p))) return std::nullopt;
  const EndgameValue value = tables.probe(p);
  if (value.wdl == Wdl::Draw) return std::nullopt;
  // The winner must not run into the natural limit on the way. (A capture would start the count anew: that
  // the win may still be in time then, the game itself will tell.)
  if (rules.natural_limit_plies > 0 && history.counted_plies() + value.plies > rules.natural_limit_plies)
    return std::nullopt;
  return value.wdl == Wdl::Win ? p.side_to_move() : ~p.side_to_move();
}

}  // namespace chuhe::xiangqi
