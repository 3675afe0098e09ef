#include "match/make_openings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/random.h"
#include "match/player.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::match {
namespace {

// A random line of that many plies, or nothing if the game ends on the way.
std::optional<xiangqi::GameHistory> random_line(int plies, Random& random) {
  xiangqi::GameHistory history;
  for (; plies > 0; --plies) {
    const xiangqi::MoveList moves = history.current().legal_moves();
    if (moves.empty()) return std::nullopt;
    history.push(moves[int(random.below(uint64_t(moves.size())))]);
  }
  return history.current().has_legal_move() ? std::optional(history) : std::nullopt;
}

// The value at full depth, or nothing if that or a shallower search, which throws out most lines for little,
// is not even.
std::optional<double> even_value(const xiangqi::GameHistory& line, const xiangqi::RuleSet& rules,
                                 const OpeningMaker& maker) {
  double value = 0;
  for (const int depth : {std::min(2, maker.depth), std::min(4, maker.depth), maker.depth}) {
    value = alpha_beta_value(line, rules, depth);
    if (std::abs(value) > maker.margin) return std::nullopt;
  }
  return value;
}

uint64_t key_up_to_mirror(const xiangqi::Position& p) {
  return std::min(p.key(), p.mirrored().key());
}

}  // namespace

void make_openings(const OpeningMaker& maker, const std::function<void(const Opening&, double value)>& found,
                   std::stop_token stop) {
  // The lists at hand were made so; which repetitions are forbidden hardly matters a few plies from the
  // start.
  const xiangqi::RuleSet& rules = xiangqi::rule_set("checks_only");
  std::set<uint64_t> seen;
  for (uint64_t i = 0; int(seen.size()) < maker.count && !stop.stop_requested(); ++i) {
    Random random(maker.seed, "make_openings", i);
    const int plies = maker.min_plies + int(random.below(uint64_t(maker.max_plies - maker.min_plies + 1)));
    const auto line = random_line(plies, random);
    if (!line || seen.contains(key_up_to_mirror(line->current()))) continue;
    const auto value = even_value(*line, rules, maker);
    if (!value) continue;
    seen.insert(key_up_to_mirror(line->current()));
    Opening opening;
    for (const auto& facts : line->facts()) opening.moves.push_back(facts.move);
    found(opening, *value);
  }
}

}  // namespace chuhe::match
