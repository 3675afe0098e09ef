// Legal moves without trying them: what the enemy's rooks, cannons, horses and king ask of our moves is found
// once per position, as a few conditions, and a move is legal if its target meets all of them. Only king
// moves are tested one by one.

#include "xiangqi/board/attacks.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {
namespace {

/// One enemy piece's claim on our king: pieces in `bound` may only move to `bound_to`, all others (but the
/// king) only to `others_to`.
struct Condition {
  Bitboard bound, bound_to, others_to;
};

class Conditions {
 public:
  CHUHE_INLINE explicit Conditions(const Position& p) {
    const Color us = p.side_to_move(), them = ~us;
    const Square k = p.king(us);
    const Bitboard occ = p.occupied(), enemies = p.pieces(them), own = p.pieces(us);
    const Bitboard lines = enemies & tables::cross[k];
    for (Square s : lines&(p.pieces(PieceType::Rook) | p.pieces(PieceType::King))) {
      const Bitboard gap = between(k, s), screens = gap & occ;
      const int n = screens.count();
      if (n == 0) add({{}, {}, gap | Bitboard::of(s)});  // check: block or capture
      if (n == 1 && (screens & own)) add({screens, (gap ^ screens) | Bitboard::of(s), Bitboard::all()});
    }
    for (Square s : lines& p.pieces(PieceType::Cannon)) {
      const Bitboard gap = between(k, s), screens = gap & occ;
      const int n = screens.count();
      if (n == 0 && gap) add({{}, {}, ~gap});  // nobody may become the screen
      if (n == 1)
        add({screens & own, ~gap,
             (gap ^ screens) | Bitboard::of(s)});  // check: second screen, capture, or leave
      if (n == 2 && (screens & own)) add({screens & own, (gap ^ screens) | Bitboard::of(s), Bitboard::all()});
    }
    for (Square s : enemies& p.pieces(PieceType::Horse) & horse_ring(k)) {
      const Bitboard leg = Bitboard::of(horse_leg(s, k));
      if (!(leg & occ)) add({{}, {}, leg | Bitboard::of(s)});
      if (leg & own) add({leg, Bitboard::of(s), Bitboard::all()});
    }
    for (Square s : enemies& p.pieces(PieceType::Pawn) & tables::pawn_from[int(them)][k])
      add({{}, {}, Bitboard::of(s)});
  }

  CHUHE_INLINE Bitboard targets(Square from) const {
    if (!bound_.has(from)) return others_to_;
    Bitboard to = Bitboard::all();
    for (int i = 0; i < size_; ++i) to &= list_[i].bound.has(from) ? list_[i].bound_to : list_[i].others_to;
    return to;
  }

 private:
  CHUHE_INLINE void add(const Condition& c) {
    bound_ |= c.bound;
    others_to_ &= c.others_to;
    list_[size_++] = c;
  }
  Bitboard bound_, others_to_ = Bitboard::all();
  int size_ = 0;
  Condition list_[12];  // 2 rooks, 2 cannons, 2 horses, the king, 3 pawns next to our king
};

/// May the king step to `to`? (A piece captured there attacks its own point neither by line nor by leap, so
/// it needs no care.)
CHUHE_INLINE bool king_can_step(const Position& p, Square to) {
  const Color us = p.side_to_move(), them = ~us;
  const Bitboard target = Bitboard::of(to);
  const Bitboard occ = (p.occupied() ^ Bitboard::of(p.king(us))) | target, enemies = p.pieces(them);
  if (enemies & p.pieces(PieceType::Pawn) & tables::pawn_from[int(them)][to]) return false;
  const Bitboard lines = enemies & tables::cross[to];
  for (Square s : lines&(p.pieces(PieceType::Rook) | p.pieces(PieceType::King)))
    if (!(between(to, s) & occ)) return false;
  for (Square s : lines& p.pieces(PieceType::Cannon))
    if ((between(to, s) & occ).count() == 1) return false;
  for (Square s : enemies& p.pieces(PieceType::Horse) & horse_ring(to))
    if (!occ.has(horse_leg(s, to))) return false;
  return true;
}

/// Gives every piece's set of legal targets to the sink, which may ask to stop.
template <class Sink>
CHUHE_INLINE void generate(const Position& p, Sink& sink) {
  const Color us = p.side_to_move();
  const Bitboard occ = p.occupied(), own = p.pieces(us), free = ~own;
  const Conditions conditions(p);
  const auto emit = [&](Square from, Bitboard to) { sink.add(from, to & free & conditions.targets(from)); };
  for (Square s : own& p.pieces(PieceType::Rook)) emit(s, rook_attacks(s, occ));
  for (Square s : own& p.pieces(PieceType::Cannon)) emit(s, cannon_moves(s, occ));
  for (Square s : own& p.pieces(PieceType::Horse)) emit(s, horse_attacks(s, occ));
  if (sink.enough()) return;
  for (Square s : own& p.pieces(PieceType::Pawn)) emit(s, pawn_attacks(us, s));
  for (Square s : own& p.pieces(PieceType::Elephant)) emit(s, elephant_attacks(s, occ));
  for (Square s : own& p.pieces(PieceType::Advisor)) emit(s, advisor_attacks(s));
  if (sink.enough()) return;
  const Square k = p.king(us);
  Bitboard steps;
  for (Square to : king_attacks(k) & free)
    if (king_can_step(p, to)) steps |= Bitboard::of(to);
  sink.add(k, steps);
}

struct Lister {
  MoveList& out;
  CHUHE_INLINE void add(Square from, Bitboard to) {
    for (Square s : to) out.push(Move(from, s));
  }
  static constexpr bool enough() { return false; }
};
struct Counter {
  int count = 0;
  CHUHE_INLINE void add(Square, Bitboard to) { count += to.count(); }
  static constexpr bool enough() { return false; }
};
struct Finder {
  bool found = false;
  CHUHE_INLINE void add(Square, Bitboard to) { found |= bool(to); }
  bool enough() const { return found; }
};

// The generator twice: for any x86-64, and with the bit instructions that nearly every CPU since 2013 has,
// chosen at run time.
template <class Sink>
void generate_plain(const Position& p, Sink& sink) {
  generate(p, sink);
}
#ifdef __x86_64__
template <class Sink>
[[gnu::target("popcnt,bmi,bmi2")]] void generate_bmi(const Position& p, Sink& sink) {
  generate(p, sink);
}
bool has_bmi() {
  return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

template <class Sink>
CHUHE_INLINE void dispatch(const Position& p, Sink& sink) {
#ifdef __x86_64__
  if (has_bmi()) return generate_bmi(p, sink);
#endif
  generate_plain(p, sink);
}

}  // namespace

void Position::legal_moves(MoveList& out) const {
  out.clear();
  Lister lister{out};
  dispatch(*this, lister);
}

int Position::count_legal_moves() const {
  Counter counter;
  dispatch(*this, counter);
  return counter.count;
}

bool Position::has_legal_move() const {
  Finder finder;
  dispatch(*this, finder);
  return finder.found;
}

bool Position::is_pseudo_legal(Move m) const {
  const Square from = m.from(), to = m.to();
  if (from >= kSquares || to >= kSquares || !pieces(side_).has(from) || pieces(side_).has(to)) return false;
  const Bitboard occ = occupied();
  switch (type_of(board_[from])) {
    case PieceType::King:
      return king_attacks(from).has(to);
    case PieceType::Advisor:
      return advisor_attacks(from).has(to);
    case PieceType::Elephant:
      return elephant_attacks(from, occ).has(to);
    case PieceType::Horse:
      return horse_attacks(from, occ).has(to);
    case PieceType::Rook:
      return rook_attacks(from, occ).has(to);
    case PieceType::Cannon:
      return cannon_moves(from, occ).has(to);
    case PieceType::Pawn:
      return pawn_attacks(side_, from).has(to);
  }
  return false;
}

bool Position::is_legal(Move m) const {
  if (!is_pseudo_legal(m)) return false;
  return m.from() == king(side_) ? king_can_step(*this, m.to())
                                 : Conditions(*this).targets(m.from()).has(m.to());
}

}  // namespace chuhe::xiangqi
