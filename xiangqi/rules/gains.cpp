#include "xiangqi/rules/gains.h"

namespace chuhe::xiangqi {
namespace {

constexpr int kShortRunChecks = 2;
constexpr int kTradeRunChecks = 4;  // of a mutual pair that the attacker takes first

int rank_at(const NamedBoard& board, Square s) {
  return rank_value(type_of(board.piece_on(s)));
}

}  // namespace

GainFinder::GainFinder(const NamedBoard& board, const RuleSet& rules, const JudgeBudget& budget,
                       MateMemo& mates, bool pawns_capture)
    : board_(board),
      rules_(rules),
      pawns_capture_(pawns_capture),
      limits_(budget),
      exchange_budget_(budget.exchange_nodes),
      check_budget_(budget.check_nodes),
      mates_(mates) {
  const Color attacker = board_.side_to_move();
  if (board_.in_check(attacker)) board_.ignore_safety(attacker);
  MoveList list;
  board_.moves(list, true);
  for (Move m : list) {
    if (rules_.exempts(Exemption::SameTypeExchange) && is_mutual_pair(board_, m)) {
      banned_.push_back({board_.id(m.from()), board_.id(m.to()), m.to()});
      mutual_.push_back(m);
    } else {
      single_.push_back(m);
    }
  }
}

/// A capture that needs nothing more: nobody recaptures, or the victim is dearer.
bool GainFinder::wins_at_once(GainSearch& search, Move m) {
  if (!is_gain(Balance{}.won(board_.piece_on(m.to()), m.to()))) return false;
  const int own_rank = rank_at(board_, m.from());
  const bool dearer = own_rank > 0 && rank_at(board_, m.to()) > own_rank;
  const auto undo = board_.play(m);
  MoveList recaptures;
  board_.captures_on(m.to(), recaptures);
  const bool wins = (recaptures.empty() || dearer) && !search.counter_mates();
  board_.take_back(m, undo);
  return wins;
}

Gain GainFinder::describe(Move m) {
  Gain g{board_.id(m.from()), board_.id(m.to()), m.from(), m.to(), GainForm::Direct};
  const int own_rank = rank_at(board_, m.from());
  const bool dearer = own_rank > 0 && rank_at(board_, m.to()) > own_rank;
  const auto undo = board_.play(m);
  MoveList recaptures;
  board_.captures_on(m.to(), recaptures);
  g.free = true;
  for (Move r : recaptures) {
    const auto recapture = board_.play(r);
    NodeBudget own(1000);
    if (!find_mate(board_, 1, own)) g.free = false;
    board_.take_back(r, recapture);
  }
  g.has_root =
      bool(board_.position().attackers_to(m.to(), board_.side_to_move(), board_.position().occupied()));
  board_.take_back(m, undo);
  if (!g.free && !dearer) g.form = GainForm::Exchange;
  return g;
}

void GainFinder::find_captures() {
  have_captures_ = true;
  GainSearch search(board_, rules_, exchange_budget_, mates_);
  for (Move m : single_)
    if (wins_at_once(search, m)) won_at_once_ |= set_of(board_.id(m.to()));
  search.banned = banned_;
  search.not_elsewhere = won_at_once_;
  search.pawns_capture = pawns_capture_;
  for (Move m : single_) {
    if (!is_gain(Balance{}.won(board_.piece_on(m.to()), m.to()))) continue;
    int level = -1;
    for (search.level = 0; search.level <= 2 && search.first_stands(m); ++search.level) level = search.level;
    const auto refuted = level < 0 ? search.refuted_by() : std::nullopt;
    if (level < 0 && !refuted) continue;
    Gain g = describe(m);
    g.level = std::max(level, 0);
    if (refuted) {
      set_aside_.push_back({g, *refuted});
      continue;
    }
    if (g.form == GainForm::Direct) won_singly_ |= set_of(g.victim);
    const PieceType t = type_of(board_.piece_on(m.from()));
    const bool pawn_counts = t == PieceType::Pawn && pawns_capture_;
    if (!pawn_counts && search.is_own_attack_of_king_or_pawn(m)) {
      if (t == PieceType::King) won_singly_ |= set_of(g.victim);
      set_aside_.push_back({g, t == PieceType::King ? Exemption::KingAttack : Exemption::PawnAttack});
      continue;
    }
    captures_.push_back(g);
  }
}

const std::vector<Gain>& GainFinder::captures() {
  if (!have_captures_) find_captures();
  return captures_;
}

void GainFinder::find_runs() {
  have_runs_ = true;
  captures();
  GainSearch search(board_, rules_, check_budget_, mates_);
  search.banned = banned_;
  search.not_elsewhere = won_singly_;
  search.pawns_capture = pawns_capture_;
  std::vector<FirstCheck> firsts;
  MoveList list;
  board_.possible_checks(list);
  for (Move m : list) {
    Gain* capture = nullptr;
    for (Gain& g : captures_)
      if (g.from == m.from() && g.to == m.to()) capture = &g;
    const bool is_capture = !board_.position().empty(m.to());
    if (is_capture && ((!capture && (won_singly_ & set_of(board_.id(m.to())))) || search.is_banned(m)))
      continue;
    firsts.push_back({m, capture, -1});
  }
  // Short runs first, each round with its own budget: a long fruitless search hides no short one.
  for (int checks : {kShortRunChecks, kRunChecks}) {
    check_budget_ = NodeBudget(limits_.check_nodes);
    for (FirstCheck& f : firsts)
      for (search.level = f.level + 1; search.level <= 2 && search.run_begins(f.move, nullptr, checks);
           ++search.level)
        f.level = search.level;
    cut_ |= check_budget_.incomplete();
  }
  for (const FirstCheck& f : firsts) {
    if (f.capture && f.level > f.capture->level) f.capture->run_level = f.level;
    if (f.capture || f.level < 0) continue;
    const Move m = f.move;
    Gain g{board_.id(m.from()), board_.id(m.to()), m.from(), m.to(), GainForm::Checks};
    g.level = f.level;
    runs_.push_back(g);
  }
}

void GainFinder::find_run_victims() {
  if (have_run_victims_) return;
  have_run_victims_ = true;
  const auto fill = [&](Gain& g, int level) {
    NodeBudget budget(limits_.exchange_nodes);
    GainSearch search(board_, rules_, budget, mates_);
    search.banned = banned_;
    search.not_elsewhere = won_singly_;
    search.pawns_capture = pawns_capture_;
    search.level = level;
    for (int checks = 1; checks <= kRunChecks && !budget.exceeded; ++checks) {
      g.run_victims = 0;
      if (search.run_begins(Move(g.from, g.to), &g.run_victims, checks)) break;
    }
    cut_ |= budget.incomplete();
  };
  runs();
  for (Gain& g : captures_)
    if (g.run_level > g.level) fill(g, g.run_level);
  for (Gain& g : runs_) fill(g, g.level);
}

const std::vector<Gain>& GainFinder::runs() {
  if (!have_runs_) find_runs();
  return runs_;
}

/// The attacker takes first in a mutual pair.
bool GainFinder::offer_gains(GainSearch& search, Move m) {
  if (search.first_stands(m)) return true;
  NodeBudget budget(limits_.check_nodes);
  GainSearch run(board_, rules_, budget, mates_);
  run.banned = search.banned;
  run.not_elsewhere = search.not_elsewhere;
  const bool gains = run.run_begins(m, nullptr, kTradeRunChecks, false);
  cut_ |= budget.incomplete();
  return gains;
}

void GainFinder::find_offers() {
  have_offers_ = true;
  PieceSet not_elsewhere = won_singly_;
  if (!mutual_.empty()) find_run_victims();
  for (const Gain& g : captures()) not_elsewhere |= g.run_victims;
  for (const Gain& g : runs()) not_elsewhere |= g.run_victims;
  for (Move m : mutual_) {
    Gain g{board_.id(m.from()), board_.id(m.to()), m.from(), m.to(), GainForm::Exchange};
    g.offer = true;
    const PieceType t = type_of(board_.piece_on(m.from()));
    if (t == PieceType::King || t == PieceType::Pawn) {
      set_aside_.push_back({g, Exemption::SameTypeExchange});  // 27.1, 27.2: nor do they chase by themselves
      continue;
    }
    if (offer_kind(board_, m, rules_, limits_.exchange_nodes, cut_, banned_, not_elsewhere) ==
        OfferKind::True) {
      set_aside_.push_back({g, Exemption::SameTypeExchange});
      continue;
    }
    GainSearch search(board_, rules_, exchange_budget_, mates_);
    for (const MutualPair& b : banned_)
      if (b.attacker != g.attacker || b.victim != g.victim) search.banned.push_back(b);
    search.not_elsewhere = not_elsewhere;
    search.pawns_capture = pawns_capture_;
    if (offer_gains(search, m)) offers_.push_back(g);
  }
}

const std::vector<Gain>& GainFinder::offers() {
  if (!have_offers_) find_offers();
  return offers_;
}

bool GainFinder::pair_gains(PieceId attacker, PieceId victim, PieceSet loose, int level, bool offer) {
  captures();
  return capture_stands(attacker, victim, loose, level, offer, won_at_once_);
}

bool GainFinder::trade_gains(PieceId attacker, PieceId victim) {
  return capture_stands(attacker, victim, 0, 0, true, ~PieceSet{0});
}

bool GainFinder::capture_stands(PieceId attacker, PieceId victim, PieceSet loose, int level, bool offer,
                                PieceSet not_elsewhere) {
  const Square from = board_.square_of(attacker), to = board_.square_of(victim);
  if (from == kNoSquare || to == kNoSquare || !board_.reaches(from, to)) return false;
  const Move m(from, to);
  if (!board_.is_legal(m)) return false;
  NodeBudget budget(limits_.exchange_nodes);
  GainSearch search(board_, rules_, budget, mates_);
  search.loose = loose;
  search.level = level;
  search.not_elsewhere = not_elsewhere;
  for (const MutualPair& b : banned_)
    if (!offer || b.attacker != attacker || b.victim != victim) search.banned.push_back(b);
  if (search.is_banned(m)) return false;
  const bool gains = search.first_stands(m);
  cut_ |= budget.incomplete();
  return gains;
}

bool GainFinder::run_gains(PieceId attacker, Square to, PieceSet loose, int level) {
  const Square from = board_.square_of(attacker);
  if (from == kNoSquare || !board_.is_legal(Move(from, to))) return false;
  NodeBudget budget(limits_.exchange_nodes);
  GainSearch search(board_, rules_, budget, mates_);
  search.banned = banned_;
  captures();
  search.not_elsewhere = won_singly_;
  search.loose = loose;
  search.level = level;
  const bool gains = search.run_begins(Move(from, to), nullptr);
  cut_ |= budget.incomplete();
  return gains;
}

int GainFinder::opponents_best_run(NamedBoard line, const Balance& lost) {
  NodeBudget budget(limits_.exchange_nodes);
  GainSearch answer(line, rules_, budget, mates_);
  MoveList checks;
  line.possible_checks(checks);
  int best = -1;
  for (answer.level = 0; answer.level <= 2; ++answer.level) {
    bool gains = false;
    for (Move m : checks) gains = gains || answer.run_begins(m, nullptr, kRunChecks, true, lost);
    if (!gains) break;
    best = answer.level;
  }
  cut_ |= budget.incomplete();
  return best;
}

bool GainFinder::lays_open_to_run(PieceId attacker, PieceId victim) {
  const Square from = board_.square_of(attacker), to = board_.square_of(victim);
  if (from == kNoSquare || to == kNoSquare || !board_.is_legal(Move(from, to))) return false;
  NamedBoard line = board_, passed = board_;
  const Balance lost = Balance{}.lost(line.piece_on(to), to);
  line.play(Move(from, to));
  // What he could take without a check is another matter (29.3.1).
  if (opponents_best_run(line, lost) < 0) return false;
  passed.pass();
  return opponents_best_run(line, {}) > opponents_best_run(passed, {});
}

bool GainFinder::guards_by_checks(PieceId root, PieceId ward) {
  NamedBoard opponent = board_;
  opponent.pass();
  const Square at = board_.square_of(ward);
  MoveList takes, checks;
  opponent.captures_on(at, takes);
  for (Move take : takes) {
    NamedBoard line = opponent;
    line.play(take);
    NodeBudget budget(limits_.exchange_nodes);
    GainSearch search(line, rules_, budget, mates_);
    search.level = strong_value(type_of(board_.piece_on(at)));
    line.possible_checks(checks);
    for (Move m : checks) {
      PieceSet won = 0;
      if (line.id(m.from()) == root && search.run_begins(m, &won, kTradeRunChecks) &&
          (won & set_of(line.id(at))))
        return true;
    }
    cut_ |= budget.incomplete();
  }
  return false;
}

bool GainFinder::is_threatened_by_mate() {
  if (!threatened_) {
    NamedBoard opponent = board_;
    opponent.pass();
    NodeBudget budget(limits_.exchange_nodes);
    threatened_ = find_mate(opponent, rules_.counter_mate_checks, budget).has_value();
    cut_ |= budget.exceeded;
  }
  return *threatened_;
}

std::vector<Move> GainFinder::line_of(const Gain& gain) {
  NodeBudget budget(limits_.exchange_nodes);
  GainSearch search(board_, rules_, budget, mates_);
  for (const MutualPair& b : banned_)
    if (!gain.offer || b.attacker != gain.attacker || b.victim != gain.victim) search.banned.push_back(b);
  search.not_elsewhere = gain.form == GainForm::Checks ? won_singly_ : won_at_once_;
  search.pawns_capture = pawns_capture_;
  search.level = gain.level;
  const Move first(gain.from, gain.to);
  return gain.form == GainForm::Checks ? search.line_of_run(first) : search.line_of_capture(first);
}

}  // namespace chuhe::xiangqi
