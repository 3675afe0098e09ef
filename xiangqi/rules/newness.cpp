#include "xiangqi/rules/newness.h"

#include <algorithm>

namespace chuhe::xiangqi {
namespace {

/// The gains before the move that make this one old. A single capture: the same attacker and victim. A run of
/// checks: the same piece and point, or else the same piece against one of the same victims, since that it
/// may now win others, too, is the opponent's choice.
std::vector<Gain> earlier_forms(const Gain& gain, GainFinder& before, GainFinder& after) {
  const bool run = gain.form == GainForm::Checks;
  std::vector<Gain> found;
  const auto collect = [&](const std::vector<Gain>& gains, auto same) {
    for (const Gain& old : gains)
      if (old.attacker == gain.attacker && same(old)) found.push_back(old);
  };
  const auto same_capture = [&](const Gain& old) {
    return old.victim == gain.victim && old.level >= gain.level && old.best_level() >= gain.run_level;
  };
  const auto same_point = [&](const Gain& old) {
    return old.to == gain.to && old.best_level() >= gain.level;
  };
  // A capture that also begins a winning run needs the runs before the move to compare with.
  if (run || gain.run_level > gain.level) before.runs();
  if (!run) {
    collect(before.captures(), same_capture);
    if (found.empty()) collect(before.offers(), same_capture);
    return found;
  }
  collect(before.captures(), same_point);
  collect(before.runs(), same_point);
  if (found.empty()) collect(before.offers(), same_point);
  if (!found.empty()) return found;
  after.find_run_victims();
  PieceSet victims = 0;
  for (const Gain& g : after.runs())
    if (g.attacker == gain.attacker && g.to == gain.to) victims = g.run_victims;
  before.find_run_victims();
  const auto same_victim = [&](const Gain& old) {
    const PieceSet had = set_of(old.victim) | (old.form == GainForm::Checks ? old.run_victims : 0);
    return old.best_level() >= gain.level && (had & victims) != 0;
  };
  collect(before.captures(), same_victim);
  collect(before.runs(), same_victim);
  if (found.empty()) collect(before.offers(), same_victim);
  return found;
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
    GainFinder lacking(without, rules, after.limits(), mates);
    if (!lacking.pair_gains(gain.attacker, gain.victim, 0, gain.level) ||
        is_root_of(before.board(), gain.attacker, w))
      dangers |= set_of(w);
    after.note_cut(lacking.budget_exceeded());
  }
  return dangers;
}

/// L 29.8: a standing attack that leaned on a piece in danger was not real; the move that takes that piece
/// out of danger makes it so. Where the moved piece stands now is its owner's affair (L 29.6).
bool became_real(const Gain& gain, const std::vector<Gain>& earlier, GainFinder& before, GainFinder& after,
                 PieceId mover, const RuleSet& rules) {
  const PieceSet loose = dangers(gain, before, after, rules);
  const PieceSet still = loose & ~set_of(mover);
  if (gain.form == GainForm::Checks) {
    const auto was_real = [&](const Gain& old) {
      return (old.victim != kNoPiece &&
              before.pair_gains(old.attacker, old.victim, loose, gain.level, old.offer)) ||
             before.run_gains(old.attacker, old.to, loose, gain.level);
    };
    return loose && !before.board().in_check(before.board().side_to_move()) &&
           std::ranges::none_of(earlier, was_real) &&
           after.run_gains(gain.attacker, gain.to, still, gain.level);
  }
  if (loose && !before.pair_gains(gain.attacker, gain.victim, loose, gain.level, gain.offer) &&
      after.pair_gains(gain.attacker, gain.victim, still, gain.level, gain.offer))
    return true;
  // Checks mean nothing while the safety of the side's king is left aside.
  return gain.form == GainForm::Direct && !before.board().in_check(before.board().side_to_move()) &&
         before.lays_open_to_run(gain.attacker, gain.victim) &&
         !after.lays_open_to_run(gain.attacker, gain.victim);
}

bool is_king(const GainFinder& finder, PieceId piece) {
  return type_of(finder.board().piece_on(finder.board().square_of(piece))) == PieceType::King;
}

/// A king that steps out of a threatened mate only evades, as one that steps out of check does (20:26.1.2): a
/// capture that stood but for that mate is no new attack.
bool slept_under_mate(const Gain& gain, GainFinder& before) {
  if (gain.form == GainForm::Checks || gain.offer) return false;
  if (before.board().in_check(before.board().side_to_move())) return false;
  before.captures();
  return std::ranges::any_of(before.set_aside(),
                             [&](const GainFinder::SetAside& aside) {
                               return aside.exemption == Exemption::CapturerMated &&
                                      aside.gain.attacker == gain.attacker &&
                                      aside.gain.victim == gain.victim;
                             }) &&
         before.is_threatened_by_mate();
}

}  // namespace

bool gives_up_a_ward(const Gain& gain, GainFinder& before, GainFinder& after, const RuleSet& rules) {
  if (gain.form != GainForm::Checks || !rules.exempts(Exemption::LaidOpen)) return false;
  const PieceSet attacked = en_prise(before.board()) & en_prise(after.board()) & ~set_of(gain.attacker);
  PieceSet wards = 0;
  for (PieceId w = 0; w < 32; ++w)
    if ((attacked & set_of(w)) && after.guards_by_checks(gain.attacker, w)) wards |= set_of(w);
  return wards && !after.run_gains(gain.attacker, gain.to, wards, gain.level);
}

bool is_old(const Gain& gain, GainFinder& before, GainFinder& after, PieceId mover, const RuleSet& rules) {
  if (!rules.exempts(Exemption::StoodBefore)) return false;
  const std::vector<Gain> earlier = earlier_forms(gain, before, after);
  if (earlier.empty()) return is_king(before, mover) && slept_under_mate(gain, before);
  return !became_real(gain, earlier, before, after, mover, rules);
}

}  // namespace chuhe::xiangqi
