#include "tests/property/judge_lines.h"

#include <algorithm>

namespace chuhe::xiangqi::brute {
namespace {

constexpr int kMostCaptures = 5, kMostChecks = 6, kWinBack = 4;
constexpr int kOfferMate = 3, kOfferChecks = 3, kOfferCaptures = 2, kOfferRun = 4;
constexpr int kHiddenRootCaptures = 2, kLevels = 3;

bool across(Color c, Square s) {
  return c == Color::Red ? xiangqi::rank_of(s) >= 5 : xiangqi::rank_of(s) <= 4;
}

}  // namespace

Piece piece_of(const Board& b, int man) {
  const Square s = b.square_of(man);
  return s == kNoSquare ? Piece::None : b.position.piece_on(s);
}

Balance worth(const Board& b, Square s) {
  const Piece p = b.position.piece_on(s);
  if (p == Piece::None) return {};
  switch (type_of(p)) {
    case PieceType::Rook:
      return {2, 0, 0, false};
    case PieceType::Horse:
    case PieceType::Cannon:
      return {1, 0, 0, false};
    case PieceType::Advisor:
    case PieceType::Elephant:
      return {0, 1, 0, false};
    case PieceType::Pawn:
      return {0, 0, across(color_of(p), s) ? 1 : 0, false};
    case PieceType::King:
      return {};
  }
  return {};
}

Balance operator+(Balance won, Balance more) {
  return {won.strong + more.strong, won.weak + more.weak, won.pawns + more.pawns, won.lost};
}

Balance operator-(Balance won, Balance lost) {
  const bool something = lost.strong != 0 || lost.weak != 0 || lost.pawns != 0;
  return {won.strong - lost.strong, won.weak - lost.weak, won.pawns - lost.pawns, won.lost || something};
}

int rank_of_piece(Piece p) {
  if (p == Piece::None) return 0;
  switch (type_of(p)) {
    case PieceType::Rook:
      return 3;
    case PieceType::Horse:
    case PieceType::Cannon:
      return 2;
    case PieceType::Advisor:
    case PieceType::Elephant:
      return 1;
    default:
      return 0;
  }
}

bool gives_check(const Board& b, Move m) {
  return b.played(m).position.in_check();
}

MoveList takers(const Board& b, Square point) {
  MoveList out;
  for (Move m : b.position.legal_moves())
    if (m.to() == point) out.push(m);
  return out;
}

MoveList moves_of(const Board& b, bool aside) {
  if (!aside) return b.position.legal_moves();
  MoveList out;
  for (Square from : b.position.pieces(b.position.side_to_move()))
    for (Square to = 0; to < kSquares; ++to)
      if (b.position.is_pseudo_legal(Move(from, to))) out.push(Move(from, to));
  return out;
}

Pairs mutual_pairs(const Board& b, Color side, bool aside) {
  Pairs pairs;
  const Position back = b.position.after_pass();
  for (Move m : moves_of(b, aside)) {
    const Piece x = b.position.piece_on(m.from()), v = b.position.piece_on(m.to());
    if (v == Piece::None || type_of(x) != type_of(v)) continue;
    if (back.is_legal(Move(m.to(), m.from()))) pairs.insert({b.man(m.from()), b.man(m.to())});
  }
  return pairs;
}

Lines::Lines(const RuleSet& rules, Color side, bool aside, bool pawns, Count count)
    : rules_(rules), side_(side), aside_(aside), pawns_(pawns), count_(std::move(count)) {}

MoveList Lines::moves(const Board& b) const {
  return moves_of(b, aside_);
}

MoveList Lines::replies(const Board& b) const {
  MoveList out;
  for (Move m : b.position.legal_moves())
    if (m.to() != b.position.king(side_)) out.push(m);
  return out;
}

bool Lines::mates(const Board& b, int n, const MateBan& ban, const Men& moved) const {
  if (n == 0) return false;
  for (Move m : moves(b)) {
    if (ban.forbids(b, m, moved)) continue;
    const Board next = b.played(m);
    Men now = moved;
    now.insert(b.man(m.from()));
    if (next.position.in_check() && mated(next, n - 1, ban, now)) return true;
  }
  return false;
}

bool Lines::mated(const Board& b, int n, const MateBan& ban, const Men& moved) const {
  count_();
  for (Move m : replies(b)) {
    if (n == 0) return false;
    if (!mates(b.played(m), n, ban, moved)) return false;
  }
  return true;
}

bool Lines::own_attack_only(const Board& b, Move m) const {
  const PieceType t = type_of(b.position.piece_on(m.from()));
  if (t == PieceType::King) return true;
  if (t != PieceType::Pawn) return false;
  for (Square s : b.played(m).position.checkers())
    if (s != m.to()) return false;
  return true;
}

bool Lines::has_real_root(const Board& b, Square point) const {
  for (Move m : takers(b, point))
    if (!mates(b.played(m), 1)) return true;
  return false;
}

void Lines::keep_from(const Board& b, const Pairs& mutual) {
  pairs = mutual;
  points.clear();
  for (auto [own, other] : mutual) points.insert({own, b.square_of(other)});
}

bool Lines::barred(const Board& b, Move m) const {
  const int man = b.man(m.from());
  return !b.position.empty(m.to()) &&
         (pairs.contains({man, b.man(m.to())}) || points.contains({man, m.to()}));
}

void Lines::look_at(const Board& b) {
  keep_from(b, mutual_pairs(b, side_, aside_));
  look_at_free(b);
}

void Lines::look_at_free(const Board& b) {
  free.clear();
  const Lines opponent(rules_, ~side_, false, false, count_);
  for (Move m : moves(b)) {
    if (b.position.empty(m.to()) || barred(b, m)) continue;
    if (!worth(b, m.to()).is_gain(0)) continue;
    const int own = rank_of_piece(b.position.piece_on(m.from()));
    const bool dearer = own > 0 && rank_of_piece(b.position.piece_on(m.to())) > own;
    const Board taken = b.played(m);
    if (!dearer && !takers(taken, m.to()).empty()) continue;
    if (aside_ || !opponent.mates(taken, rules_.counter_mate_checks)) free.insert(b.man(m.to()));
  }
}

/// The opponent to move; `point` is where the side has just captured.
bool Lines::stands(const Board& b, Square point, Balance won, int level, int captures,
                   const Men& vulnerable) const {
  count_();
  if (!won.is_gain(level)) return false;
  const Lines opponent(rules_, ~side_, false, false, count_);
  if (!aside_ && opponent.mates(b, rules_.counter_mate_checks)) return false;
  for (Move m : replies(b)) {
    if (m.to() != point && !vulnerable.contains(b.man(m.to()))) continue;
    if (!answers(b.played(m), m.to(), won - worth(b, m.to()), level, captures, vulnerable)) return false;
  }
  if (aside_ || captures > kHiddenRootCaptures) return true;
  const bool undone = !(won - worth(b, point)).is_gain(level);
  return !(undone && won_back(b, b.man(point), won, level, kWinBack, true, vulnerable));
}

/// The side to move after a recapture on `point`.
bool Lines::answers(const Board& b, Square point, Balance won, int level, int captures,
                    const Men& vulnerable) const {
  if (won.is_gain(level)) return true;
  if (mates(b, 1)) return true;
  if (captures >= kMostCaptures) return false;
  for (Move m : moves(b)) {
    const int victim = b.man(m.to());
    if (victim == 0 || barred(b, m)) continue;
    if (m.to() != point && (free.contains(victim) || own_attack_only(b, m))) continue;
    if (stands(b.played(m), m.to(), won + worth(b, m.to()), level, captures + 1, vulnerable)) return true;
  }
  return false;
}

bool Lines::taken_back(const Board& b, int man, Balance won, int level, const Men& vulnerable) const {
  const Square s = b.square_of(man);
  const Balance left = won - worth(b, s);
  if (left.is_gain(level)) return false;
  for (Move take : takers(b, s))
    if (!answers(b.played(take), s, left, level, kMostCaptures - 1, vulnerable)) return true;
  return false;
}

bool Lines::won_back(const Board& b, int man, Balance won, int level, int checks, bool at_once,
                     const Men& vulnerable) const {
  count_();
  const Square s = b.square_of(man);
  // At once it would be a plain recapture.
  if (!at_once && taken_back(b, man, won, level, vulnerable)) return true;
  if (checks == 0) return false;
  for (Move m : replies(b)) {
    if (m.to() == s || !gives_check(b, m)) continue;
    const Board checked = b.played(m);
    const Balance after_check = won - worth(b, m.to());
    const MoveList answers_to_it = moves(checked);
    bool wins = !answers_to_it.empty();
    for (Move r : answers_to_it) {
      if (barred(checked, r)) continue;
      const Balance after = after_check + worth(checked, r.to());
      wins = wins && won_back(checked.played(r), man, after, level, checks - 1, false, vulnerable);
    }
    if (wins) return true;
  }
  return false;
}

bool Lines::stands_first(const Board& b, Move m, int level) const {
  return stands(b.played(m), m.to(), worth(b, m.to()), level, 1, hangs) &&
         !(rules_.exempts(Exemption::LaidOpen) && lays_open(b, m));
}

bool Lines::stands_but_for_mate(const Board& b, Move m) const {
  const Board next = b.played(m);
  const Balance won = worth(b, m.to());
  const Lines opponent(rules_, ~side_, false, false, count_);
  return won.is_gain(0) && opponent.mates(next, rules_.counter_mate_checks) &&
         std::ranges::all_of(takers(next, m.to()), [&](Move back) {
           return answers(next.played(back), m.to(), won - worth(next, m.to()), 0, 1, {});
         });
}

/// Can the opponent then take elsewhere what he did not reach before, and come out ahead?
bool Lines::lays_open(const Board& b, Move m) const {
  const Board next = b.played(m);
  for (Move r : replies(next)) {
    if (next.man(r.to()) == 0 || r.to() == m.to() || b.position.after_pass().is_pseudo_legal(r)) continue;
    const Balance his = Balance{} - worth(b, m.to()) + worth(next, r.to());
    if (!his.is_gain(0)) continue;
    const Board taken = next.played(r);
    const bool taken_back = std::ranges::any_of(moves(taken), [&](Move back) { return back.to() == r.to(); });
    if (!taken_back || (his - worth(taken, r.to())).is_gain(0)) return true;
  }
  return false;
}

std::optional<Gain> Lines::capture(const Board& b, Move m, int level) const {
  const Piece x = b.position.piece_on(m.from()), v = b.position.piece_on(m.to());
  const Board next = b.played(m);
  if (!stands_first(b, m, level)) return std::nullopt;
  Gain gain;
  gain.attacker = b.man(m.from());
  gain.victim = b.man(m.to());
  gain.point = m.to();
  gain.level = level;
  gain.victims = {gain.victim};
  const bool dearer = rank_of_piece(x) > 0 && rank_of_piece(v) > rank_of_piece(x);
  const bool direct = dearer || !has_real_root(next, m.to());
  gain.form = direct ? GainForm::Direct : GainForm::Exchange;
  return gain;
}

std::optional<Gain> Lines::run(const Board& b, Move m, int level) const {
  const int victim = b.man(m.to());
  if (barred(b, m)) return std::nullopt;
  Gain gain;
  gain.attacker = b.man(m.from());
  gain.point = m.to();
  gain.level = level;
  gain.form = GainForm::Checks;
  const Balance won = worth(b, m.to());
  if (victim != 0) gain.victims.insert(victim);
  for (int checks = 1; checks <= kMostChecks; ++checks) {
    Gain shortest = gain;
    if (run_goes_on(b.played(m), {won, level, checks - 1, {gain.attacker}}, shortest)) return shortest;
  }
  return std::nullopt;
}

int Lines::best_run(const Board& b, Balance won) const {
  int best = -1;
  for (int level = 0; level < kLevels && best == level - 1; ++level)
    for (Move m : moves(b)) {
      if (!gives_check(b, m)) continue;
      Gain lines;
      const Balance more = won + worth(b, m.to());
      if (run_goes_on(b.played(m), {more, level, kMostChecks - 1, {b.man(m.from())}}, lines)) best = level;
    }
  return best;
}

bool Lines::run_takes(const Board& b, int man, int prey, int level) const {
  for (Move m : moves(b)) {
    if (b.man(m.from()) != man || !gives_check(b, m)) continue;
    Gain lines;
    if (b.man(m.to()) != 0) lines.victims.insert(b.man(m.to()));
    if (run_goes_on(b.played(m), {worth(b, m.to()), level, kOfferRun - 1, {man}}, lines) &&
        lines.victims.contains(prey))
      return true;
  }
  return false;
}

bool Lines::run_goes_on(const Board& b, const Run& run, Gain& lines) const {
  count_();
  for (Move m : replies(b)) {
    Run next = run;
    next.won = next.won - worth(b, m.to());
    if (!run_continues(b.played(m), next, lines)) return false;
  }
  return true;
}

bool Lines::run_continues(const Board& b, const Run& run, Gain& lines) const {
  const MoveList list = moves(b);
  if (list.empty()) return false;
  if (run.won.is_gain(run.level)) return true;
  bool any = false;
  Gain won = lines;  // what all lines win that go on from here
  for (Move m : list) {
    const int victim = b.man(m.to());
    if (victim == 0 || barred(b, m) || free.contains(victim)) continue;
    // A pawn may take at the end of a run that it helped to give.
    const bool gave_check = run.movers.contains(b.man(m.from()));
    const bool king = m.from() == b.position.king(side_);
    if (own_attack_only(b, m) && (king || !gave_check)) continue;
    Men vulnerable = hangs;
    for (int mover : run.movers)
      if (const Piece p = piece_of(b, mover); p != Piece::None && type_of(p) != PieceType::Pawn)
        vulnerable.insert(mover);
    vulnerable.erase(b.man(m.from()));
    if (!stands(b.played(m), m.to(), run.won + worth(b, m.to()), run.level, 1, vulnerable)) continue;
    won.victims.insert(victim);
    any = true;
  }
  if (!any && run.checks > 0)
    for (Move m : list) {
      const int victim = b.man(m.to());
      if (barred(b, m) || free.contains(victim) || !gives_check(b, m)) continue;
      Run next = run;
      --next.checks;
      next.movers.insert(b.man(m.from()));
      next.won = next.won + worth(b, m.to());
      Gain tried = lines;
      if (victim != 0) tried.victims.insert(victim);
      if (!run_goes_on(b.played(m), next, tried)) continue;
      won.victims.insert(tried.victims.begin(), tried.victims.end());
      any = true;
    }
  if (any) lines = won;
  return any;
}

int Lines::taken_first(const Board& b, std::pair<int, int> pair) const {
  const Square x = b.square_of(pair.first), v = b.square_of(pair.second);
  const Board taken = b.passed().played(Move(v, x));
  const Lines sane(rules_, side_, aside_, pawns_, count_);
  if (sane.mates(taken, kOfferMate)) return 2;
  Lines lines = sane;
  lines.pairs = pairs;
  lines.points = points;
  lines.free = free;
  const Balance lost = Balance{} - worth(b, x);
  if (lines.answers(taken, x, lost, 0, kMostCaptures - kOfferCaptures, {})) return 1;
  Gain ignored;
  return lines.run_continues(taken, {lost, 0, kOfferChecks, {}}, ignored) ? 1 : 0;
}

bool Lines::wins_trade(const Board& b, Move take) const {
  Lines lines = *this;
  Pairs others = mutual_pairs(b, side_, aside_);
  others.erase({b.man(take.from()), b.man(take.to())});
  lines.keep_from(b, others);
  for (Square s : b.position.pieces(~side_)) lines.free.insert(b.man(s));
  return lines.stands_first(b, take, 0);
}

Gains Lines::gains(const Board& b) {
  look_at(b);
  Gains out;
  singly.clear();
  for (Move m : moves(b)) {
    if (b.position.empty(m.to()) || barred(b, m)) continue;
    std::optional<Gain> best;
    for (int level = 0; level < kLevels; ++level) {
      const auto gain = capture(b, m, level);
      if (!gain) break;
      best = gain;
    }
    if (!best) continue;
    const PieceType t = type_of(b.position.piece_on(m.from()));
    if (best->form == GainForm::Direct || t == PieceType::King) singly.insert(best->victim);
    if (!own_attack_only(b, m) || (pawns_ && t == PieceType::Pawn)) out.push_back(*best);
  }
  free = singly;
  find_runs(b, out);
  for (const Gain& g : out)
    if (g.form == GainForm::Checks || g.run_level >= 0) free.insert(g.victims.begin(), g.victims.end());
  find_offers(b, out);
  return out;
}

void Lines::find_runs(const Board& b, Gains& out) {
  const size_t captures = out.size();
  for (Move m : moves(b)) {
    if (!gives_check(b, m)) continue;
    Gain* known = nullptr;
    for (size_t i = 0; i < captures; ++i)
      if (out[i].attacker == b.man(m.from()) && out[i].point == m.to()) known = &out[i];
    if (!known && free.contains(b.man(m.to()))) continue;
    std::optional<Gain> best;
    for (int level = 0; level < kLevels; ++level) {
      const auto gain = run(b, m, level);
      if (!gain) break;
      best = gain;
    }
    if (!best) continue;
    if (!known) {
      out.push_back(*best);
      known = nullptr;
    } else if (best->level > known->level) {
      known->run_level = best->level;
      known->victims = best->victims;
    }
  }
}

void Lines::find_offers(const Board& b, Gains& out) {
  for (auto pair : pairs) {
    const PieceType kind = type_of(b.position.piece_on(b.square_of(pair.first)));
    if (kind == PieceType::King || kind == PieceType::Pawn || taken_first(b, pair) == 0) continue;
    const Move m(b.square_of(pair.first), b.square_of(pair.second));
    Lines first = *this;
    first.pairs.erase(pair);
    first.keep_from(b, first.pairs);
    bool gains = first.stands_first(b, m, 0);
    if (!gains && gives_check(b, m)) {
      Gain ignored;
      gains = first.run_goes_on(b.played(m), {worth(b, m.to()), 0, kOfferRun - 1, {}}, ignored);
    }
    if (!gains) continue;
    Gain g;
    g.attacker = pair.first;
    g.victim = pair.second;
    g.point = m.to();
    g.form = GainForm::Exchange;
    g.offered = true;
    g.victims = {g.victim};
    out.push_back(g);
  }
}

}  // namespace chuhe::xiangqi::brute
