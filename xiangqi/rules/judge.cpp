#include "xiangqi/rules/judge.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::string_view kOutcomeNames[] = {"red_wins", "black_wins", "draw"};
constexpr std::array<std::string_view, kEndReasons> kReasonNames = {
    "none",         "checkmate",     "no_legal_move",   "perpetual_check",
    "repetition",   "natural_limit", "bare_material",   "ply_cap_material",
    "ply_cap_draw", "resignation",   "perpetual_chase", "time_forfeit",
    "forfeit"};

/// What one side did in the cycle.
struct SideOfCycle {
  bool all_checks = true;
};

struct Cycle {
  std::vector<CyclePly> plies;
  SideOfCycle sides[2];
};

Cycle cycle_of(const GameHistory& history) {
  Cycle cycle;
  const auto facts = history.facts();
  // Plies alternate, and the side to move now did not play the last one.
  const Color last_mover = ~history.current().side_to_move();
  const int last = history.plies() - 1;
  for (int ply = history.previous_occurrence() + 1; ply <= last; ++ply) {
    const bool check = facts[size_t(ply)].gives_check;
    cycle.plies.push_back({ply, facts[size_t(ply)].move, check ? PlyClass::Check : PlyClass::Idle});
    const Color mover = (last - ply) % 2 == 0 ? last_mover : ~last_mover;
    cycle.sides[int(mover)].all_checks &= check;
  }
  return cycle;
}

/// Does the clause find `side` to be the offender?
bool holds(Predicate predicate, const Cycle& cycle, Color side) {
  const SideOfCycle &own = cycle.sides[int(side)], &other = cycle.sides[int(~side)];
  switch (predicate) {
    case Predicate::AllChecksOneSided:
      return own.all_checks && !other.all_checks;
    case Predicate::AnyRepetition:
      return true;
  }
  CHUHE_CHECK(false, "predicate {}", int(predicate));
}

EndReason reason_of(const Clause& clause) {
  if (clause.ruling == Ruling::Draw) return EndReason::Repetition;
  return clause.predicate == Predicate::AllChecksOneSided ? EndReason::PerpetualCheck
                                                          : EndReason::PerpetualChase;
}

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

std::optional<Verdict> judge(const GameHistory& history, const RuleSet& rules, int occurrences) {
  if (rules.repetition_count == 0) return std::nullopt;
  const int wanted = occurrences > 0 ? occurrences : rules.repetition_count;
  // The very first occurrence closes no cycle.
  if (history.occurrences() < std::max(wanted, 2)) return std::nullopt;
  Cycle cycle = cycle_of(history);
  for (const Clause& clause : rules.clauses)
    for (Color side : {Color::Red, Color::Black}) {
      if (!holds(clause.predicate, cycle, side)) continue;
      Verdict v;
      v.outcome = clause.ruling == Ruling::Draw ? Outcome::Draw : win_for(~side);
      v.reason = reason_of(clause);
      v.must_change = clause.ruling == Ruling::OffenderMustChange;
      v.article = clause.article;
      v.explanation = clause.explanation;
      v.cycle = std::move(cycle.plies);
      return v;
    }
  CHUHE_CHECK(false, "rule set {} has no clause for this repetition", rules.name);
}

std::optional<GameEnd> game_end(const GameHistory& history, const MoveList& legal, const RuleSet& rules,
                                int repetition_occurrences) {
  const Position& p = history.current();
  if (legal.empty())
    return GameEnd{win_for(~p.side_to_move()), p.in_check() ? EndReason::Checkmate : EndReason::NoLegalMove};
  if (const auto verdict = judge(history, rules, repetition_occurrences))
    return GameEnd{verdict->outcome, verdict->reason};
  if (rules.bare_material_draw && p.is_bare()) return GameEnd{Outcome::Draw, EndReason::BareMaterial};
  if (rules.natural_limit_plies > 0 && history.counted_plies() >= rules.natural_limit_plies)
    return GameEnd{Outcome::Draw, EndReason::NaturalLimit};
  return std::nullopt;
}

std::string explain(const Verdict& verdict) {
  std::string out = fmt::format("{} ({}), article {}: {}\n", name_of(verdict.outcome),
                                name_of(verdict.reason), verdict.article, verdict.explanation);
  if (verdict.must_change) out += "the offender must change; the outcome holds if it repeats once more\n";
  out += fmt::format("the cycle, {} plies:\n", verdict.cycle.size());
  for (const CyclePly& ply : verdict.cycle)
    out += fmt::format("  ply {:3} {} {} ({})\n", ply.ply + 1, to_uci(ply.move), name_of(ply.ply_class),
                       chinese_name_of(ply.ply_class));
  return out;
}

}  // namespace chuhe::xiangqi
