// A verdict may not depend on left and right, on who is Red, or on where a cycle is entered. All repetitions
// of the golden cases, under every rule set that they name and the default.

#include <gtest/gtest.h>

#include <set>

#include "tests/support/paths.h"
#include "xiangqi/cases/case_file.h"
#include "xiangqi/cases/expectation.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {
namespace {

struct Play {
  Position start;
  std::vector<Move> moves;
};

struct Judged {
  std::optional<GameEnd> end;
  std::vector<PlyClass> classes;  // of each move
  bool operator==(const Judged&) const = default;
};

Judged judged(const Play& play, const RuleSet& rules, JudgeMemory& memory) {
  GameHistory history(play.start, rules.natural_limit_checks);
  Judged out;
  Position p = play.start;
  for (Move m : play.moves) {
    history.push(m);
    out.classes.push_back(classify_ply(p, m, rules, kRefereeBudget).ply_class);
    p.play(m);
  }
  out.end = judge_briefly(history, rules, 2, &memory);
  return out;
}

Play with_squares(const Play& play, const Position& start, Square (*map)(Square)) {
  Play out{start, {}};
  for (Move m : play.moves) out.moves.emplace_back(map(m.from()), map(m.to()));
  return out;
}

Judged with_sides_exchanged(Judged j) {
  if (j.end) j.end->outcome = mirrored(j.end->outcome);
  return j;
}

/// The cases that can be played, one entry for each rule set.
struct Sample {
  std::string id;
  Play play;
  const RuleSet* rules;
};

std::vector<Sample> samples() {
  std::vector<Sample> out;
  for (const char* name : {"cases.tsv", "cases_rule_sets.tsv", "cases_axf.tsv"})
    for (const Case& c : read_case_file(golden_dir() / name).cases) {
      const auto start = Position::from_fen(c.fen);
      if (c.category != Category::Repetition || !start.ok()) continue;
      std::set<std::string> sets{std::string(kDefaultRuleSet)};
      for (const ExpectedVerdict& v : parse_expectation(c.expected).verdicts)
        if (v.is_test) sets.insert(v.rule_set);
      Play play{*start, {}};
      for (const std::string& m : c.moves) play.moves.push_back(parse_uci(m));
      for (const std::string& set : sets) out.push_back({c.id, play, &rule_set(set)});
    }
  return out;
}

TEST(CaseSymmetry, LeftRightAndColours) {
  int compared = 0;
  for (const Sample& s : samples()) {
    JudgeMemory memory(kRefereeBudget), mirror_memory(kRefereeBudget), swap_memory(kRefereeBudget);
    const Judged base = judged(s.play, *s.rules, memory);
    const Judged mirror =
        judged(with_squares(s.play, s.play.start.mirrored(), mirrored), *s.rules, mirror_memory);
    const Judged swap =
        judged(with_squares(s.play, s.play.start.color_swapped(), flipped), *s.rules, swap_memory);
    EXPECT_TRUE(mirror == base) << s.id << " mirrored, " << s.rules->name;
    EXPECT_TRUE(with_sides_exchanged(swap) == base) << s.id << " colours exchanged, " << s.rules->name;
    ++compared;
  }
  EXPECT_GT(compared, 400);
}

TEST(CaseSymmetry, TheStartOfACycle) {
  int compared = 0;
  for (const Sample& s : samples()) {
    GameHistory history(s.play.start);
    for (Move m : s.play.moves) history.push(m);
    const int before = history.previous_occurrence();
    if (before == -2) continue;
    const std::vector<Move> cycle(s.play.moves.begin() + before + 1, s.play.moves.end());
    JudgeMemory memory(kRefereeBudget);
    std::optional<GameEnd> first;
    for (size_t turn = 0; turn < cycle.size(); ++turn) {
      GameHistory rotated(history.position_at(before + 1 + int(turn)), s.rules->natural_limit_checks);
      for (size_t i = 0; i < 2 * cycle.size(); ++i) rotated.push(cycle[(turn + i) % cycle.size()]);
      const auto end = judge_briefly(rotated, *s.rules, 0, &memory);
      ASSERT_TRUE(end) << s.id;
      if (turn == 0) first = end;
      EXPECT_TRUE(end == first) << s.id << " entered at ply " << turn << ", " << s.rules->name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1500);
}

}  // namespace
}  // namespace chuhe::xiangqi
