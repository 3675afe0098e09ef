#include "xiangqi/cases/mate_solver.h"

#include <algorithm>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

constexpr uint8_t kNever = 255;

struct Entry {
  uint64_t key = 0;
  uint8_t no_mate_within = 0;    // checks; 0: nothing known
  uint8_t mate_within = kNever;  // checks
  Move move;                     // the attacker's mating move, or the defender's refutation
};
static_assert(sizeof(Entry) == 16);

struct CheckingMove {
  Move move;
  int replies;
};

/// The checking moves of the side to move, those with the fewest replies first: forcing lines are short to
/// search and most often the right ones. `first` goes before all others.
int checking_moves(const Position& p, Move first, CheckingMove* out) {
  int n = 0;
  for (Move m : p.legal_moves()) {
    Position next = p;
    next.play(m);
    if (next.in_check()) out[n++] = {m, m == first ? -1 : next.count_legal_moves()};
  }
  std::stable_sort(out, out + n,
                   [](const CheckingMove& a, const CheckingMove& b) { return a.replies < b.replies; });
  return n;
}

}  // namespace

struct MateSolver::Table {
  explicit Table(int bits) : entries(size_t(1) << bits), shift(64 - bits) {}
  Entry* find(uint64_t key) {
    Entry* e = slot(key);
    return e->key == key ? e : nullptr;
  }
  /// The position's entry, emptied if another position had the place.
  Entry* claim(uint64_t key) {
    Entry* e = slot(key);
    if (e->key != key) *e = Entry{key, 0, kNever, Move()};
    return e;
  }
  Entry* slot(uint64_t key) { return &entries[size_t(key * 0x9e3779b97f4a7c15ULL >> shift)]; }
  std::vector<Entry> entries;
  int shift;
};

MateSolver::MateSolver(int table_bits) : table_(std::make_unique<Table>(table_bits)) {}
MateSolver::~MateSolver() = default;

bool MateSolver::attack(Position& p, int depth, Move* best) {
  if (gave_up_ || (++nodes_ > node_limit_ && node_limit_ > 0)) {
    gave_up_ = true;
    return false;
  }
  Move first;
  if (const Entry* e = table_->find(p.key())) {
    if (e->mate_within <= depth) {
      if (best) *best = e->move;
      return true;
    }
    if (e->no_mate_within >= depth) return false;
    first = e->move;
  }
  CheckingMove moves[kMaxMoves];
  const int n = checking_moves(p, first, moves);
  for (int i = 0; i < n; ++i) {
    Position next = p;
    next.play(moves[i].move);
    if (!defend(next, depth - 1)) continue;
    if (gave_up_) return false;
    Entry* e = table_->claim(p.key());
    e->mate_within = uint8_t(depth);
    e->move = moves[i].move;
    if (best) *best = moves[i].move;
    return true;
  }
  if (!gave_up_) {
    Entry* e = table_->claim(p.key());
    e->no_mate_within = std::max(e->no_mate_within, uint8_t(depth));
  }
  return false;
}

bool MateSolver::defend(Position& p, int depth) {
  if (depth == 0) return !p.has_legal_move();
  Move refutation;
  if (const Entry* e = table_->find(p.key())) {
    if (e->mate_within <= depth) return true;
    if (e->no_mate_within >= depth) return false;
    refutation = e->move;
  }
  MoveList replies = p.legal_moves();
  // What held longest before goes first; then captures, which take checkers away.
  std::stable_sort(replies.begin(), replies.end(), [&](Move a, Move b) {
    const auto rank = [&](Move m) { return m == refutation ? 2 : int(!p.empty(m.to())); };
    return rank(a) > rank(b);
  });
  for (Move m : replies) {
    Position next = p;
    next.play(m);
    if (attack(next, depth, nullptr)) continue;
    if (gave_up_) return false;
    Entry* e = table_->claim(p.key());
    e->no_mate_within = std::max(e->no_mate_within, uint8_t(depth));
    e->move = m;
    return false;
  }
  Entry* e = table_->claim(p.key());
  e->mate_within = std::min(e->mate_within, uint8_t(depth));
  return true;
}

std::optional<CheckingMate> MateSolver::solve(const Position& position, int most_checks, int64_t node_limit) {
  CHUHE_CHECK(most_checks < kNever, "{} checks", most_checks);
  // Nothing is kept from earlier positions: whether a limit is reached must not depend on them.
  std::fill(table_->entries.begin(), table_->entries.end(), Entry{});
  nodes_ = 0;
  node_limit_ = node_limit;
  gave_up_ = false;
  refuted_checks_ = 0;
  Position p = position;
  for (int checks = 1; checks <= most_checks; ++checks) {
    if (attack(p, checks, nullptr)) return CheckingMate{checks, line_of(p, checks)};
    if (gave_up_) return std::nullopt;
    refuted_checks_ = checks;
  }
  return std::nullopt;
}

std::vector<Move> MateSolver::line_of(Position p, int checks) {
  node_limit_ = 0;  // little work, mostly known
  std::vector<Move> line;
  while (true) {
    Move best;
    CHUHE_CHECK(attack(p, checks, &best), "the mate is known");
    line.push_back(best);
    p.play(best);
    Move longest;
    int most = 0;
    for (Move m : p.legal_moves()) {
      Position next = p;
      next.play(m);
      int needed = 1;
      while (!attack(next, needed, nullptr)) ++needed;
      if (needed > most) most = needed, longest = m;
    }
    if (most == 0) return line;
    line.push_back(longest);
    p.play(longest);
    checks = most;
  }
}

}  // namespace chuhe::xiangqi
