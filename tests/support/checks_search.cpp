#include "tests/support/checks_search.h"

#include <algorithm>

namespace chuhe::xiangqi::test {
namespace {

struct TooLong {};

Position after(Position p, Move m) {
  p.play(m);
  return p;
}

}  // namespace

/// Does the side to move mate within `checks` checks?
bool ChecksSearch::attack(const Position& p, int checks) {
  if (checks == 0) return false;
  if (++nodes_ > limit_) throw TooLong{};
  if (const auto it = known_.find(p.key()); it != known_.end()) {
    if (it->second.mates_within <= checks) return true;
    if (it->second.not_within >= checks) return false;
  }
  std::vector<std::pair<int, Position>> next;
  for (const Move m : p.legal_moves()) {
    const Position q = after(p, m);
    if (q.in_check()) next.emplace_back(q.count_legal_moves(), q);
  }
  std::stable_sort(next.begin(), next.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const bool mates =
      std::any_of(next.begin(), next.end(), [&](const auto& q) { return defend(q.second, checks - 1); });
  Known& k = known_[p.key()];
  if (mates)
    k.mates_within = std::min(k.mates_within, int8_t(checks));
  else
    k.not_within = std::max(k.not_within, int8_t(checks));
  return mates;
}

/// Is the side to move mated within `checks` more checks, whatever it replies?
bool ChecksSearch::defend(const Position& p, int checks) {
  const MoveList replies = p.legal_moves();
  return std::all_of(replies.begin(), replies.end(), [&](Move m) { return attack(after(p, m), checks); });
}

std::optional<std::vector<ChecksSearch::First>> ChecksSearch::solve(const Position& position, int most,
                                                                    int64_t node_limit) {
  known_.clear();
  nodes_ = 0;
  limit_ = node_limit;
  std::vector<First> found;
  try {
    for (const Move m : position.legal_moves()) {
      const Position q = after(position, m);
      if (!q.has_legal_move()) {
        found.push_back({m, 1});
        continue;
      }
      if (!q.in_check()) continue;
      for (int checks = 1; checks <= most; ++checks)
        if (defend(q, checks - 1)) {
          found.push_back({m, checks});
          break;
        }
    }
  } catch (const TooLong&) {
    return std::nullopt;
  }
  return found;
}

}  // namespace chuhe::xiangqi::test
