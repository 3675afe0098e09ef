#include "xiangqi/rules/asian.h"

#include "xiangqi/board/attacks.h"
#include "xiangqi/rules/balance.h"
#include "xiangqi/rules/named_board.h"

namespace chuhe::xiangqi {
namespace {

/// May the side to move take so? The checks that pieces on `given` give are left aside: the judged move has
/// just given them, and a piece whose owner must answer them first is a protector all the same.
bool may_take(NamedBoard board, Move m, Bitboard given) {
  if (board.is_legal(m)) return true;
  const Color side = board.side_to_move();
  if (!given || m.from() == board.position().king(side) || !board.reaches(m.from(), m.to())) return false;
  board.play(m);
  const Position& p = board.position();
  const Square own = p.king(side), other = p.king(~side);
  const bool facing = file_of(own) == file_of(other) && !(between(own, other) & p.occupied());
  return !facing && !(p.attackers_to(own, ~side, p.occupied()) & ~given);
}

/// Do two pieces of one kind attack each other?
bool is_mutual(const NamedBoard& board, Move m, Bitboard given) {
  if (type_of(board.piece_on(m.from())) != type_of(board.piece_on(m.to()))) return false;
  NamedBoard other_side = board;
  other_side.pass();
  return may_take(other_side, Move(m.to(), m.from()), given);
}

/// The protection of what m takes: what stands behind it, and whether any of that may take back.
Root root_of(NamedBoard line, Move m, Bitboard given) {
  line.play(m);
  const Position& p = line.position();
  const Bitboard behind = p.attackers_to(m.to(), p.side_to_move(), p.occupied());
  for (Square s : behind)
    if (may_take(line, Move(s, m.to()), given)) return Root::Rooted;
  return behind ? Root::False : Root::None;
}

/// A protector that could take back before the move cannot any more: the attack is new though it stood.
bool lost_its_protector(const NamedBoard& before, const NamedBoard& after, PieceId attacker, PieceId victim,
                        Bitboard given) {
  NamedBoard then = before, now = after;
  const Square square_then = then.square_of(victim), square_now = now.square_of(victim);
  then.play(Move(then.square_of(attacker), square_then));
  now.play(Move(now.square_of(attacker), square_now));
  for (Square s : now.position().attackers_to(square_now, now.side_to_move(), now.position().occupied())) {
    if (may_take(now, Move(s, square_now), given)) continue;
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
  const Position& now = after.position();
  const Color side = now.side_to_move();
  const Bitboard checks = now.attackers_to(now.king(~side), side, now.occupied());
  Bitboard victims;
  MoveList captures;
  after.moves(captures, true);
  for (Move m : captures) {
    const PieceType attacker = type_of(after.piece_on(m.from())), victim = type_of(after.piece_on(m.to()));
    if (attacker == PieceType::King && rules.exempts(Exemption::KingAttack)) continue;
    if (attacker == PieceType::Pawn && rules.exempts(Exemption::PawnAttack)) continue;
    if (!has_value(after.piece_on(m.to()), m.to())) continue;
    if (rules.exempts(Exemption::SameTypeExchange) && is_mutual(after, m, checks)) continue;
    const Root root = root_of(after, m, checks);
    const bool dearer = rank_value(attacker) > 0 && rank_value(victim) > rank_value(attacker);
    if (root == Root::Rooted && !dearer) continue;
    Threat t{m.from(),         m.to(), after.piece_on(m.from()), after.piece_on(m.to()),
             GainForm::Direct, root,   strong_value(victim),     {m}};
    const PieceId a = after.id(m.from()), v = after.id(m.to());
    const bool stood = before.reaches(before.square_of(a), before.square_of(v));
    if (stood && rules.exempts(Exemption::StoodBefore) && !lost_its_protector(before, after, a, v, checks)) {
      if (details) details->exempted.push_back({t, Exemption::StoodBefore});
      continue;
    }
    victims |= Bitboard::of(m.to());
    if (details) details->threats.push_back(t);
  }
  return victims;
}

}  // namespace chuhe::xiangqi
