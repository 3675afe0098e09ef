#include "xiangqi/rules/newness.h"

#include <algorithm>

namespace chuhe::xiangqi {
namespace {

bool stood(const Gain& gain, GainFinder& before) {
  const bool run = gain.form == GainForm::Checks;
  // A capture that also begins a winning run needs the runs before the move to compare with.
  if (run || gain.run_level > gain.level) before.runs();
  const auto same = [&](const Gain& old) {
    if (old.attacker != gain.attacker) return false;
    if (run) return old.to == gain.to && old.best_level() >= gain.level;
    return old.victim == gain.victim && old.form != GainForm::Checks && old.level >= gain.level &&
           old.best_level() >= gain.run_level;
  };
  if (std::ranges::any_of(before.captures(), same)) return true;
  if (!run && !gain.offer) return std::ranges::any_of(before.offers(), same);
  return std::ranges::any_of(before.runs(), same) || std::ranges::any_of(before.offers(), same);
}

/// A run of checks is no new attack if its piece could win one of the same victims before: that it may now
/// win others, too, is the opponent's choice.
bool had_one_of_the_victims(const Gain& gain, GainFinder& before) {
  PieceSet had = 0;
  const auto collect = [&](const std::vector<Gain>& gains) {
    for (const Gain& old : gains) {
      if (old.attacker != gain.attacker) continue;
      if (old.form == GainForm::Checks && old.level >= gain.level) had |= old.run_victims;
      if (old.best_level() >= gain.level) had |= set_of(old.victim);
    }
  };
  collect(before.runs());
  collect(before.captures());
  collect(before.offers());
  return (had & gain.run_victims) != 0;
}

/// Own pieces that the opponent could have taken had the side passed.
PieceSet en_prise(const NamedBoard& before) {
  NamedBoard opponent = before;
  opponent.pass();
  PieceSet pieces = 0;
  MoveList captures;
  opponent.moves(captures, true);
  for (Move m : captures) pieces |= set_of(opponent.id(m.to()));
  return pieces;
}

/// Is the attacker the one that would take back for the piece?
bool is_root_of(const NamedBoard& before, PieceId attacker, PieceId piece) {
  const Square at = before.square_of(piece);
  NamedBoard opponent = before;
  opponent.pass();
  MoveList captures;
  opponent.captures_on(at, captures);
  for (Move m : captures) {
    const auto undo = opponent.play(m);
    const bool takes_back = opponent.is_legal(Move(opponent.square_of(attacker), at));
    opponent.take_back(m, undo);
    if (takes_back) return true;
  }
  return false;
}

/// Own pieces other than the attacker that hung before the move and on whose fate the attack depended.
PieceSet dangers(const Gain& gain, GainFinder& before, GainFinder& after, const RuleSet& rules) {
  const PieceSet hanging = en_prise(before.board()) & ~set_of(gain.attacker);
  if (gain.form != GainForm::Exchange) return hanging;
  PieceSet dangers = 0;
  for (PieceId w = 0; w < 32; ++w) {
    if (!(hanging & set_of(w))) continue;
    NamedBoard without = after.board();
    without.remove(w);
    if (without.in_check(without.side_to_move())) continue;
    MateMemo mates;  // of other boards than those of the ply
    GainFinder lacking(without, rules, {}, mates);
    if (!lacking.pair_gains(gain.attacker, gain.victim, 0, gain.level) ||
        is_root_of(before.board(), gain.attacker, w))
      dangers |= set_of(w);
  }
  return dangers;
}

/// L 29.8: a standing attack that leaned on a piece in danger was not real; the move that takes that piece
/// out of danger makes it so. Where the moved piece stands now is its owner's affair (L 29.6).
bool became_real(const Gain& gain, GainFinder& before, GainFinder& after, PieceId mover,
                 const RuleSet& rules) {
  const PieceSet loose = dangers(gain, before, after, rules);
  const PieceSet still = loose & ~set_of(mover);
  if (gain.form == GainForm::Checks)
    return loose && !before.board().in_check(before.board().side_to_move()) &&
           !before.run_gains(gain.attacker, gain.to, loose, gain.level) &&
           after.run_gains(gain.attacker, gain.to, still, gain.level);
  if (loose && !before.pair_gains(gain.attacker, gain.victim, loose, gain.level) &&
      after.pair_gains(gain.attacker, gain.victim, still, gain.level, gain.offer))
    return true;
  return gain.form == GainForm::Direct && before.is_answered_by_run(gain.attacker, gain.victim) &&
         !after.is_answered_by_run(gain.attacker, gain.victim);
}

}  // namespace

bool is_old(const Gain& gain, GainFinder& before, GainFinder& after, PieceId mover, const RuleSet& rules) {
  if (!rules.exempts(Exemption::StoodBefore)) return false;
  const bool run = gain.form == GainForm::Checks;
  if (!stood(gain, before) && !(run && had_one_of_the_victims(gain, before))) return false;
  return !became_real(gain, before, after, mover, rules);
}

}  // namespace chuhe::xiangqi
