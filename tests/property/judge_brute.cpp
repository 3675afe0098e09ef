#include "tests/property/judge_brute.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/property/judge_lines.h"

namespace chuhe::xiangqi::brute {
namespace {

constexpr int kMostMatingChecks = 9;

}  // namespace

Board::Board(const Position& p) : position(p) {
  uint8_t next = 0;
  for (Square s = 0; s < kSquares; ++s)
    if (!p.empty(s)) id[s] = ++next;
}

void Board::play(Move m) {
  position.play(m);
  id[m.to()] = id[m.from()];
  id[m.from()] = 0;
}

Board Board::played(Move m) const {
  Board b = *this;
  b.play(m);
  return b;
}

Board Board::passed() const {
  Board b = *this;
  b.position = position.after_pass();
  return b;
}

Square Board::square_of(int man_id) const {
  for (Square s = 0; s < kSquares; ++s)
    if (id[s] == man_id) return s;
  return kNoSquare;
}

bool Balance::is_gain(int level) const {
  if (level > 0) return strong >= level;
  if (pawns < 0 && strong > 0) return strong + pawns > 0 || (strong + pawns == 0 && weak > 0);
  if (strong != 0) return strong > 0;
  if (!lost) return weak > 0 || pawns > 0;
  return (weak > 0 && pawns >= 0) || (weak >= 0 && pawns > 0);
}

MateBan::MateBan(const Board& b, const Pairs& mutual) {
  for (auto [own, other] : mutual) pairs.insert({own, other, b.square_of(other)});
}

bool MateBan::forbids(const Board& b, Move m, const Men& moved) const {
  const int own = b.man(m.from()), other = b.man(m.to());
  return std::ranges::any_of(pairs, [&](const auto& pair) {
    if (std::get<0>(pair) != own || std::get<1>(pair) != other) return false;
    const bool helped = std::ranges::any_of(moved, [own](int man) { return man != own; });
    return std::get<2>(pair) == m.to() || !helped;
  });
}

Ply::Ply(const Position& before, Move move, const RuleSet& rules, int64_t limit)
    : rules_(rules),
      before_(before),
      after_(before_.played(move)),
      next_(after_.passed()),
      move_(move),
      mover_(before.side_to_move()),
      was_in_check_(before.in_check()),
      limit_(limit) {}

bool Ply::king_evasion() const {
  return was_in_check_ && type_of(before_.position.piece_on(move_.from())) == PieceType::King;
}

PlyClass Ply::chinese() const {
  if (check()) return PlyClass::Check;
  const PlyClass quiet = offers_exchange() ? PlyClass::Exchange : PlyClass::Idle;
  if (king_evasion()) return quiet;
  const int depth = mate_depth();
  if (depth > 0 && !(rules_.exempts(Exemption::SelfInflicted) && self_inflicted(depth)))
    return PlyClass::Kill;
  const Gains gains = new_gains(false);
  if (gains.empty()) return quiet;
  return rules_.exempts(Exemption::LoneAttacker) && lone_attacker(gains) ? quiet : PlyClass::Chase;
}

MateBan Ply::mate_bans() const {
  Lines lines(rules_, mover_, false, false, [this] { count(); });
  Pairs banned;
  for (auto pair : mutual_pairs(next_, mover_, false))
    if (lines.taken_first(next_, pair) != 2) banned.insert(pair);
  return {next_, banned};
}

int Ply::mate_depth() const {
  const Lines lines(rules_, mover_, false, false, [this] { count(); });
  const MateBan banned = mate_bans();
  for (int depth = 1; depth <= kMostMatingChecks; ++depth)
    if (lines.mates(next_, depth, banned)) return depth;
  return 0;
}

bool Ply::self_inflicted(int depth) const {
  if (!was_in_check_) return false;
  const Lines now(rules_, mover_, false, false, [this] { count(); });
  const Lines then(rules_, mover_, true, false, [this] { count(); });
  const MateBan banned = mate_bans();
  for (Move m : next_.position.legal_moves()) {
    if (banned.forbids(next_, m, {})) continue;
    const Board checked = next_.played(m);
    if (!checked.position.in_check() || !now.mated(checked, depth - 1, banned, {next_.man(m.from())}))
      continue;
    if (m.from() == move_.to() || !before_.position.is_pseudo_legal(m)) return false;
    const Board stood = before_.played(m);
    if (!stood.position.in_check() || !then.mated(stood, depth - 1)) return false;
  }
  return true;
}

Men Ply::hanging() const {
  Men out;
  const Board back = before_.passed();
  for (Move m : back.position.legal_moves())
    if (!back.position.empty(m.to()) && m.to() != back.position.king(mover_)) out.insert(back.man(m.to()));
  return out;
}

/// Did this gain make the other one before the move?
bool Ply::is_form_of(const Gain& gain, const Gain& earlier) const {
  if (earlier.attacker != gain.attacker) return false;
  if (gain.form != GainForm::Checks)
    return earlier.form != GainForm::Checks && earlier.victim == gain.victim && earlier.level >= gain.level &&
           earlier.best_level() >= gain.run_level;
  if (earlier.best_level() < gain.level) return false;
  if (earlier.point == gain.point) return true;
  if (earlier.form != GainForm::Checks) return gain.victims.contains(earlier.victim);
  return std::ranges::any_of(earlier.victims, [&](int v) { return gain.victims.contains(v); });
}

/// The men that hung before the move and on which the gain could depend.
Men Ply::hung_for(const Gain& gain, bool pawns) const {
  Men hung = hanging();
  hung.erase(gain.attacker);
  if (gain.form != GainForm::Exchange) return hung;
  const Move capture(next_.square_of(gain.attacker), gain.point);
  std::erase_if(hung, [&](int man) {
    const Square s = next_.square_of(man);
    if (s == next_.position.king(mover_)) return true;
    // It takes part if without it the gain is gone; or the attacker stands behind it.
    Board without = next_;
    without.position = next_.position.without(s);
    without.id[s] = 0;
    if (without.position.in_check()) return true;
    Lines fewer(rules_, mover_, false, pawns, [this] { count(); });
    fewer.look_at(without);
    if (fewer.barred(without, capture) || !without.position.is_legal(capture) ||
        !fewer.stands_first(without, capture, gain.level))
      return false;
    const Board back = before_.passed();
    for (Move take : takers(back, back.square_of(man))) {
      const Board taken = back.played(take);
      for (Move m : takers(taken, take.to()))
        if (taken.man(m.from()) == gain.attacker) return false;
    }
    return true;
  });
  return hung;
}

/// Does the opponent, once the capture is made, come out with a gain by consecutive checks, and win more by them
/// than had the mover passed?
bool Ply::answered_by_checks(const Board& b, Move capture) const {
  const Board taken = b.played(capture);
  const Lines opponent(rules_, ~mover_, false, false, [this] { count(); });
  return opponent.best_run(taken, Balance{} - worth(b, capture.to())) >= 0 &&
         opponent.best_run(taken, {}) > opponent.best_run(b.passed(), {});
}

/// The king stepped out of a mate that threatened, and the capture stood but for that mate.
bool Ply::slept_under_mate(const Gain& gain, bool pawns) const {
  if (type_of(next_.position.piece_on(move_.to())) != PieceType::King || was_in_check_ ||
      gain.form == GainForm::Checks || gain.offered)
    return false;
  const Lines opponent(rules_, ~mover_, false, false, [this] { count(); });
  if (!opponent.mates(before_.passed(), rules_.counter_mate_checks)) return false;
  const Move capture(before_.square_of(gain.attacker), before_.square_of(gain.victim));
  Lines then(rules_, mover_, false, pawns, [this] { count(); });
  then.look_at(before_);
  return then.moves(before_).contains(capture) && !then.barred(before_, capture) &&
         then.stands_but_for_mate(before_, capture);
}

/// Does the run let go of men that hung before and that only its first man guards now, by checks that win their
/// taker, so that nothing is gained on the whole?
bool Ply::gives_up_a_ward(const Gain& gain) const {
  if (gain.form != GainForm::Checks || !rules_.exempts(Exemption::LaidOpen)) return false;
  const Lines plain(rules_, mover_, false, false, [this] { count(); });
  Lines lines = plain;
  lines.gains(next_);
  for (int man : hanging()) {
    const Square s = next_.square_of(man);
    if (man == gain.attacker || s == kNoSquare) continue;
    for (Move take : takers(after_, s))
      if (plain.run_takes(after_.played(take), gain.attacker, after_.man(take.from()),
                          worth(next_, s).strong))
        lines.hangs.insert(man);
  }
  if (lines.hangs.empty()) return false;
  lines.free = lines.singly;
  return !lines.run(next_, Move(next_.square_of(gain.attacker), gain.point), gain.level).has_value();
}

bool Ply::became_real(const Gain& gain, const Gains& earlier, bool pawns) const {
  Lines then(rules_, mover_, was_in_check_, pawns, [this] { count(); });
  Lines now(rules_, mover_, false, pawns, [this] { count(); });
  then.gains(before_);
  now.gains(next_);
  then.hangs = now.hangs = hung_for(gain, pawns);
  now.hangs.erase(next_.man(move_.to()));
  const auto executed = [&](Lines lines, const Board& b, const Gain& g) {
    const Move m(b.square_of(g.attacker), g.victim != 0 ? b.square_of(g.victim) : g.point);
    if (!lines.moves(b).contains(m)) return false;
    if (g.offered) {
      Pairs others = lines.pairs;
      others.erase({g.attacker, g.victim});
      lines.keep_from(b, others);
    }
    if (lines.barred(b, m)) return false;
    if (g.victim != 0) {
      Lines capturing = lines;
      capturing.look_at_free(b);
      if (capturing.stands_first(b, m, gain.level)) return true;
    }
    lines.free = lines.singly;
    const bool run = g.form == GainForm::Checks || gain.form == GainForm::Checks;
    return run && gives_check(b, m) && lines.run(b, m, gain.level).has_value();
  };
  const auto was_real = [&](const Gain& g) { return executed(then, before_, g); };
  const bool run = gain.form == GainForm::Checks;
  if (!then.hangs.empty() && !(run && was_in_check_) && std::ranges::none_of(earlier, was_real) &&
      executed(now, next_, gain))
    return true;
  if (gain.form != GainForm::Direct || was_in_check_) return false;
  const Move before(before_.square_of(gain.attacker), before_.square_of(gain.victim));
  return answered_by_checks(before_, before) &&
         !answered_by_checks(next_, Move(next_.square_of(gain.attacker), gain.point));
}

Gains Ply::new_gains(bool pawns, Gains* old) const {
  Lines now(rules_, mover_, false, pawns, [this] { count(); });
  Lines then(rules_, mover_, was_in_check_, pawns, [this] { count(); });
  const Gains gains = now.gains(next_);
  if (gains.empty()) return {};
  const Gains before = then.gains(before_);
  Gains out;
  for (const Gain& g : gains) {
    Gains earlier;
    for (const Gain& e : before)
      if (is_form_of(g, e)) earlier.push_back(e);
    // The same run itself, if there is one.
    if (g.form == GainForm::Checks &&
        std::ranges::any_of(earlier, [&](const Gain& e) { return e.point == g.point; }))
      std::erase_if(earlier, [&](const Gain& e) { return e.point != g.point; });
    const bool counts = earlier.empty() ? !slept_under_mate(g, pawns) : became_real(g, earlier, pawns);
    if (counts && !gives_up_a_ward(g)) {
      out.push_back(g);
    } else if (old) {
      old->push_back(g);
    }
  }
  return out;
}

bool Ply::lone_attacker(const Gains& gains) const {
  int attackers = 0;
  Balance balance;
  for (Square s = 0; s < kSquares; ++s) {
    const Piece p = next_.position.piece_on(s);
    const Balance value = worth(next_, s);
    if (p == Piece::None) continue;
    attackers += color_of(p) == mover_ && (value.strong > 0 || value.pawns > 0);
    balance = color_of(p) == mover_ ? balance + value : balance - value;
  }
  if (attackers != 1 || balance.strong >= 0) return false;
  return std::ranges::all_of(
      gains, [&](const Gain& g) { return g.best_level() == 0 && worth(next_, g.point).weak == 1; });
}

bool Ply::offers_exchange() const {
  const Pairs now = mutual_pairs(next_, mover_, false), then = mutual_pairs(before_, mover_, was_in_check_);
  const int moved = next_.man(move_.to());
  const auto counter = [this] { count(); };
  const Lines own(rules_, mover_, false, false, counter),
      asleep(rules_, mover_, was_in_check_, false, counter);
  const Lines other(rules_, ~mover_, false, false, counter);
  bool offer = false;
  for (auto pair : now) {
    const Square x = next_.square_of(pair.first), v = next_.square_of(pair.second);
    const Piece kind = next_.position.piece_on(x);
    if (type_of(kind) == PieceType::King || type_of(kind) == PieceType::Pawn) continue;
    bool counts = pair.first == moved || !then.contains(pair);
    if (!counts) {
      const Square from = before_.square_of(pair.first), to = before_.square_of(pair.second);
      const Board back = before_.passed();
      counts = (own.wins_trade(next_, Move(x, v)) && !asleep.wins_trade(before_, Move(from, to))) ||
               (other.wins_trade(back, Move(to, from)) && !other.wins_trade(after_, Move(v, x)));
    }
    if (!counts) continue;
    if (!takers(after_.played(Move(v, x)), x).empty()) return true;
    offer = true;
  }
  if (offer) return false;
  // Somebody stands behind the moved man.
  if (!next_.position.attackers_to(move_.to(), mover_, next_.position.occupied())) return false;
  const Piece kind = next_.position.piece_on(move_.to());
  for (Move m : next_.position.legal_moves()) {
    const Piece victim = next_.position.piece_on(m.to());
    if (m.from() != move_.to() || victim == Piece::None || type_of(victim) == type_of(kind)) continue;
    if (rank_of_piece(victim) != rank_of_piece(kind) || rank_of_piece(kind) == 0) continue;
    if (takers(next_.played(m), m.to()).empty()) continue;
    if (!before_.position.is_pseudo_legal(Move(move_.from(), m.to()))) return true;
  }
  return false;
}

bool Ply::chases_with_pawn() const {
  if (king_evasion()) return false;
  const Gains gains = new_gains(true);
  if (rules_.exempts(Exemption::LoneAttacker) && lone_attacker(gains)) return false;
  return std::ranges::any_of(gains, [&](const Gain& g) {
    return g.form == GainForm::Direct && type_of(piece_of(next_, g.attacker)) == PieceType::Pawn;
  });
}

Kind Ply::kind() const {
  Kind out;
  if (check()) return out;
  bool mover_attacks = false;
  const Gains gains = new_gains(false);
  for (const Gain& g : gains) {
    mover_attacks = mover_attacks || g.attacker == next_.man(move_.to());
    (taken_jointly(g) ? out.joint : out.direct) = true;
  }
  out.escape = escapes(mover_attacks);
  return out;
}

/// Has the victim a root, and does another man stand behind the capturer, so that there are too few roots?
bool Ply::taken_jointly(const Gain& g) const {
  if (g.form == GainForm::Checks) return false;
  if (g.form == GainForm::Exchange) return g.run_level <= g.level;
  const Piece own = piece_of(next_, g.attacker), victim = piece_of(next_, g.victim);
  if (rank_of_piece(own) > 0 && rank_of_piece(victim) > rank_of_piece(own)) return false;
  const Board taken = next_.played(Move(next_.square_of(g.attacker), g.point));
  for (Square s : taken.position.pieces(~mover_)) {
    const Move back(s, g.point);
    const bool king = s == taken.position.king(~mover_);
    if (!taken.position.is_pseudo_legal(back) || (!king && !taken.position.is_legal(back))) continue;
    const Position recaptured = taken.played(back).position;
    for (Square other : recaptured.pieces(mover_))
      if (other != recaptured.king(mover_) && recaptured.is_pseudo_legal(Move(other, g.point))) return true;
  }
  return false;
}

bool Ply::escapes(bool mover_attacks) const {
  const int moved = next_.man(move_.to());
  if (!hung()) return false;
  Lines now(rules_, mover_, false, false, [this] { count(); });
  const Gains gains = now.gains(next_);
  Lines then(rules_, mover_, was_in_check_, false, [this] { count(); });
  then.look_at(before_);
  then.hangs = {moved};
  for (const Gain& g : gains) {
    if (g.attacker == moved || g.form == GainForm::Exchange || (mover_attacks && g.level == 0)) continue;
    const bool run = g.form == GainForm::Checks;
    const Move m(before_.square_of(g.attacker), run ? g.point : before_.square_of(g.victim));
    then.pairs = mutual_pairs(before_, mover_, was_in_check_);
    const bool possible = then.moves(before_).contains(m) && !then.pairs.contains({g.attacker, g.victim});
    const bool real = possible && (run ? gives_check(before_, m) && then.run(before_, m, g.level)
                                       : then.stands_first(before_, m, g.level));
    if (!real) return true;
  }
  const int depth = mate_depth();
  if (depth == 0) return false;
  const MateBan banned = mate_bans();
  for (Move m : next_.position.legal_moves())
    if (m.from() != move_.to() && !banned.forbids(next_, m, {}) && gives_check(next_, m) &&
        now.mated(next_.played(m), depth - 1, banned, {next_.man(m.from())}))
      return true;
  return false;
}

/// Could the opponent have won the moved man?
bool Ply::hung() const {
  const Board back = before_.passed();
  Lines opponent(rules_, ~mover_, false, false, [this] { count(); });
  opponent.look_at(back);
  for (Move m : takers(back, move_.from()))
    if (!opponent.pairs.contains({back.man(m.from()), back.man(m.to())}) && opponent.stands_first(back, m, 0))
      return true;
  return false;
}

namespace {

bool kings_face(const Position& p) {
  const Square red = p.king(Color::Red), black = p.king(Color::Black);
  if (file_of(red) != file_of(black)) return false;
  for (int rank = xiangqi::rank_of(red) + 1; rank < xiangqi::rank_of(black); ++rank)
    if (!p.empty(make_square(file_of(red), rank))) return false;
  return true;
}

/// The men of the side to move that attack the other king.
Men checking(const Board& b) {
  Men out;
  const Square king = b.position.king(~b.position.side_to_move());
  for (Square s = 0; s < kSquares; ++s)
    if (b.position.is_pseudo_legal(Move(s, king))) out.insert(b.man(s));
  return out;
}

/// May the side to move take so, if the men that have just given check were not looked at?
bool may_take(const Board& b, Move m, const Men& given) {
  if (b.position.is_legal(m)) return true;
  if (!b.position.is_pseudo_legal(m) || m.from() == b.position.king(b.position.side_to_move())) return false;
  const Board next = b.played(m);
  return !kings_face(next.position) &&
         std::ranges::all_of(checking(next), [&](int man) { return given.contains(man); });
}

}  // namespace

Bitboard Ply::asian_victims() const {
  Bitboard out;
  const Men given = checking(next_);
  for (Move m : next_.position.legal_moves()) {
    const Piece x = next_.position.piece_on(m.from()), v = next_.position.piece_on(m.to());
    if (v == Piece::None || type_of(x) == PieceType::King || type_of(x) == PieceType::Pawn) continue;
    const Balance value = worth(next_, m.to());
    if (value.strong + value.weak + value.pawns == 0) continue;
    if (type_of(x) == type_of(v) && may_take(next_.passed(), Move(m.to(), m.from()), given)) continue;
    const Board taken = next_.played(m);
    bool rooted = false;
    for (Square s = 0; s < kSquares; ++s) rooted = rooted || may_take(taken, Move(s, m.to()), given);
    if (rooted && rank_of_piece(v) <= rank_of_piece(x)) continue;
    const Move earlier(before_.square_of(next_.man(m.from())), before_.square_of(next_.man(m.to())));
    if (before_.position.is_pseudo_legal(earlier)) {
      bool lost_root = false;
      const Board then = before_.played(earlier);
      for (Move reply : takers(then, earlier.to())) {
        // It still stands there, and is pinned.
        const Move now(reply.from(), m.to());
        lost_root = lost_root || (taken.position.is_pseudo_legal(now) && !may_take(taken, now, given));
      }
      if (!lost_root) continue;
    }
    out |= Bitboard::of(m.to());
  }
  return out;
}

std::string Ply::explain() const {
  const auto text = [&](const Gain& g, const Board& b) {
    std::string victims;
    for (int v : g.victims) victims += fmt::format(" {}", to_uci(Move(0, b.square_of(v))).substr(2));
    return fmt::format(" [{} {} level {}/{}{}{}]", to_uci(Move(b.square_of(g.attacker), g.point)),
                       name_of(g.form), g.level, g.run_level, g.offered ? " offered:" : ":", victims);
  };
  std::string out = fmt::format("mate in {}; new:", check() ? 0 : mate_depth());
  Gains old;
  for (const Gain& g : new_gains(false, &old)) out += text(g, next_);
  out += "; stood:";
  for (const Gain& g : old) out += text(g, next_);
  Lines then(rules_, mover_, was_in_check_, false, [this] { count(); });
  out += "; before:";
  for (const Gain& g : then.gains(before_)) out += text(g, before_);
  const Kind k = kind();
  return out + fmt::format("; direct {} joint {} escape {}", k.direct, k.joint, k.escape);
}

}  // namespace chuhe::xiangqi::brute
