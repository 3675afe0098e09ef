// No exemption is there for nothing: without it, at least one golden row gets another verdict or another
// class of a ply. Prints which row shows it.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/unit/xiangqi/golden.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {
namespace {

struct Line {
  std::string id;
  GameHistory history;
};

/// The repetitions of the golden files, played until the position stands for the third time.
std::vector<Line> golden_cycles() {
  std::vector<Line> lines;
  for (const char* file : {"cases.tsv", "cases_derived.tsv"})
    for (const Row& row : golden(file)) {
      if (row.at(2) != "repetition" || !Position::from_fen(row.at(3)).ok()) continue;
      GameHistory history(position(row.at(3)));
      for (const std::string& text : words(row.at(4))) history.push(parse_uci(text));
      const int before = history.previous_occurrence();
      if (before == -2) continue;
      const auto facts = history.facts().subspan(size_t(before + 1));
      std::vector<Move> cycle;
      for (const PlyFacts& f : facts) cycle.push_back(f.move);
      while (history.occurrences() < 3)
        for (Move m : cycle) history.push(m);
      lines.push_back({row.at(0), history});
    }
  return lines;
}

/// The class of every ply of the last cycle, then the outcome.
std::vector<int> judged(const GameHistory& history, const RuleSet& rules) {
  const auto verdict = judge(history, rules);
  EXPECT_TRUE(verdict);
  std::vector<int> out;
  for (const CyclePly& ply : verdict->cycle) out.push_back(int(ply.finding.ply_class));
  out.push_back(int(verdict->outcome));
  return out;
}

TEST(Exemptions, NoneIsThereForNothing) {
  const std::vector<Line> lines = golden_cycles();
  for (std::string_view name : rule_set_names()) {
    const RuleSet& rules = rule_set(name);
    std::vector<std::vector<int>> whole;
    if (!rules.exemptions.empty())
      for (const Line& line : lines) whole.push_back(judged(line.history, rules));
    for (const ExemptionClause& clause : rules.exemptions) {
      std::vector<ExemptionClause> others(rules.exemptions.begin(), rules.exemptions.end());
      std::erase_if(others, [&](const ExemptionClause& c) { return c.exemption == clause.exemption; });
      RuleSet fewer = rules;
      fewer.exemptions = others;
      std::string shown_by;
      for (size_t i = 0; i < lines.size() && shown_by.empty(); ++i)
        if (judged(lines[i].history, fewer) != whole[i]) shown_by = lines[i].id;
      std::cout << name << " without " << name_of(clause.exemption) << ": " << shown_by << "\n";
      EXPECT_FALSE(shown_by.empty()) << name << ": no row needs " << name_of(clause.exemption);
    }
  }
}

}  // namespace
}  // namespace chuhe::xiangqi
