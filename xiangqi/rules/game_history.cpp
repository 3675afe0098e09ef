#include "xiangqi/rules/game_history.h"

namespace chuhe::xiangqi {
namespace {

bool is_irreversible(Piece mover, Piece captured, Move m) {
  return captured != Piece::None ||
         (type_of(mover) == PieceType::Pawn && rank_of(m.from()) != rank_of(m.to()));
}

}  // namespace

GameHistory::GameHistory(const Position& start, int natural_limit_checks)
    : start_(start), current_(start), natural_limit_checks_(natural_limit_checks) {}

void GameHistory::push(Move m) {
  const int side = int(current_.side_to_move());
  const Piece mover = current_.piece_on(m.from());
  const PlyFacts* last = facts_.empty() ? nullptr : &facts_.back();
  PlyFacts f;
  f.move = m;
  f.captured = current_.play(m);
  f.key = current_.key();
  f.gives_check = current_.in_check();
  f.quiet_plies = int16_t(current_.quiet_plies());
  if (f.captured != Piece::None) {
    f.checks[0] = f.checks[1] = 0;
    f.counted_plies = 0;
  } else {
    f.checks[0] = last ? last->checks[0] : int16_t(0);
    f.checks[1] = last ? last->checks[1] : int16_t(0);
    f.checks[side] = int16_t(f.checks[side] + f.gives_check);
    // A check beyond the number does not count, nor does the reply to one (digest A21).
    const bool excess_check = f.gives_check && f.checks[side] > natural_limit_checks_;
    const bool reply_to_excess = last && last->gives_check && last->checks[side ^ 1] > natural_limit_checks_;
    f.counted_plies = int16_t(counted_plies() + !(excess_check || reply_to_excess));
  }
  f.reversible =
      is_irreversible(mover, f.captured, m) ? int16_t(0) : int16_t(last ? last->reversible + 1 : 1);
  f.occurrences = 1;
  facts_.push_back(f);
  // A position cannot come back in fewer than four plies.
  if (f.reversible >= 4) facts_.back().occurrences = int16_t(1 + occurrences_at(previous_occurrence()));
}

void GameHistory::pop(int n) {
  CHUHE_DCHECK(n <= plies(), "pop({}) of {} plies", n, plies());
  for (; n > 0; --n) {
    const PlyFacts f = facts_.back();
    facts_.pop_back();
    current_.take_back(f.move, f.captured, facts_.empty() ? start_.quiet_plies() : facts_.back().quiet_plies);
  }
}

int GameHistory::occurrences_at(int ply) const {
  return ply == -2 ? 0 : ply == -1 ? 1 : facts_[size_t(ply)].occurrences;
}

int GameHistory::previous_occurrence() const {
  if (facts_.empty()) return -2;
  const PlyFacts* facts = facts_.data();
  const int now = plies() - 1;
  const uint64_t key = facts[now].key;
  // Plies now - reversible .. now are positions without an irreversible move between them; -1 is the start.
  const int first = now - facts[now].reversible;
  int ply = now - 4;
  for (; ply >= first && ply >= 0; ply -= 2)
    if (facts[ply].key == key) return ply;
  return ply == -1 && first == -1 && start_.key() == key ? -1 : -2;
}

Position GameHistory::position_at(int plies) const {
  CHUHE_CHECK(plies >= 0 && plies <= this->plies(), "ply {} of {}", plies, this->plies());
  Position p = start_;
  for (int i = 0; i < plies; ++i) p.play(facts_[size_t(i)].move);
  return p;
}

}  // namespace chuhe::xiangqi
