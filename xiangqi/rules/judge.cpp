#include "xiangqi/rules/judge.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "xiangqi/rules/classify.h"

namespace chuhe::xiangqi {
namespace {

/// A forgetful table: what has been worked out may be thrown away at any time, so it never grows without end.
template <class Value>
class Remembered {
 public:
  const Value* find(uint64_t key) const {
    const auto it = values_.find(key);
    return it == values_.end() ? nullptr : &it->second;
  }
  Value put(uint64_t key, const Value& value) {
    if (values_.size() >= kMost) values_.clear();
    values_.insert_or_assign(key, value);
    return value;
  }

 private:
  static constexpr size_t kMost = 1 << 16;
  std::unordered_map<uint64_t, Value> values_;
};

uint64_t mixed(uint64_t a, uint64_t b) {
  a = (a ^ b) * 0x9e3779b97f4a7c15ULL;
  return a ^ a >> 29;
}

}  // namespace

struct JudgeMemory::State {
  JudgeBudget budget;
  std::string_view rules;  // the name of the rule set, once one has been asked for
  Counts counts;
  Remembered<PlyNature> plies;
  Remembered<ChaseKind> kinds;
  Remembered<bool> pawn_attacks;
  Remembered<GameEnd> cycles;
};

JudgeMemory::JudgeMemory(JudgeBudget budget) : state_(std::make_unique<State>()) {
  state_->budget = budget;
}
JudgeMemory::~JudgeMemory() = default;
JudgeMemory::JudgeMemory(JudgeMemory&&) noexcept = default;
JudgeMemory& JudgeMemory::operator=(JudgeMemory&&) noexcept = default;
const JudgeMemory::Counts& JudgeMemory::counts() const {
  return state_->counts;
}

/// The plies of the repeated stretch, classified one by one as the clauses ask for them.
class CycleReader {
 public:
  /// The stretch reaches back to the oldest of the last `rules.repetition_count` occurrences.
  CycleReader(const GameHistory& history, const RuleSet& rules, JudgeMemory::State& memory)
      : history_(history), rules_(rules), memory_(memory), last_mover_(~history.current().side_to_move()) {
    const auto facts = history.facts();
    const int now = history.plies() - 1;
    first_ = now;
    int occurrences = std::min<int>(history.occurrences(), std::max<int>(rules.repetition_count, 2));
    for (int ply = now - 1; occurrences > 1; --ply) {
      first_ = ply + 1;
      if (ply < 0 || facts[size_t(ply)].key == facts[size_t(now)].key) --occurrences;
    }
    count_ = now - first_ + 1;
  }

  int first() const { return first_; }
  int count() const { return count_; }
  Move move(int i) const { return fact(i).move; }
  bool gives_check(int i) const { return fact(i).gives_check; }

  uint64_t key() const {
    uint64_t key = uint64_t(count_);
    for (int i = 0; i < count_; ++i) key = mixed(key, fact(i).key);
    return key;
  }

  PlyNature nature(int i) {
    const uint64_t key = ply_key(i);
    if (const PlyNature* known = memory_.plies.find(key)) return *known;
    ++memory_.counts.plies;
    const PlyNature n = classify(OrientedPly(before(i), move(i)), rules_, memory_.budget);
    memory_.counts.budget_exceeded += n.budget_exceeded;
    return memory_.plies.put(key, n);
  }
  ChaseKind kind(int i) {
    const uint64_t key = ply_key(i);
    if (const ChaseKind* known = memory_.kinds.find(key)) return *known;
    bool cut = false;
    const ChaseKind kind = chase_kind(OrientedPly(before(i), move(i)), rules_, memory_.budget, cut);
    memory_.counts.budget_exceeded += cut;
    return memory_.kinds.put(key, kind);
  }
  bool pawn_attack(int i) {
    const uint64_t key = ply_key(i);
    if (const bool* known = memory_.pawn_attacks.find(key)) return *known;
    bool cut = false;
    const bool attacks = attacks_with_pawn(OrientedPly(before(i), move(i)), rules_, memory_.budget, cut);
    memory_.counts.budget_exceeded += cut;
    return memory_.pawn_attacks.put(key, attacks);
  }

  /// The first of the plies of `side`; the others follow at every second place. (The number of plies is even:
  /// the same side is to move again.)
  int first_of(Color side) const { return int(side == last_mover_); }

  template <class Test>
  bool all(Color side, Test test) {
    for (int i = first_of(side); i < count_; i += 2)
      if (!test(i)) return false;
    return true;
  }

  bool all_checks(Color side) {
    return all(side, [&](int i) { return gives_check(i); });
  }

  /// 25.2, with 27.2 of 1999: pawns' attacks count if the other side attacks with every ply without them.
  bool all_attacks(Color side) {
    return attacks_itself(side) ||
           (rules_.pawns_attack_in_mutual && attacks_itself(~side) &&
            all(side, [&](int i) { return is_attack(nature(i).ply_class) || pawn_attack(i); }));
  }

  /// L 29.8, 20:26.9.
  bool sole_chaser(Color side) {
    return all_attacks(side) && all_attacks(~side) && chases_alone(side) && !chases_alone(~side);
  }

  /// Is one and the same piece a victim of every ply of the side (Asian detector)?
  bool chases_one_piece(Color side) {
    // Pieces are told apart by where they stand at the end of the stretch.
    Bitboard always = history_.current().pieces(~side);
    for (int i = first_of(side); i < count_; i += 2) {
      Bitboard victims = nature(i).victims;
      for (int later = i + 1; later < count_; ++later) {
        const Move m = move(later);
        if (victims.has(m.from())) victims ^= Bitboard::of(m.from()) | Bitboard::of(m.to());
      }
      always &= victims;
      if (!always) return false;
    }
    return true;
  }

  const Position& before(int i) {
    while (int(positions_.size()) <= i) {
      if (positions_.empty()) {
        positions_.push_back(history_.position_at(first_));
      } else {
        Position next = positions_.back();
        next.play(move(int(positions_.size()) - 1));
        positions_.push_back(next);
      }
    }
    return positions_[size_t(i)];
  }

 private:
  const PlyFacts& fact(int i) const { return history_.facts()[size_t(first_ + i)]; }
  /// Of the position before a ply and its move: what happened earlier does not change what a ply does.
  uint64_t ply_key(int i) const {
    const int ply = first_ + i;
    const uint64_t before = ply == 0 ? history_.start().key() : history_.facts()[size_t(ply - 1)].key;
    return mixed(before, fact(i).move.bits);
  }
  bool attacks_itself(Color side) {
    std::optional<bool>& known = attacks_itself_[int(side)];
    if (known) return *known;
    // One allowed ply settles it, so the plies that are known or cheap are asked first.
    std::vector<std::pair<int, int>> plies;  // effort, ply
    for (int i = first_of(side); i < count_; i += 2)
      if (!gives_check(i))
        plies.push_back({memory_.plies.find(ply_key(i)) ? 0 : effort(before(i), move(i)), i});
    std::ranges::sort(plies);
    known = std::ranges::all_of(plies, [&](const auto& p) { return is_attack(nature(p.second).ply_class); });
    return *known;
  }
  /// Does the side chase an unprotected piece directly, and never jointly, with every ply, while the other
  /// chases jointly or only escapes?
  bool chases_alone(Color side) {
    const bool alone = all(side, [&](int i) {
      return nature(i).ply_class == PlyClass::Chase && kind(i).direct && !kind(i).joint;
    });
    if (!alone) return false;
    bool other_joint = false, other_escapes = true;
    for (int i = first_of(~side); i < count_; i += 2) {
      other_joint |= nature(i).ply_class == PlyClass::Chase && kind(i).joint;
      other_escapes &= kind(i).escape;
    }
    return other_joint || other_escapes;
  }

  const GameHistory& history_;
  const RuleSet& rules_;
  JudgeMemory::State& memory_;
  Color last_mover_;
  int first_ = 0, count_ = 0;
  std::vector<Position> positions_;
  std::optional<bool> attacks_itself_[2];
};

namespace {

/// Does the clause find `side` to be the offender?
bool holds(Predicate predicate, CycleReader& cycle, Color side) {
  switch (predicate) {
    case Predicate::AllChecksOneSided:
      return cycle.all_checks(side) && !cycle.all_checks(~side);
    case Predicate::AttacksOneSided:
      return cycle.all_attacks(side) && !cycle.all_attacks(~side);
    case Predicate::SoleChaserOfUnrooted:
      return cycle.sole_chaser(side);
    case Predicate::ChaseOfOnePieceOneSided:
      return cycle.chases_one_piece(side) && !cycle.chases_one_piece(~side);
    case Predicate::AllAttacksMutual:
      return cycle.all_attacks(side) && cycle.all_attacks(~side);
    case Predicate::AnyRepetition:
      return true;
  }
  CHUHE_CHECK(false, "predicate {}", int(predicate));
}

struct Decision {
  const Clause* clause;
  GameEnd end;
};

Decision decide(CycleReader& cycle, const RuleSet& rules) {
  for (const Clause& clause : rules.clauses)
    for (Color side : {Color::Red, Color::Black}) {
      if (!holds(clause.predicate, cycle, side)) continue;
      if (clause.ruling == Ruling::Draw) return {&clause, {Outcome::Draw, EndReason::Repetition}};
      const bool checks = clause.predicate == Predicate::AllChecksOneSided;
      return {&clause, {win_for(~side), checks ? EndReason::PerpetualCheck : EndReason::PerpetualChase}};
    }
  CHUHE_CHECK(false, "rule set {} has no clause for this repetition", rules.name);
}

bool asks_the_judge(const GameHistory& history, const RuleSet& rules, int occurrences) {
  if (rules.repetition_count == 0) return false;
  // The very first occurrence closes no cycle.
  return history.occurrences() >= std::max(occurrences > 0 ? occurrences : int(rules.repetition_count), 2);
}

}  // namespace

std::optional<GameEnd> judge_briefly(const GameHistory& history, const RuleSet& rules, int occurrences,
                                     JudgeMemory* memory) {
  if (!asks_the_judge(history, rules, occurrences)) return std::nullopt;
  std::optional<JudgeMemory> own;
  JudgeMemory::State& state = (memory ? *memory : own.emplace()).state();
  CycleReader cycle(history, rules, state);
  if (state.rules.empty()) state.rules = rules.name;
  CHUHE_CHECK(state.rules == rules.name, "a memory of {} is asked about {}", state.rules, rules.name);
  ++state.counts.verdicts;
  const uint64_t key = cycle.key();
  if (const GameEnd* known = state.cycles.find(key)) {
    ++state.counts.cycles_known;
    return *known;
  }
  return state.cycles.put(key, decide(cycle, rules).end);
}

std::optional<Verdict> judge(const GameHistory& history, const RuleSet& rules, int occurrences,
                             const JudgeBudget& budget) {
  if (!asks_the_judge(history, rules, occurrences)) return std::nullopt;
  JudgeMemory memory(budget);
  CycleReader cycle(history, rules, memory.state());
  const Decision decision = decide(cycle, rules);
  Verdict v;
  v.budget_exceeded = memory.counts().budget_exceeded > 0;
  v.outcome = decision.end.outcome;
  v.reason = decision.end.reason;
  v.must_change = decision.clause->ruling == Ruling::OffenderMustChange;
  v.article = decision.clause->article;
  v.explanation = decision.clause->explanation;
  v.chinese_explanation = decision.clause->chinese_explanation;
  for (int i = 0; i < cycle.count(); ++i) {
    v.cycle.push_back({cycle.first() + i, cycle.move(i), {}});
    v.cycle.back().finding = classify_ply(cycle.before(i), cycle.move(i), rules, memory.state().budget);
    v.budget_exceeded |= v.cycle.back().finding.budget_exceeded;
  }
  return v;
}

PlyFinding classify_ply(const Position& before, Move move, const RuleSet& rules, const JudgeBudget& budget) {
  PlyFinding finding;
  classify(OrientedPly(before, move), rules, budget, &finding);
  return finding;
}

}  // namespace chuhe::xiangqi
