#include "xiangqi/rules/judge.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::string_view kOutcomeNames[] = {"red_wins", "black_wins", "draw"};
constexpr std::array<std::string_view, kEndReasons> kReasonNames = {
    "none",         "checkmate",     "no_legal_move",   "perpetual_check",
    "repetition",   "natural_limit", "bare_material",   "ply_cap_material",
    "ply_cap_draw", "resignation",   "perpetual_chase", "time_forfeit",
    "forfeit",      "tablebase"};

}  // namespace

std::string_view name_of(Outcome o) {
  return kOutcomeNames[size_t(o)];
}
std::string_view name_of(EndReason r) {
  return kReasonNames[size_t(r)];
}

EndReason end_reason(std::string_view name) {
  for (int i = 0; i < kEndReasons; ++i)
    if (kReasonNames[size_t(i)] == name) return EndReason(i);
  throw Error("unknown end reason '{}', expected a name such as 'checkmate' or 'natural_limit'", name);
}

bool decided_by_rules(EndReason r) {
  switch (r) {
    case EndReason::Checkmate:
    case EndReason::NoLegalMove:
    case EndReason::PerpetualCheck:
    case EndReason::Repetition:
    case EndReason::NaturalLimit:
    case EndReason::BareMaterial:
    case EndReason::PerpetualChase:
      return true;
    default:
      return false;
  }
}

std::optional<GameEnd> game_end(const GameHistory& history, const MoveList& legal, const RuleSet& rules,
                                int repetition_occurrences, JudgeMemory* memory) {
  const Position& p = history.current();
  if (legal.empty())
    return GameEnd{win_for(~p.side_to_move()), p.in_check() ? EndReason::Checkmate : EndReason::NoLegalMove};
  if (const auto verdict = judge_briefly(history, rules, repetition_occurrences, memory)) return verdict;
  if (rules.bare_material_draw && p.is_bare()) return GameEnd{Outcome::Draw, EndReason::BareMaterial};
  if (rules.natural_limit_plies > 0 && history.counted_plies() >= rules.natural_limit_plies)
    return GameEnd{Outcome::Draw, EndReason::NaturalLimit};
  return std::nullopt;
}

}  // namespace chuhe::xiangqi
