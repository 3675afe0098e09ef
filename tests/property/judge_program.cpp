// Cycles from random positions: what the judge says of every ply and of the whole, beside definitions written
// a second time (judge_brute.h). Also: neither mirroring, nor swapping the colours, nor starting the cycle at
// another ply changes a thing but the sides; judge and judge_briefly agree, with and without a memory.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "tests/property/judge_brute.h"
#include "tests/property/judge_cycles.h"
#include "xiangqi/rules/classify.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::array<std::string_view, 3> kChinese = {"cxa2007", "cxa1999", "cxa2020"};

struct Tally {
  std::array<int64_t, kPlyClasses> plies{};
  int64_t differ = 0, skipped = 0, over_budget = 0, verdicts = 0, decided = 0;
  std::vector<std::string> complaints;
  void complain(std::string what) {
    ++differ;
    complaints.push_back(std::move(what));
  }
  void add(const Tally& t) {
    for (size_t i = 0; i < plies.size(); ++i) plies[i] += t.plies[i];
    differ += t.differ, skipped += t.skipped, over_budget += t.over_budget;
    verdicts += t.verdicts, decided += t.decided;
    complaints.insert(complaints.end(), t.complaints.begin(), t.complaints.end());
  }
};

/// 献 拦 跟 闲 are one.
PlyClass merged(PlyClass c) {
  return c < PlyClass::Exchange ? PlyClass::Idle : c;
}

struct Side {
  bool checks = true, attacks = true, sole = true, escapes = true, joint = false;
};

/// The clauses of a rule set, for brute-force classes.
struct Expected {
  std::vector<brute::Ply> plies;
  std::vector<PlyClass> classes;  // under the rule set at hand
};

GameEnd lost_by(Color c, bool checks) {
  return {win_for(~c), checks ? EndReason::PerpetualCheck : EndReason::PerpetualChase};
}

constexpr GameEnd kDraw{Outcome::Draw, EndReason::Repetition};

std::array<Side, 2> look_at_sides(const Expected& e, Color first, bool kinds) {
  std::array<Side, 2> sides;
  for (size_t i = 0; i < e.plies.size(); ++i) {
    Side& s = sides[size_t(first) ^ (i & 1)];
    s.checks &= e.classes[i] == PlyClass::Check;
    s.attacks &= is_attack(e.classes[i]);
    if (!kinds) continue;
    const bool chase = e.classes[i] == PlyClass::Chase;
    const brute::Kind kind = e.plies[i].kind();
    s.sole &= chase && kind.direct && !kind.joint;
    s.escapes &= kind.escape;
    s.joint |= chase && kind.joint;
  }
  return sides;
}

GameEnd expected_chinese(const Expected& e, Color first, std::string_view rules) {
  auto sides = look_at_sides(e, first, false);
  if (sides[0].checks != sides[1].checks) return lost_by(Color(sides[1].checks), true);
  if (sides[0].attacks && sides[1].attacks) {
    if (rules == "cxa1999") return kDraw;
    sides = look_at_sides(e, first, true);
    const auto alone = [&](int c) { return sides[c].sole && (sides[1 - c].joint || sides[1 - c].escapes); };
    if (alone(0) != alone(1)) return lost_by(Color(alone(1)), false);
    return kDraw;
  }
  if (!sides[0].attacks && !sides[1].attacks) return kDraw;
  const Color attacker = Color(sides[1].attacks);
  if (rules == "cxa1999") {
    bool other_attacks = true;
    for (size_t i = 0; i < e.plies.size(); ++i)
      if ((size_t(first) ^ (i & 1)) != size_t(attacker))
        other_attacks = other_attacks && (is_attack(e.classes[i]) || e.plies[i].chases_with_pawn());
    if (other_attacks) return kDraw;
  }
  return lost_by(attacker, false);
}

GameEnd expected_asian(const Cycle& c, const Expected& e) {
  const Color first = c.start.side_to_move();
  std::array<bool, 2> checks{true, true};
  std::array<brute::Men, 2> chased;
  std::array<bool, 2> begun{};
  brute::Board b(c.start);
  // Twice around, since the men are followed over the whole stretch.
  for (size_t i = 0; i < 2 * c.moves.size(); ++i) {
    const size_t side = size_t(first) ^ (i & 1), ply = i % c.moves.size();
    b.play(c.moves[ply]);
    checks[side] &= e.plies[ply].check();
    brute::Men now;
    for (Square s : e.plies[ply].asian_victims()) now.insert(b.man(s));
    if (begun[side]) std::erase_if(now, [&](int man) { return !chased[side].contains(man); });
    begun[side] = true;
    chased[side] = now;
  }
  if (checks[0] != checks[1]) return lost_by(Color(checks[1]), true);
  if (chased[0].empty() != chased[1].empty()) return lost_by(Color(chased[0].empty()), false);
  return kDraw;
}

GameHistory history_of(const Cycle& c) {
  GameHistory history(c.start);
  for (int round = 0; round < 2; ++round)
    for (Move m : c.moves) history.push(m);
  return history;
}

std::string line_of(const Cycle& c) {
  std::string out = c.start.to_fen() + " moves";
  for (Move m : c.moves) out += fmt::format(" {}", to_uci(m));
  return out;
}

std::string to_text(const std::optional<GameEnd>& e) {
  return e ? fmt::format("{} {}", name_of(e->outcome), name_of(e->reason)) : "nothing";
}

class Comparison {
 public:
  Comparison(int64_t limit, bool slow_symmetry) : limit_(limit), slow_symmetry_(slow_symmetry) {}

  void cycle(const Cycle& c, std::string_view chinese) {
    Expected expected;
    bool complete = true;
    Position p = c.start;
    for (Move m : c.moves) {
      expected.plies.emplace_back(p, m, rule_set(chinese), limit_);
      complete &= ply(p, m, chinese, expected);
      p.play(m);
    }
    verdict(c, expected, chinese, complete);
    symmetry(c, chinese);
    tally.verdicts += 2;
  }

  Tally tally;

 private:
  /// Whether both sides went to the end of their searches.
  bool ply(const Position& p, Move m, std::string_view chinese, Expected& expected) {
    const PlyFinding asian = classify_ply(p, m, rule_set("axf"));
    const brute::Ply& slow = expected.plies.back();
    const PlyClass asian_expected = slow.check()           ? PlyClass::Check
                                    : slow.asian_victims() ? PlyClass::Chase
                                                           : PlyClass::Idle;
    if (std::max(asian.ply_class, PlyClass::Idle) != asian_expected && merged_asian(asian) != asian_expected)
      tally.complain(fmt::format("ply {} {} axf: judge {} expected {}", p.to_fen(), to_uci(m),
                                 name_of(asian.ply_class), name_of(asian_expected)));
    const PlyFinding fast = classify_ply(p, m, rule_set(chinese));
    expected.classes.push_back(fast.ply_class);
    if (fast.budget_exceeded) {
      ++tally.over_budget;
      return false;
    }
    try {
      const PlyClass wanted = slow.chinese(), got = merged(fast.ply_class);
      expected.classes.back() = wanted;
      ++tally.plies[size_t(wanted)];
      if (got == wanted) return true;
      tally.complain(fmt::format("ply {} {} {}: judge {} expected {}", p.to_fen(), to_uci(m), chinese,
                                 name_of(got), name_of(wanted)));
    } catch (const brute::TooLong&) {
      ++tally.skipped;
    }
    return false;
  }

  static PlyClass merged_asian(const PlyFinding& f) {
    return f.ply_class < PlyClass::Chase ? PlyClass::Idle : f.ply_class;
  }

  void verdict(const Cycle& c, const Expected& expected, std::string_view chinese, bool complete) {
    const GameHistory history = history_of(c);
    for (std::string_view name : {chinese, std::string_view("axf")}) {
      const RuleSet& rules = rule_set(name);
      const auto full = judge(history, rules);
      const auto brief = judge_briefly(history, rules);
      JudgeMemory memory;
      const auto learned = judge_briefly(history, rules, 0, &memory);
      const auto known = judge_briefly(history, rules, 0, &memory);
      const auto same = full ? std::optional(GameEnd{full->outcome, full->reason}) : std::nullopt;
      if (same != brief || brief != learned || learned != known)
        tally.complain(fmt::format("verdict {} {}: judge {}, briefly {}, with memory {}, again {}",
                                   line_of(c), name, to_text(same), to_text(brief), to_text(learned),
                                   to_text(known)));
      if (name == "axf") {
        compare(c, name, same, expected_asian(c, expected));
        continue;
      }
      if (!complete || (full && full->budget_exceeded)) continue;
      try {
        compare(c, name, same, expected_chinese(expected, c.start.side_to_move(), name));
      } catch (const brute::TooLong&) {
        ++tally.skipped;
      }
    }
  }

  void compare(const Cycle& c, std::string_view name, const std::optional<GameEnd>& got, GameEnd wanted) {
    tally.decided += wanted.outcome != Outcome::Draw;
    if (got != wanted)
      tally.complain(fmt::format("verdict {} {}: judge {} expected {}", line_of(c), name, to_text(got),
                                 to_text(wanted)));
  }

  void symmetry(const Cycle& c, std::string_view chinese) {
    for (std::string_view name : {chinese, std::string_view("axf")}) {
      const RuleSet& rules = rule_set(name);
      JudgeMemory memory;
      const auto here = judge_briefly(history_of(c), rules, 0, &memory);
      const auto check = [&](const Cycle& other, std::optional<GameEnd> wanted, std::string_view what) {
        JudgeMemory own;
        const auto there = judge_briefly(history_of(other), rules, 0, &own);
        if (there != wanted)
          tally.complain(fmt::format("symmetry {} {}: {} gives {} instead of {}", line_of(c), name, what,
                                     to_text(there), to_text(wanted)));
      };
      auto swapped = here;
      if (swapped) swapped->outcome = mirrored(swapped->outcome);
      check(mirrored(c), here, "mirrored");
      check(color_swapped(c), swapped, "colours swapped");
      for (int i = 1; i < int(c.moves.size()); ++i) check(rotated(c, i), here, "started later");
      if (slow_symmetry_) classes_symmetric(c, rules);
    }
  }

  void classes_symmetric(const Cycle& c, const RuleSet& rules) {
    const Cycle left = mirrored(c), swapped = color_swapped(c);
    Position p = c.start, l = left.start, s = swapped.start;
    for (size_t i = 0; i < c.moves.size(); ++i) {
      const PlyFinding here_found = classify_ply(p, c.moves[i], rules),
                       there_found = classify_ply(l, left.moves[i], rules),
                       across_found = classify_ply(s, swapped.moves[i], rules);
      const PlyClass here = here_found.ply_class, there = there_found.ply_class,
                     across = across_found.ply_class;
      if (here != there || here != across)
        tally.complain(fmt::format("symmetry {} {} {}: {}, mirrored {}, colours swapped {}", p.to_fen(),
                                   to_uci(c.moves[i]), rules.name, name_of(here), name_of(there),
                                   name_of(across)));
      p.play(c.moves[i]), l.play(left.moves[i]), s.play(swapped.moves[i]);
    }
  }

  int64_t limit_;
  bool slow_symmetry_;
};

int explain(const std::string& fen, const std::string& move, const std::string& rules) {
  const auto p = Position::from_fen(fen);
  if (!p || !p->is_legal(parse_uci(move))) throw Error("'{}' is not legal in '{}'", move, fen);
  const brute::Ply slow(*p, parse_uci(move), rule_set(rules), std::numeric_limits<int64_t>::max());
  const PlyFinding fast = classify_ply(*p, parse_uci(move), rule_set(rules));
  const auto line = [](const Threat& t) {
    std::string out = fmt::format(" [{} level {}", name_of(t.form), t.strong);
    for (Move m : t.line) out += fmt::format(" {}", to_uci(m));
    return out.append("]");
  };
  fmt::print("expected {}; {}\njudge {};", name_of(slow.chinese()), slow.explain(), name_of(fast.ply_class));
  for (const Threat& t : fast.threats) fmt::print("{}", line(t));
  fmt::print(" set aside:");
  for (const Exempted& e : fast.exempted) fmt::print(" {}{}", name_of(e.exemption), line(e.threat));
  bool cut = fast.budget_exceeded;
  const ChaseKind kind = chase_kind(OrientedPly(*p, parse_uci(move)), rule_set(rules), JudgeBudget{}, cut);
  fmt::print("; direct {} joint {} escape {}{}\n", kind.direct, kind.joint, kind.escape,
             cut ? "; over budget" : "");
  return 0;
}

/// One cycle, as a complaint prints it.
int compare_cycle(const std::string& fen, const std::string& moves, const std::string& rules, int64_t limit) {
  const auto p = Position::from_fen(fen);
  if (!p) throw Error("{}", p.error());
  Cycle c{*p, {}};
  for (size_t i = 0; i < moves.size(); i += 5) c.moves.push_back(parse_uci(moves.substr(i, 4)));
  Position walk = *p;
  for (Move m : c.moves) {
    if (!walk.is_legal(m)) throw Error("'{}' is not legal in '{}'", to_uci(m), walk.to_fen());
    walk.play(m);
  }
  Comparison comparison(limit, true);
  comparison.cycle(c, rules);
  for (const std::string& complaint : comparison.tally.complaints) fmt::print("{}\n", complaint);
  fmt::print("differ={} skipped={} over_budget={}\n", comparison.tally.differ, comparison.tally.skipped,
             comparison.tally.over_budget);
  return comparison.tally.differ == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  CLI::App app("Compares the judge with brute force on cycles from random positions.", "judge");
  uint64_t cycles = 100'000, seed = 1, first = 0;
  int threads = 2, show = 20;
  int64_t limit = 20'000;
  app.add_option("--cycles", cycles, "cycles to compare")->capture_default_str();
  app.add_option("--seed", seed, "of the cycles")->capture_default_str();
  app.add_option("--first", first, "number of the first cycle")->capture_default_str();
  app.add_option("--threads", threads, "the result does not depend on them")->capture_default_str();
  app.add_option("--limit", limit, "boards for one ply; plies that take more are skipped and counted")
      ->capture_default_str();
  app.add_option("--show", show, "differences printed")->capture_default_str();
  std::string fen, move, moves, rules = "cxa2007";
  auto* one = app.add_option("--fen", fen, "explain one ply instead: the position before it");
  app.add_option("--move", move, "the ply")->needs(one);
  app.add_option("--moves", moves, "or a whole cycle to compare, one blank between moves")->needs(one);
  app.add_option("--rules", rules, "for the ply")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (!moves.empty()) return compare_cycle(fen, moves, rules, limit);
  if (!fen.empty()) return explain(fen, move, rules);

  std::vector<Tally> tallies(static_cast<size_t>(threads));
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        for (uint64_t i = first + uint64_t(t); i < first + cycles; i += uint64_t(threads)) {
          Random random(seed, "judge cycles", i);
          Comparison comparison(limit, true);
          comparison.cycle(random_cycle(random), kChinese[i % kChinese.size()]);
          tallies[size_t(t)].add(comparison.tally);
        }
      });
  }
  Tally all;
  for (const Tally& t : tallies) all.add(t);
  for (int i = 0; i < std::min(show, int(all.complaints.size())); ++i)
    fmt::print("{}\n", all.complaints[size_t(i)]);
  const auto of = [&](PlyClass c) { return all.plies[size_t(c)]; };
  fmt::print("idle {}, verdicts {} (decided {})\n", of(PlyClass::Idle), all.verdicts, all.decided);
  fmt::print("CYCLES differ={} check={} kill={} chase={} exchange={} skipped={} over_budget={}\n", all.differ,
             of(PlyClass::Check), of(PlyClass::Kill), of(PlyClass::Chase), of(PlyClass::Exchange),
             all.skipped, all.over_budget);
  return all.differ == 0 ? 0 : 1;
}

}  // namespace
}  // namespace chuhe::xiangqi

int main(int argc, char** argv) {
  try {
    return chuhe::xiangqi::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "judge: {}\n", e.what());
    return 2;
  }
}
