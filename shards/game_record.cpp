#include "shards/game_record.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "xiangqi/board/position.h"
#include "xiangqi/rules/game_history.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::shards {
namespace {

using Fault = std::optional<std::string>;
using xiangqi::EndReason;
using xiangqi::GameEnd;
using xiangqi::GameHistory;
using xiangqi::MoveList;
using xiangqi::Outcome;

std::string text_of(const GameEnd& end) {
  return fmt::format("{} by {}", name_of(end.outcome), name_of(end.reason));
}

bool is_value(float v) {
  return v >= -1 && v <= 1;
}  // false for NaN

Fault fault_of_policy(const PlyRecord& ply, const MoveList& legal) {
  if (ply.search != SearchKind::Full) {
    if (ply.policy.empty()) return std::nullopt;
    return "a policy without a full search";
  }
  if (ply.policy.empty()) return "a full search without a policy";
  int sum = 0;
  const PolicyEntry* last = nullptr;
  for (const PolicyEntry& entry : ply.policy) {
    if (!legal.contains(entry.move))
      return fmt::format("policy over the illegal move {}", to_uci(entry.move));
    if (last && !(last->move < entry.move)) return fmt::format("policy not sorted at {}", to_uci(entry.move));
    if (entry.weight == 0) return fmt::format("policy holds {} with weight zero", to_uci(entry.move));
    sum += entry.weight;
    last = &entry;
  }
  // Each legal move is off by half a unit at most, whether it was rounded or left out.
  if (std::abs(sum - 65535) > legal.size() / 2 + 1)
    return fmt::format("policy sums to {}, expected about 65535", sum);
  return std::nullopt;
}

Fault fault_of_ply(const PlyRecord& ply, const MoveList& legal) {
  if (!legal.contains(ply.move)) return fmt::format("illegal move {}", to_uci(ply.move));
  if (int(ply.search) > int(SearchKind::Full)) return fmt::format("search kind {}", int(ply.search));
  if (ply.search != SearchKind::None && ply.visits == 0) return "a search without visits";
  if (!is_value(ply.root_value)) return fmt::format("root value {}, expected -1..1", ply.root_value);
  if (!is_value(ply.net_value)) return fmt::format("net value {}, expected -1..1", ply.net_value);
  return fault_of_policy(ply, legal);
}

Fault fault_of_nets(const GameRecord& record) {
  int64_t last = -1;
  for (const NetRun& run : record.nets) {
    if (int64_t(run.ply) <= last)
      return fmt::format("net {} from ply {} after one from ply {}", run.net_id, run.ply, last);
    if (run.ply > record.plies.size())
      return fmt::format("net {} from ply {} of {}", run.net_id, run.ply, record.plies.size());
    if (run.net_id.empty()) return fmt::format("no name for the net from ply {}", run.ply);
    last = run.ply;
  }
  return std::nullopt;
}

// The end as stored against what the rules say in the last position (nothing: the game could go on).
Fault fault_of_end(const GameRecord& record, const GameHistory& history,
                   const std::optional<GameEnd>& by_rules, const xiangqi::RuleSet& rules) {
  const GameEnd stored{record.outcome, record.reason};
  if (by_rules && stored != *by_rules)
    return fmt::format("ends {}, by the rules {}", text_of(stored), text_of(*by_rules));
  if (by_rules) {
    const auto verdict = record.reason == EndReason::Checkmate || record.reason == EndReason::NoLegalMove
                             ? std::nullopt
                             : xiangqi::judge(history, rules);
    const std::string article(verdict ? verdict->article : "");
    if (record.article != article)
      return fmt::format("article '{}', by the rules '{}'", record.article, article);
    return std::nullopt;
  }
  if (decided_by_rules(record.reason))
    return fmt::format("ends {}, by the rules it goes on", text_of(stored));
  if (!record.article.empty()) return fmt::format("article '{}' without a verdict", record.article);
  const Outcome mover_loses = win_for(~history.current().side_to_move());
  switch (record.reason) {
    case EndReason::None:
      return "no end";
    case EndReason::PlyCapDraw:
      if (record.outcome != Outcome::Draw) return fmt::format("ends {}, expected a draw", text_of(stored));
      break;
    case EndReason::Resignation:
      if (record.outcome != mover_loses)
        return fmt::format("ends {}, expected a loss of the side to move", text_of(stored));
      if (record.resign_ply < 0) return "a resignation without its ply";
      break;
    default:
      if (record.outcome == Outcome::Draw) return fmt::format("ends {}, expected a winner", text_of(stored));
  }
  return std::nullopt;
}

Fault replay_fault(const GameRecord& record, const xiangqi::Position& start, const xiangqi::RuleSet& rules) {
  GameHistory history(start, rules.natural_limit_checks);
  xiangqi::JudgeMemory memory;
  MoveList legal;
  history.current().legal_moves(legal);
  auto end = game_end(history, legal, rules, 0, &memory);
  for (size_t i = 0; i < record.plies.size(); ++i) {
    if (end) return fmt::format("ply {}: the game had ended, {}", i, text_of(*end));
    if (auto fault = fault_of_ply(record.plies[i], legal)) return fmt::format("ply {}: {}", i, *fault);
    history.push(record.plies[i].move);
    legal.clear();
    history.current().legal_moves(legal);
    end = game_end(history, legal, rules, 0, &memory);
  }
  return fault_of_end(record, history, end, rules);
}

std::string text_of(const std::string& s) {
  return "'" + s + "'";
}
std::string text_of(xiangqi::Move m) {
  return to_uci(m);
}
std::string text_of(Outcome o) {
  return std::string(name_of(o));
}
std::string text_of(EndReason r) {
  return std::string(name_of(r));
}
std::string text_of(SearchKind k) {
  return fmt::format("{}", int(k));
}
template <class Number>
std::string text_of(Number n) {
  return fmt::format("{}", n);
}

template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}
// Bits, so that two NaNs are equal and 0 differs from -0: records are compared for being the same file.
bool same(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

class Comparison {
 public:
  template <class T>
  void operator()(const std::string& what, const T& a, const T& b) {
    if (!found && !same(a, b)) found = fmt::format("{} {}, {}", what, text_of(a), text_of(b));
  }
  std::optional<std::string> found;
};

void compare_plies(Comparison& compare, const PlyRecord& a, const PlyRecord& b, size_t index) {
  const auto name = [&](const char* field) { return fmt::format("ply {}: {}", index, field); };
  compare(name("move"), a.move, b.move);
  compare(name("search kind"), a.search, b.search);
  compare(name("visits"), a.visits, b.visits);
  compare(name("root value"), a.root_value, b.root_value);
  compare(name("net value"), a.net_value, b.net_value);
  const size_t common = std::min(a.policy.size(), b.policy.size());
  for (size_t i = 0; i < common && !compare.found; ++i) {
    compare(name("policy move"), a.policy[i].move, b.policy[i].move);
    compare(name("policy weight of ") + to_uci(a.policy[i].move), a.policy[i].weight, b.policy[i].weight);
  }
  compare(name("policy size"), a.policy.size(), b.policy.size());
}

}  // namespace

xiangqi::Color side_to_move_at(const GameRecord& record, int ply) {
  const size_t side = record.start_fen.find(' ') + 1;  // 0 where there is none
  const bool black_starts = side > 0 && side < record.start_fen.size() && record.start_fen[side] == 'b';
  return xiangqi::Color((ply + int(black_starts)) % 2);
}

std::optional<ResignTest> resign_test(const GameRecord& record) {
  if (!record.resign_disabled || record.resign_ply < 0) return std::nullopt;
  if (record.outcome == Outcome::Draw) return ResignTest::Drew;
  return record.outcome == win_for(side_to_move_at(record, record.resign_ply)) ? ResignTest::Won
                                                                               : ResignTest::Lost;
}

std::optional<std::string> find_fault(const GameRecord& record) {
  const auto start = xiangqi::Position::from_fen(record.start_fen);
  if (!start) return "start position: " + start.error();
  const auto names = xiangqi::rule_set_names();
  if (std::find(names.begin(), names.end(), record.rule_set) == names.end())
    return fmt::format("unknown rule set '{}', expected one of {}", record.rule_set, fmt::join(names, ", "));
  if (record.resign_ply < -1 || record.resign_ply > int64_t(record.plies.size()))
    return fmt::format("resign ply {} of {}", record.resign_ply, record.plies.size());
  if (auto fault = fault_of_nets(record)) return fault;
  return replay_fault(record, *start, xiangqi::rule_set(record.rule_set));
}

std::optional<std::string> first_difference(const GameRecord& a, const GameRecord& b) {
  Comparison compare;
  compare("writer", a.writer, b.writer);
  compare("id", a.id, b.id);
  compare("seed", a.seed, b.seed);
  compare("rule set", a.rule_set, b.rule_set);
  compare("parameter hash", a.params_hash, b.params_hash);
  compare("start position", a.start_fen, b.start_fen);
  compare("Red's player", a.players[0], b.players[0]);
  compare("Black's player", a.players[1], b.players[1]);
  for (size_t i = 0; i < std::min(a.plies.size(), b.plies.size()) && !compare.found; ++i)
    compare_plies(compare, a.plies[i], b.plies[i], i);
  compare("plies", a.plies.size(), b.plies.size());
  for (size_t i = 0; i < std::min(a.nets.size(), b.nets.size()) && !compare.found; ++i) {
    compare(fmt::format("net run {}: ply", i), a.nets[i].ply, b.nets[i].ply);
    compare(fmt::format("net run {}: net", i), a.nets[i].net_id, b.nets[i].net_id);
  }
  compare("net runs", a.nets.size(), b.nets.size());
  compare("outcome", a.outcome, b.outcome);
  compare("reason", a.reason, b.reason);
  compare("article", a.article, b.article);
  compare("resignation disabled", a.resign_disabled, b.resign_disabled);
  compare("resign ply", a.resign_ply, b.resign_ply);
  return compare.found;
}

}  // namespace chuhe::shards
