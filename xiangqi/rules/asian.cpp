#include "xiangqi/rules/asian.h"

#include "xiangqi/rules/gain_search.h"

namespace chuhe::xiangqi {
namespace {

/// A protector that could take back before the move cannot any more: the attack is new though it stood.
bool lost_its_protector(const NamedBoard& before, const NamedBoard& after, PieceId attacker, PieceId victim) {
  NamedBoard then = before, now = after;
  const Square square_then = then.square_of(victim), square_now = now.square_of(victim);
  then.play(Move(then.square_of(attacker), square_then));
  now.play(Move(now.square_of(attacker), square_now));
  for (Square s : now.position().attackers_to(square_now, now.side_to_move(), now.position().occupied())) {
    if (now.is_legal(Move(s, square_now))) continue;
    const Square s_then = then.square_of(now.id(s));
    if (s_then != kNoSquare && then.reaches(s_then, square_then) && then.is_legal(Move(s_then, square_then)))
      return true;
  }
  return false;
}

}  // namespace

Bitboard newly_chased(const Position& position, Move move, const RuleSet& rules, PlyFinding* details) {
  const NamedBoard before(position);
  NamedBoard after = before;
  after.play(move);
  after.pass();
  Bitboard victims;
  MoveList captures;
  after.moves(captures, true);
  for (Move m : captures) {
    const PieceType attacker = type_of(after.piece_on(m.from())), victim = type_of(after.piece_on(m.to()));
    if (attacker == PieceType::King && rules.exempts(Exemption::KingAttack)) continue;
    if (attacker == PieceType::Pawn && rules.exempts(Exemption::PawnAttack)) continue;
    if (!has_value(after.piece_on(m.to()), m.to())) continue;
    if (rules.exempts(Exemption::SameTypeExchange) && is_mutual_pair(after, m)) continue;
    NamedBoard line = after;
    line.play(m);
    MoveList recaptures;
    line.captures_on(m.to(), recaptures);
    int real = 0;
    for (Move r : recaptures) {
      NamedBoard answer = line;
      answer.play(r);
      NodeBudget budget(1000);
      real += !find_mate(answer, 1, budget);
    }
    const bool dearer = rank_value(attacker) > 0 && rank_value(victim) > rank_value(attacker);
    if (real > 0 && !dearer) continue;
    Threat t{m.from(),
             m.to(),
             after.piece_on(m.from()),
             after.piece_on(m.to()),
             GainForm::Direct,
             real > 0             ? Root::Rooted
             : recaptures.empty() ? Root::None
                                  : Root::False,
             strong_value(victim),
             {m}};
    const PieceId a = after.id(m.from()), v = after.id(m.to());
    const bool stood = before.reaches(before.square_of(a), before.square_of(v));
    if (stood && rules.exempts(Exemption::StoodBefore) && !lost_its_protector(before, after, a, v)) {
      if (details) details->exempted.push_back({t, Exemption::StoodBefore});
      continue;
    }
    victims |= Bitboard::of(m.to());
    if (details) details->threats.push_back(t);
  }
  return victims;
}

}  // namespace chuhe::xiangqi
