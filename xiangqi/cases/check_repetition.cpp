// Verdicts on repetitions, the labels of a cycle's plies, occurrences and the natural limit.

#include <algorithm>
#include <map>

#include "base/error.h"
#include "xiangqi/cases/checks.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {
namespace {

std::string verdict_name(Outcome o) {
  return o == Outcome::Draw ? "draw" : o == Outcome::RedWins ? "black_loses" : "red_loses";
}

/// The moves of the case, and its last cycle again until the last position stands for the count-th time. A
/// case gives one cycle; the judge is asked when the rules would ask it.
GameHistory played_out(const PlayedCase& c, const RuleSet& rules, int count) {
  GameHistory history(c.start, rules.natural_limit_checks);
  for (Move m : c.moves) history.push(m);
  const int before = history.previous_occurrence();
  if (before == -2) return history;
  const std::vector<Move> cycle(c.moves.begin() + before + 1, c.moves.end());
  while (history.occurrences() < count)
    for (Move m : cycle) history.push(m);
  return history;
}

void check_verdict(PlayedCase& c, const ExpectedVerdict& wanted) {
  if (!wanted.is_test) {
    c.add(wanted.name(), Finding::NoTest, "", wanted.verdict);
    return;
  }
  const RuleSet& rules = rule_set(wanted.rule_set);
  // "none": the moves as they stand end nothing.
  const GameHistory history =
      played_out(c, rules, wanted.verdict == "none" ? 0 : int(rules.repetition_count));
  JudgeMemory memory(kRefereeBudget);
  const auto end = judge_briefly(history, rules, 0, &memory);
  std::string said = end ? verdict_name(end->outcome) : "none";
  const bool right = said == wanted.verdict;
  if (memory.counts().budget_exceeded > 0)
    said += fmt::format(" (search budget exceeded on {} plies)", memory.counts().budget_exceeded);
  c.add(wanted.name(), right ? Finding::Right : Finding::Wrong, said, wanted.verdict);
}

/// Figures that do not tell the idle classes apart print 闲 for all of them (28.9).
bool agrees(PlyClass said, PlyClass wanted) {
  if (wanted != PlyClass::Idle) return said == wanted;
  return said == PlyClass::Idle || said == PlyClass::Follow || said == PlyClass::Block ||
         said == PlyClass::Offer;
}

/// The ply with which the labels begin: the first place where their moves are those played. -1 if there is
/// none.
int first_labelled(std::span<const PlyFacts> facts, const std::vector<PlyLabel>& labels) {
  for (size_t first = 0; first + labels.size() <= facts.size(); ++first)
    if (std::ranges::equal(facts.subspan(first, labels.size()), labels, {}, &PlyFacts::move, &PlyLabel::move))
      return int(first);
  return -1;
}

void check_labels(PlayedCase& c) {
  const std::vector<PlyLabel>& labels = c.expected.labels;
  if (labels.empty()) return;
  // Of the first rule set that is no derivation, else of the first.
  const auto& verdicts = c.expected.verdicts;
  auto of = std::ranges::find_if(verdicts, [](const ExpectedVerdict& v) { return !v.derived && v.is_test; });
  if (of == verdicts.end()) of = verdicts.begin();
  const RuleSet& rules = rule_set(of->rule_set);
  const GameHistory history = played_out(c, rules, 3);
  const int first = first_labelled(history.facts(), labels);
  if (first < 0) {
    c.add("labels", Finding::Wrong, "moves other than those played", "labels of moves played");
    return;
  }
  Position before = history.position_at(first);
  for (const PlyLabel& label : labels) {
    const PlyFinding found = classify_ply(before, label.move, rules, kRefereeBudget);
    const auto shown = [&](PlyClass k) {
      return fmt::format("{} {}", to_uci(label.move), chinese_name_of(k));
    };
    c.add("labels", agrees(found.ply_class, label.ply_class) ? Finding::Right : Finding::Wrong,
          shown(found.ply_class) + (found.budget_exceeded ? " (search budget exceeded)" : ""),
          shown(label.ply_class));
    before.play(label.move);
  }
}

void check_natural_limit(PlayedCase& c) {
  if (!c.expected.natural_limit) return;
  const RuleSet& rules = rule_set(kDefaultRuleSet);
  GameHistory history(c.start, rules.natural_limit_checks);
  for (Move m : c.moves) history.push(m);
  const auto end = game_end(history, c.last.legal_moves(), rules);
  const std::string said = end ? fmt::format("{} ({})", name_of(end->outcome), name_of(end->reason)) : "none";
  const bool drawn = end && end->reason == EndReason::NaturalLimit;
  c.add("natural_limit", drawn == *c.expected.natural_limit ? Finding::Right : Finding::Wrong, said,
        *c.expected.natural_limit ? "draw (natural_limit)" : "no draw by the natural limit");
}

}  // namespace

void check_repetition(PlayedCase& c) {
  for (const ExpectedVerdict& v : c.expected.verdicts) check_verdict(c, v);
  check_labels(c);
  if (c.expected.occurrences) {
    const GameHistory history = played_out(c, rule_set(kDefaultRuleSet), 0);
    c.compare("occurrences", std::to_string(history.occurrences()), std::to_string(*c.expected.occurrences));
  }
  check_natural_limit(c);
}

}  // namespace chuhe::xiangqi
