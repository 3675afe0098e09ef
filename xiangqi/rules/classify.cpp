#include "xiangqi/rules/classify.h"

#include <algorithm>

#include "xiangqi/rules/asian.h"
#include "xiangqi/rules/gains.h"
#include "xiangqi/rules/newness.h"

namespace chuhe::xiangqi {
namespace {

/// The boards around one move: P, the side's own position before it; Q, after it, the opponent having passed.
struct Scene {
  Move move;
  NamedBoard before, after;
  Color side;
  bool was_in_check;
  PieceId mover;
  MateMemo mates;

  Scene(const Position& position, Move m)
      : move(m),
        before(position),
        after(before),
        side(position.side_to_move()),
        was_in_check(position.in_check()),
        mover(before.id(m.from())) {
    after.play(m);
    after.pass();
  }
  bool gives_check() const { return after.in_check(~side); }
  bool king_evades() const { return was_in_check && type_of(after.piece_on(move.to())) == PieceType::King; }
};

Threat threat_of(const NamedBoard& board, Move first, GainForm form) {
  Threat t{};
  t.attacker = first.from();
  t.target = first.to();
  t.attacker_piece = board.piece_on(first.from());
  t.victim = board.piece_on(first.to());
  t.form = form;
  return t;
}

Threat threat_of(GainFinder& finder, const Gain& g) {
  Threat t = threat_of(finder.board(), Move(g.from, g.to), g.form);
  t.strong = g.best_level();
  if (g.form != GainForm::Checks)
    t.root = g.form == GainForm::Exchange ? Root::Short
             : !g.has_root                ? Root::None
             : g.free                     ? Root::False
                                          : Root::Rooted;
  t.line = finder.line_of(g);
  return t;
}

// ------------------------------------------------------------------------------------------- 杀 (28.2)

std::vector<MutualPair> exchanges_of(const Scene& scene, const RuleSet& rules, const JudgeBudget& limits,
                                     bool& cut) {
  std::vector<MutualPair> banned;
  if (!rules.exempts(Exemption::SameTypeExchange)) return banned;
  MoveList captures;
  scene.after.moves(captures, true);
  for (Move m : captures)
    if (is_mutual_pair(scene.after, m) &&
        offer_kind(scene.after, m, rules, limits.exchange_nodes, cut) != OfferKind::Mated)
      banned.push_back({scene.after.id(m.from()), scene.after.id(m.to()), m.to()});
  return banned;
}

constexpr int kStoodNodes = 20000;

/// 自毙 (L 28.18): did the same mating move already stand before the check was answered?
bool is_self_inflicted(const Scene& scene, const MateFound& mate, bool& cut) {
  if (!scene.was_in_check) return false;
  const PieceId piece = scene.after.id(mate.first.from());
  if (piece == scene.mover) return false;
  NamedBoard before = scene.before;
  const Square from = before.square_of(piece);
  if (!before.reaches(from, mate.first.to())) return false;
  before.ignore_safety(scene.side);
  if (!before.is_legal(Move(from, mate.first.to()))) return false;
  NodeBudget budget(kStoodNodes);
  const bool stood = mates_with(before, Move(from, mate.first.to()), mate.checks, budget);
  cut |= budget.exceeded;
  return stood;
}

/// The shortest mate that was found and all others of its length.
std::vector<MateFound> shortest_mates(const NamedBoard& position, const MateFound& found,
                                      const std::vector<MutualPair>& banned, bool& cut) {
  std::vector<MateFound> mates{found};
  NamedBoard board = position;
  NodeBudget budget(kStoodNodes);
  MoveList list;
  board.possible_checks(list);
  for (Move m : list)
    if (m != found.first && !is_inside(banned, board, m, 0) &&
        mates_with(board, m, found.checks, budget, banned))
      mates.push_back({m, found.checks});
  cut |= budget.exceeded;
  return mates;
}

/// The answer to the check may have made another threat beside the one that stood (L general 4): the shortest
/// mate that is not self-inflicted, if any.
std::optional<MateFound> own_mate(const Scene& scene, const MateFound& found,
                                  const std::vector<MutualPair>& banned, bool& cut) {
  if (!is_self_inflicted(scene, found, cut)) return found;
  for (const MateFound& m : shortest_mates(scene.after, found, banned, cut))
    if (!is_self_inflicted(scene, m, cut)) return m;
  return std::nullopt;
}

std::vector<Move> mate_line(NamedBoard board, const MateFound& mate, const std::vector<MutualPair>& banned) {
  std::vector<Move> line;
  NodeBudget budget(kStoodNodes);
  std::optional<MateFound> next = mate;
  PieceSet moved = 0;
  for (int checks = mate.checks; next; next = find_mate(board, --checks, budget, banned, moved)) {
    moved |= set_of(board.id(next->first.from()));
    line.push_back(next->first);
    board.play(next->first);
    MoveList replies;
    board.moves(replies);
    if (replies.empty() || checks <= 1) break;
    line.push_back(replies[0]);
    board.play(replies[0]);
  }
  return line;
}

bool threatens_mate(Scene& scene, const RuleSet& rules, const JudgeBudget& limits, PlyNature& nature,
                    PlyFinding* details) {
  const auto banned = exchanges_of(scene, rules, limits, nature.budget_exceeded);
  NodeBudget budget(limits.mate_nodes);
  const auto mate = find_mate(scene.after, kMateChecks, budget, banned);
  nature.budget_exceeded |= budget.exceeded;
  if (!mate) return false;
  const auto own =
      rules.exempts(Exemption::SelfInflicted) ? own_mate(scene, *mate, banned, nature.budget_exceeded) : mate;
  if (details) {
    Threat t = threat_of(scene.after, (own ? *own : *mate).first, GainForm::Mate);
    t.line = mate_line(scene.after, own ? *own : *mate, banned);
    if (own) {
      details->threats.push_back(t);
    } else {
      details->exempted.push_back({t, Exemption::SelfInflicted});
    }
  }
  return own.has_value();
}

// ------------------------------------------------------------------------------------------- 捉 (28.3, 29)

/// 27.3, 20:26.2: the side has one attacking piece and less material, and only guards are attacked.
bool is_lone_attacker(const Scene& scene) {
  const Position& p = scene.after.position();
  int attackers = 0, own = 0, other = 0;
  for (Square s : p.occupied()) {
    const Piece piece = p.piece_on(s);
    const int strong = strong_value(type_of(piece));
    (color_of(piece) == scene.side ? own : other) += strong;
    attackers += color_of(piece) == scene.side &&
                 (strong > 0 || (type_of(piece) == PieceType::Pawn && has_value(piece, s)));
  }
  return attackers <= 1 && own < other;
}

bool only_attacks_a_guard(const GainFinder& after, const Gain& g) {
  return g.best_level() == 0 && g.victim != kNoPiece &&
         is_weak(type_of(after.board().piece_on(after.board().square_of(g.victim))));
}

/// The new gains of a ply, heaviest forms of test last; stops at the first that counts unless all are wanted.
std::vector<Gain> new_gains(Scene& scene, GainFinder& after, GainFinder& before, const RuleSet& rules,
                            bool all, PlyFinding* details) {
  const bool lone = rules.exempts(Exemption::LoneAttacker) && is_lone_attacker(scene);
  std::vector<Gain> found;
  bool only_guards = true;
  // Runs first when all are wanted: they complete what is known of the captures.
  if (all) after.runs();
  const auto consider = [&](const std::vector<Gain>& gains) {
    for (const Gain& g : gains) {
      if (is_old(g, before, after, scene.mover, rules)) {
        if (details) details->exempted.push_back({threat_of(after, g), Exemption::StoodBefore});
        continue;
      }
      if (gives_up_a_ward(g, before, after, rules)) {
        if (details) details->exempted.push_back({threat_of(after, g), Exemption::LaidOpen});
        continue;
      }
      only_guards &= only_attacks_a_guard(after, g);
      found.push_back(g);
      if (!all && !(lone && only_guards)) return true;
    }
    return false;
  };
  // A capture that stood may be new as the beginning of a run that wins more.
  const auto begin_runs = [&] {
    std::vector<Gain> gains;
    after.runs();
    for (const Gain& g : after.captures())
      if (g.run_level > g.level) gains.push_back(g);
    return gains;
  };
  if (!consider(after.captures()) && (all || !consider(begin_runs())) && !consider(after.runs()) &&
      rules.exempts(Exemption::SameTypeExchange))
    consider(after.offers());
  if (lone && only_guards && !found.empty()) {
    if (details)
      for (const Gain& g : found) details->exempted.push_back({threat_of(after, g), Exemption::LoneAttacker});
    found.clear();
  }
  return found;
}

// ------------------------------------------------------------------------------- 兑 献 拦 跟 (28.5 to 28.8)

bool protects_itself(const NamedBoard& after, Square s, Color side) {
  const Position& p = after.position();
  return bool(p.attackers_to(s, side, p.occupied()) & ~Bitboard::of(s));
}

/// Does the move change how a trade within the pair would end: its side gains by taking first, which it did
/// not before, or the opponent, who gained by taking first, does not any more?
bool changes_the_trade(Scene& scene, PieceId own, PieceId other, const RuleSet& rules,
                       const JudgeBudget& budget) {
  const auto gains = [&](const NamedBoard& board, PieceId taker, PieceId taken) {
    return GainFinder(board, rules, budget, scene.mates).trade_gains(taker, taken);
  };
  NamedBoard opponent_before = scene.before, opponent_after = scene.after;
  opponent_before.pass();
  opponent_after.pass();
  return (gains(scene.after, own, other) && !gains(scene.before, own, other)) ||
         (gains(opponent_before, other, own) && !gains(opponent_after, other, own));
}

/// Could the side take so before the move, its king's safety left aside if it was in check?
bool reached_before(const Scene& scene, Move capture) {
  NamedBoard before = scene.before;
  if (scene.was_in_check) before.ignore_safety(scene.side);
  return before.reaches(capture.from(), capture.to()) && before.is_legal(capture);
}

/// Can the side take back if the opponent takes first in the pair?
bool is_protected_in(const Scene& scene, Move pair) {
  NamedBoard line = scene.after;
  line.pass();
  line.play(Move(pair.to(), pair.from()));
  MoveList recaptures;
  line.captures_on(pair.from(), recaptures);
  return !recaptures.empty();
}

/// 28.5, L 28.4, and 28.6 for an unprotected piece: does the move offer a trade?
PlyClass trade_class(Scene& scene, const RuleSet& rules, const JudgeBudget& budget) {
  MoveList captures;
  scene.after.moves(captures, true);
  PlyClass found = PlyClass::Idle;
  for (Move m : captures) {
    const PieceType t = type_of(scene.after.piece_on(m.from()));
    if (t == PieceType::Pawn || t == PieceType::King || !is_mutual_pair(scene.after, m)) continue;
    const PieceId attacker = scene.after.id(m.from());
    const Move then(scene.before.square_of(attacker), m.to());
    const bool stood = reached_before(scene, then) && is_mutual_pair(scene.before, then);
    if (stood && attacker != scene.mover &&
        !changes_the_trade(scene, attacker, scene.after.id(m.to()), rules, budget))
      continue;
    if (is_protected_in(scene, m)) return PlyClass::Exchange;
    found = PlyClass::Offer;
  }
  if (found != PlyClass::Idle) return found;
  for (Move m : captures) {
    const int own = rank_value(type_of(scene.after.piece_on(m.from())));
    const int other = rank_value(type_of(scene.after.piece_on(m.to())));
    if (scene.after.id(m.from()) != scene.mover || own != other || own == 0) continue;
    if (type_of(scene.after.piece_on(m.from())) == type_of(scene.after.piece_on(m.to()))) continue;
    if (scene.before.reaches(scene.move.from(), m.to()) ||
        !protects_itself(scene.after, m.from(), scene.side))
      continue;
    NamedBoard line = scene.after;
    line.play(m);
    MoveList recaptures;
    line.captures_on(m.to(), recaptures);
    if (!recaptures.empty()) return PlyClass::Exchange;
  }
  return PlyClass::Idle;
}

/// 28.7: an enemy rook, cannon or horse loses points that it reached, since the moved piece stands in its
/// way.
bool blocks(const Scene& scene) {
  const Position &before = scene.before.position(), &after = scene.after.position();
  for (Square s :
       after.pieces(~scene.side) & (after.pieces(PieceType::Rook) | after.pieces(PieceType::Cannon) |
                                    after.pieces(PieceType::Horse))) {
    const Bitboard lost = reach(before, s) & ~reach(after, s) & ~Bitboard::of(scene.move.to());
    if (reach(before, s).has(scene.move.to()) && lost.more_than_one()) return true;
  }
  return false;
}

/// 28.8: the moved piece newly attacks a protected piece without winning anything.
bool follows(const Scene& scene) {
  const Position& after = scene.after.position();
  for (Square s : reach(after, scene.move.to()) & after.pieces(~scene.side))
    if (s != after.king(~scene.side) && !scene.before.reaches(scene.move.from(), s) &&
        has_value(after.piece_on(s), s))
      return true;
  return false;
}

PlyClass quiet_class(Scene& scene, const RuleSet& rules, const JudgeBudget& budget) {
  const PlyClass trade = trade_class(scene, rules, budget);
  if (trade != PlyClass::Idle) return trade;
  if (blocks(scene)) return PlyClass::Block;
  return follows(scene) ? PlyClass::Follow : PlyClass::Idle;
}

void add_set_aside(GainFinder& after, GainFinder& before, PlyFinding& details) {
  for (const GainFinder::SetAside& aside : after.set_aside()) {
    const Gain& gain = aside.gain;
    const bool stood = std::ranges::any_of(before.set_aside(), [&](const GainFinder::SetAside& old) {
      return old.gain.attacker == gain.attacker && old.gain.victim == gain.victim;
    });
    if (!stood) details.exempted.push_back({threat_of(after, gain), aside.exemption});
  }
}

}  // namespace

PlyNature classify(const OrientedPly& ply, const RuleSet& rules, const JudgeBudget& budget,
                   PlyFinding* details) {
  PlyNature nature;
  Scene scene(ply.before(), ply.move());
  if (rules.detector == Detector::Asian) {
    nature.victims = newly_chased(ply.before(), ply.move(), rules, details);
    nature.ply_class = scene.gives_check() ? PlyClass::Check
                       : nature.victims    ? PlyClass::Chase
                                           : PlyClass::Idle;
  } else if (scene.gives_check()) {
    nature.ply_class = PlyClass::Check;
  } else if (rules.detector == Detector::Chinese) {
    const bool evasion = rules.exempts(Exemption::KingEvasion) && scene.king_evades();
    if (!evasion && threatens_mate(scene, rules, budget, nature, details)) {
      nature.ply_class = PlyClass::Kill;
    } else if (!evasion) {
      GainFinder after(scene.after, rules, budget, scene.mates),
          before(scene.before, rules, budget, scene.mates);
      const auto gains = new_gains(scene, after, before, rules, details != nullptr, details);
      if (!gains.empty()) nature.ply_class = PlyClass::Chase;
      nature.budget_exceeded |= after.budget_exceeded() || before.budget_exceeded();
      if (details) {
        for (const Gain& g : gains) details->threats.push_back(threat_of(after, g));
        before.offers();  // completes what is set aside
        add_set_aside(after, before, *details);
      }
    }
    if (nature.ply_class == PlyClass::Idle && details) nature.ply_class = quiet_class(scene, rules, budget);
  }
  nature.victims = ply.back(nature.victims);
  if (details) {
    *details = ply.back(std::move(*details));
    details->ply_class = nature.ply_class;
    details->budget_exceeded = nature.budget_exceeded;
  }
  return nature;
}

namespace {

/// Could the opponent have taken the piece that moved?
bool was_in_danger(Scene& scene, const RuleSet& rules, const JudgeBudget& budget, bool& cut) {
  NamedBoard opponent = scene.before;
  opponent.pass();
  GainFinder danger(opponent, rules, budget, scene.mates);
  bool found = false;
  for (Square s :
       opponent.position().attackers_to(scene.move.from(), ~scene.side, opponent.position().occupied()))
    found = found || danger.pair_gains(opponent.id(s), scene.mover, 0, 0);
  cut |= danger.budget_exceeded();
  return found;
}

/// Does a piece that did not move make an attack (or mate) which was not real while the moved piece hung? On
/// a strong piece, or on any if the moved piece itself attacks nothing.
bool stands_and_attacks(Scene& scene, GainFinder& before, GainFinder& after, bool mover_attacks,
                        const RuleSet& rules, const JudgeBudget& budget, bool& cut) {
  const PieceSet moved = set_of(scene.mover);
  const int level = mover_attacks ? 1 : 0;
  for (const Gain& g : after.captures())
    if (g.attacker != scene.mover && g.form == GainForm::Direct && g.level >= level &&
        !before.pair_gains(g.attacker, g.victim, moved, g.level))
      return true;
  for (const Gain& g : after.runs())
    if (g.attacker != scene.mover && g.level >= level && !before.run_gains(g.attacker, g.to, moved, g.level))
      return true;
  NodeBudget nodes(budget.mate_nodes);
  const auto banned = exchanges_of(scene, rules, budget, cut);
  const auto mate = find_mate(scene.after, kMateChecks, nodes, banned);
  cut |= nodes.exceeded;
  return mate && std::ranges::any_of(
                     shortest_mates(scene.after, *mate, banned, cut),
                     [&](const MateFound& m) { return scene.after.id(m.first.from()) != scene.mover; });
}

/// 少根 (L 28.15): something would take back, were it not that another piece stands behind the capturer. (A pinned
/// protector is none at all, and a dearer piece is chased whether protected or not.)
bool is_taken_jointly(const GainFinder& after, const Gain& g) {
  NamedBoard line = after.board();
  const auto rank_on = [&](Square s) { return rank_value(type_of(line.piece_on(s))); };
  if (g.form == GainForm::Checks) return false;
  if (g.form == GainForm::Exchange) return g.run_level <= g.level;
  if (rank_on(g.from) > 0 && rank_on(g.to) > rank_on(g.from)) return false;
  line.play(Move(g.from, g.to));
  const Position& p = line.position();
  const Color opponent = p.side_to_move();
  for (Square root : p.attackers_to(g.to, opponent, p.occupied())) {
    if (root != p.king(opponent) && !line.is_legal(Move(root, g.to))) continue;
    NamedBoard taken_back = line;
    taken_back.play(Move(root, g.to));
    const Position& then = taken_back.position();
    if (then.attackers_to(g.to, ~opponent, then.occupied()) & ~then.pieces(PieceType::King)) return true;
  }
  return false;
}

}  // namespace

int effort(const Position& position, Move move) {
  const Scene scene(position, move);
  MoveList checks, captures;
  scene.after.possible_checks(checks);
  scene.after.moves(captures, true);
  constexpr int kRunsCostMore = 4;  // than exchanges
  return 1 + kRunsCostMore * checks.size() + captures.size();
}

ChaseKind chase_kind(const OrientedPly& ply, const RuleSet& rules, const JudgeBudget& budget, bool& cut) {
  Scene scene(ply.before(), ply.move());
  ChaseKind kind;
  if (scene.gives_check()) return kind;
  GainFinder after(scene.after, rules, budget, scene.mates), before(scene.before, rules, budget, scene.mates);
  bool mover_attacks = false;
  for (const Gain& g : new_gains(scene, after, before, rules, true, nullptr)) {
    mover_attacks |= g.attacker == scene.mover;
    (is_taken_jointly(after, g) ? kind.joint : kind.direct) = true;
  }
  kind.escape = was_in_danger(scene, rules, budget, cut) &&
                stands_and_attacks(scene, before, after, mover_attacks, rules, budget, cut);
  cut |= after.budget_exceeded() || before.budget_exceeded();
  return kind;
}

bool attacks_with_pawn(const OrientedPly& ply, const RuleSet& rules, const JudgeBudget& budget, bool& cut) {
  Scene scene(ply.before(), ply.move());
  if (scene.gives_check()) return true;
  if (rules.exempts(Exemption::KingEvasion) && scene.king_evades()) return false;
  GainFinder after(scene.after, rules, budget, scene.mates, true),
      before(scene.before, rules, budget, scene.mates, true);
  const auto gains = new_gains(scene, after, before, rules, true, nullptr);
  cut |= after.budget_exceeded() || before.budget_exceeded();
  return std::ranges::any_of(gains, [&](const Gain& g) {
    return g.form == GainForm::Direct && type_of(after.board().piece_on(g.from)) == PieceType::Pawn;
  });
}

}  // namespace chuhe::xiangqi
