#include "xiangqi/rules/gain_search.h"

#include <algorithm>

namespace chuhe::xiangqi {
namespace {

// A board of a mate search costs about an eighth of one of an exchange.
constexpr int kMateBoardsPerNode = 8;
constexpr int kOfferMateChecks = 3, kOfferRunChecks = 3, kOfferCaptures = 2;

/// A move played for the time of a scope.
class Played {
 public:
  Played(NamedBoard& board, Move m) : board_(board), move_(m), undo_(board.play(m)) {}
  ~Played() { board_.take_back(move_, undo_); }
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;

 private:
  NamedBoard& board_;
  Move move_;
  NamedBoard::Undo undo_;
};

class MateSearch {
 public:
  MateSearch(NamedBoard& board, NodeBudget& budget, const std::vector<MutualPair>& banned, PieceSet moved)
      : board_(board), budget_(budget), banned_(banned), moved_(moved) {}

  /// Did the last search leave a check unanswered for want of depth?
  bool was_cut() const { return cut_; }
  void begin_iteration() { cut_ = false; }

  /// The side to move mates by at most `checks` checks.
  bool mates(int checks, Move* first = nullptr) {
    if (!budget_.spend()) return false;
    // What may be taken depends on who has moved only where there are pairs.
    const uint64_t key = board_.position().key() ^ (banned_.empty() ? 0 : moved_ * 0x9e3779b97f4a7c15ULL);
    if (!first)
      if (const auto it = failures_.find(key); it != failures_.end() && it->second >= checks) {
        cut_ = true;  // the earlier search may have been
        return false;
      }
    MoveList list;
    board_.possible_checks(list);
    for (Move m : list) {
      if (is_inside(banned_, board_, m, moved_)) continue;
      if (mates_with(m, checks)) {
        if (first) *first = m;
        return true;
      }
      if (budget_.exceeded) return false;
    }
    failures_[key] = checks;
    return false;
  }

 private:
  bool mates_with(Move m, int checks) {
    const PieceSet moved_before = moved_;
    moved_ |= set_of(board_.id(m.from()));
    const bool mates = mates_after(m, checks);
    moved_ = moved_before;
    return mates;
  }

  bool mates_after(Move m, int checks) {
    Played check(board_, m);
    if (!board_.in_check(board_.side_to_move())) return false;
    if (checks == 1) {
      if (!board_.has_move()) return true;
      cut_ = true;
      return false;
    }
    // What answered this check before most likely does again; else taking the piece that checks does.
    const auto fails = [&](Move r) {
      Played reply(board_, r);
      return !mates(checks - 1);
    };
    const uint64_t key = board_.position().key();
    const auto known = refuters_.find(key);
    const Move first = known == refuters_.end() ? Move() : known->second;
    if (first && fails(first)) return false;
    MoveList replies;
    board_.moves(replies);
    for (const bool taking : {true, false})
      for (Move r : replies)
        if (r != first && (r.to() == m.to()) == taking && fails(r)) {
          refuters_[key] = r;
          return false;
        }
    return true;
  }

  NamedBoard& board_;
  NodeBudget& budget_;
  const std::vector<MutualPair>& banned_;
  PieceSet moved_;  // the side's pieces that have moved in the line
  bool cut_ = false;
  std::unordered_map<uint64_t, Move> refuters_;  // board in check -> the reply that refuted the check
  std::unordered_map<uint64_t, int> failures_;   // board -> checks that did not suffice
};

}  // namespace

std::optional<MateFound> find_mate(NamedBoard& board, int max_checks, NodeBudget& budget,
                                   const std::vector<MutualPair>& banned, PieceSet moved) {
  MateSearch search(board, budget, banned, moved);
  for (int checks = 1; checks <= max_checks && !budget.exceeded; ++checks) {
    Move first;
    search.begin_iteration();
    if (search.mates(checks, &first)) return MateFound{first, checks};
    if (!search.was_cut()) break;
  }
  return std::nullopt;
}

bool mates_with(NamedBoard& board, Move m, int checks, NodeBudget& budget,
                const std::vector<MutualPair>& banned) {
  const PieceSet moved = set_of(board.id(m.from()));
  Played check(board, m);
  if (!board.in_check(board.side_to_move())) return false;
  MoveList replies;
  board.moves(replies);
  return std::ranges::all_of(replies, [&](Move r) {
    Played reply(board, r);
    return checks > 1 && find_mate(board, checks - 1, budget, banned, moved);
  });
}

bool is_inside(const std::vector<MutualPair>& pairs, const NamedBoard& board, Move m, PieceSet moved) {
  return std::ranges::any_of(pairs, [&](const MutualPair& p) {
    return p.attacker == board.id(m.from()) && p.victim == board.id(m.to()) &&
           (p.square == m.to() || !(moved & ~set_of(p.attacker)));
  });
}

bool is_mutual_pair(const NamedBoard& board, Move m) {
  if (type_of(board.piece_on(m.from())) != type_of(board.piece_on(m.to()))) return false;
  const Position other_side = board.position().after_pass();
  return other_side.is_legal(Move(m.to(), m.from()));
}

OfferKind offer_kind(const NamedBoard& board, Move capture, const RuleSet& rules, int nodes, bool& cut,
                     const std::vector<MutualPair>& banned, PieceSet not_elsewhere) {
  NamedBoard line = board;
  line.pass();
  const Square square = capture.from();
  const Balance balance = Balance{}.lost(line.piece_on(square), square);
  line.play(Move(capture.to(), square));
  NodeBudget mate_budget(nodes);
  if (find_mate(line, kOfferMateChecks, mate_budget)) return OfferKind::Mated;
  cut |= mate_budget.exceeded;
  NodeBudget budget(nodes);
  MateMemo mates;
  GainSearch search(line, rules, budget, mates);
  search.banned = banned;
  search.not_elsewhere = not_elsewhere;
  const bool gains = search.recovers(square, balance, kOfferCaptures) ||
                     search.run_gains(balance, kOfferRunChecks, 0, 0, nullptr);
  cut |= budget.incomplete();
  return gains ? OfferKind::LosesMaterial : OfferKind::True;
}

bool GainSearch::is_banned(Move m) const {
  for (const MutualPair& b : banned)
    if (b.attacker == board_.id(m.from()) && (b.victim == board_.id(m.to()) || b.square == m.to()))
      return true;
  return false;
}

bool GainSearch::is_own_attack_of_king_or_pawn(Move m) {
  const PieceType t = type_of(board_.piece_on(m.from()));
  if (t == PieceType::King) return rules_.exempts(Exemption::KingAttack);
  if (t != PieceType::Pawn || !rules_.exempts(Exemption::PawnAttack)) return false;
  Played capture(board_, m);
  const Color opponent = board_.side_to_move();
  const Position& p = board_.position();
  return !(p.attackers_to(p.king(opponent), ~opponent, p.occupied()) & ~Bitboard::of(m.to()));
}

bool GainSearch::mates_in_one() {
  static const std::vector<MutualPair> kNone;
  return MateSearch(board_, budget_, kNone, 0).mates(1);
}

bool GainSearch::counter_mates() {
  if (!rules_.exempts(Exemption::CapturerMated)) return false;
  const uint64_t key = board_.position().key() ^ uint64_t(board_.ignores_safety_of(attacker_));
  if (const auto it = mates_.find(key); it != mates_.end()) return it->second;
  NodeBudget own(budget_.total);
  const bool mates = find_mate(board_, rules_.counter_mate_checks, own).has_value();
  budget_.left -= (own.total - own.left) / kMateBoardsPerNode;
  budget_.cut |= own.exceeded;
  mates_[key] = mates;
  return mates;
}

bool GainSearch::stands(Square square, const Balance& balance, int captures) {
  if (!budget_.spend() || !is_gain(balance, level)) return false;
  const bool first = captures == kExchangeCaptures;
  if (first) refuted_by_.reset();
  MoveList replies;
  board_.moves(replies, true);
  for (Move r : replies) {
    if (r.to() != square && !(loose & set_of(board_.id(r.to())))) continue;
    const Balance after = balance.lost(board_.piece_on(r.to()), r.to());
    Played reply(board_, r);
    if (!recovers(r.to(), after, captures)) return false;
  }
  if (counter_mates()) {
    if (first) refuted_by_ = Exemption::CapturerMated;
    return false;
  }
  if (captures >= kExchangeCaptures - 1 && !board_.ignores_safety_of(attacker_) &&
      rules_.exempts(Exemption::HiddenRoot) &&
      !is_gain(balance.lost(board_.piece_on(square), square), level) &&
      wins_back(board_.id(square), balance, kHiddenRootChecks, true)) {
    if (first) refuted_by_ = Exemption::HiddenRoot;
    return false;
  }
  return true;
}

bool GainSearch::first_stands(Move m) {
  const Position before = board_.position();
  const Balance won = Balance{}.won(board_.piece_on(m.to()), m.to());
  Played capture(board_, m);
  if (!stands(m.to(), won)) return false;
  if (!rules_.exempts(Exemption::LaidOpen) || !lays_open(before, m.to(), won)) return true;
  refuted_by_ = Exemption::LaidOpen;
  return false;
}

/// Opponent to move: can he take something that he did not reach before the capture, so that he comes out
/// with a gain?
bool GainSearch::lays_open(const Position& before, Square taken, const Balance& won) {
  const auto opponents = [](const Balance& b) { return Balance{-b.strong, -b.weak, -b.pawns, true}; };
  MoveList replies;
  board_.moves(replies, true);
  for (Move r : replies) {
    if (r.to() == taken || reach(before, r.from()).has(r.to())) continue;
    const Balance after = won.lost(board_.piece_on(r.to()), r.to());
    if (!is_gain(opponents(after))) continue;
    Played reply(board_, r);
    MoveList recaptures;
    board_.captures_on(r.to(), recaptures);
    if (recaptures.empty() || is_gain(opponents(after.won(board_.piece_on(r.to()), r.to())))) return true;
  }
  return false;
}

/// Attacker to move after a recapture on `square`.
bool GainSearch::recovers(Square square, const Balance& balance, int captures) {
  if (is_gain(balance, level)) return true;
  if (captures <= 0 || !budget_.spend()) return false;
  // A root whose capture leaves its king to be mated is no root (28.16).
  if (mates_in_one()) return true;
  MoveList list;
  board_.moves(list, true);
  for (Move m : list) {
    const bool elsewhere = m.to() != square;
    if (elsewhere && (not_elsewhere & set_of(board_.id(m.to())))) continue;
    if (is_banned(m)) continue;
    if (elsewhere && !pawns_capture && is_own_attack_of_king_or_pawn(m)) continue;
    const Balance after = balance.won(board_.piece_on(m.to()), m.to());
    Played capture(board_, m);
    if (stands(m.to(), after, captures - 1)) return true;
    if (budget_.exceeded) return false;
  }
  return false;
}

/// 暗根 (28.16): the opponent, to move, wins the capturer back by consecutive checks.
bool GainSearch::wins_back(PieceId capturer, const Balance& balance, int checks, bool root) {
  if (!budget_.spend()) return false;
  const Square where = board_.square_of(capturer);
  if (where == kNoSquare) return !is_gain(balance, level);
  MoveList list;
  if (!root) {
    board_.captures_on(where, list);
    for (Move m : list) {
      const Balance after = balance.lost(board_.piece_on(where), where);
      if (is_gain(after, level)) continue;
      Played recapture(board_, m);
      if (!recovers(where, after, 1)) return true;
    }
  }
  if (checks <= 0) return false;
  board_.possible_checks(list);
  const Color defender = ~board_.side_to_move();
  for (Move m : list) {
    if (m.to() == where) continue;
    const Balance after_check =
        board_.position().empty(m.to()) ? balance : balance.lost(board_.piece_on(m.to()), m.to());
    Played check(board_, m);
    if (!board_.in_check(defender)) continue;
    MoveList replies;
    board_.moves(replies);
    bool all = !replies.empty();
    for (Move r : replies) {
      if (!board_.position().empty(r.to()) && is_banned(r)) continue;
      const Balance after =
          board_.position().empty(r.to()) ? after_check : after_check.won(board_.piece_on(r.to()), r.to());
      Played reply(board_, r);
      if (!wins_back(capturer, after, checks - 1, false)) {
        all = false;
        break;
      }
    }
    if (all) return true;
    if (budget_.exceeded) return false;
  }
  return false;
}

bool GainSearch::captures_now(const Balance& balance, PieceSet movers, PieceSet taken, PieceSet* victims,
                              Move* which) {
  MoveList list;
  board_.moves(list, true);
  const PieceSet loose_before = loose;
  bool any = false;
  for (Move m : list) {
    const PieceSet victim = set_of(board_.id(m.to()));
    if ((not_elsewhere & victim) || is_banned(m)) continue;
    if (!pawns_capture && !(movers & set_of(board_.id(m.from()))) && is_own_attack_of_king_or_pawn(m))
      continue;
    const Balance after = balance.won(board_.piece_on(m.to()), m.to());
    // Who gave the checks may be taken instead of the capturer: the run must be complete.
    loose = (loose_before | (movers & ~pawns_)) & ~set_of(board_.id(m.from()));
    bool gains;
    {
      Played capture(board_, m);
      gains = stands(m.to(), after);
    }
    loose = loose_before;
    if (gains && victims) *victims |= taken | victim;
    if (gains && which) *which = m;
    any |= gains;
    // Whoever asks for the victims hears of all of them, so that the order of moves does not matter.
    if ((gains && !victims) || budget_.exceeded) return any;
  }
  return any;
}

bool GainSearch::run_gains(const Balance& balance, int checks, PieceSet movers, PieceSet taken,
                           PieceSet* victims) {
  if (!board_.ignores_safety_of(attacker_) && board_.in_check(attacker_) && !board_.has_move()) return false;
  if (is_gain(balance, level)) {
    if (victims) *victims |= taken;
    return true;
  }
  if (!budget_.spend()) return false;
  const uint64_t key =
      (board_.position().key() + uint64_t(level)) ^ uint64_t(balance.strong + 64) * 0x9e3779b97f4a7c15ULL ^
      uint64_t(balance.weak + 64) * 0xc2b2ae3d27d4eb4fULL ^
      uint64_t(balance.pawns + 64) * 0x165667b19e3779f9ULL ^
      uint64_t(balance.lost_any) * 0x27d4eb2f165667c5ULL ^ uint64_t(movers) * 0x85ebca77c2b2ae63ULL;
  if (const auto it = run_failures_.find(key); it != run_failures_.end() && it->second >= checks)
    return false;
  if (captures_now(balance, movers, taken, victims, nullptr)) return true;
  if (checks > 0 && !budget_.exceeded) {
    bool any = false;
    MoveList list;
    board_.possible_checks(list);
    for (Move m : list) {
      const bool captures = !board_.position().empty(m.to());
      const PieceSet victim = captures ? set_of(board_.id(m.to())) : 0;
      if (captures && ((not_elsewhere & victim) || is_banned(m))) continue;
      const bool gains =
          check_gains(m, balance, checks, movers | set_of(board_.id(m.from())), taken, victims);
      any |= gains;
      if ((gains && !victims) || budget_.exceeded) return any;
    }
    if (any) return true;
  }
  if (!budget_.exceeded) run_failures_[key] = checks;
  return false;
}

bool GainSearch::check_gains(Move m, const Balance& balance, int checks, PieceSet movers, PieceSet taken,
                             PieceSet* victims) {
  const bool captures = !board_.position().empty(m.to());
  const Balance after_check = captures ? balance.won(board_.piece_on(m.to()), m.to()) : balance;
  if (captures) taken |= set_of(board_.id(m.to()));
  Played check(board_, m);
  if (!board_.in_check(board_.side_to_move())) return false;
  MoveList replies;
  board_.moves(replies);
  PieceSet won = taken;  // a mating check leaves no reply after which it could be noted
  for (Move r : replies) {
    const Balance after =
        board_.position().empty(r.to()) ? after_check : after_check.lost(board_.piece_on(r.to()), r.to());
    Played reply(board_, r);
    if (!run_gains(after, checks - 1, movers, taken, victims ? &won : nullptr)) return false;
  }
  if (victims) *victims |= won;
  return true;
}

bool GainSearch::run_begins(Move first, PieceSet* victims, int checks, bool follow_movers,
                            const Balance& balance) {
  const PieceSet movers = follow_movers ? set_of(board_.id(first.from())) : 0;
  return check_gains(first, balance, checks, movers, 0, victims);
}

std::vector<Move> GainSearch::line_of_capture(Move first) {
  std::vector<Move> line{first};
  Balance balance = Balance{}.won(board_.piece_on(first.to()), first.to());
  std::vector<NamedBoard::Undo> undone{board_.play(first)};
  Square square = first.to();
  for (int captures = kExchangeCaptures; captures > 0; --captures) {
    MoveList recaptures;
    board_.captures_on(square, recaptures);
    if (recaptures.empty()) break;
    const Move r = recaptures[0];
    balance = balance.lost(board_.piece_on(r.to()), r.to());
    line.push_back(r);
    undone.push_back(board_.play(r));
    if (is_gain(balance, level)) break;
    MoveList list;
    board_.moves(list, true);
    bool found = false;
    for (Move m : list) {
      const bool elsewhere = m.to() != square;
      if ((elsewhere && (not_elsewhere & set_of(board_.id(m.to())))) || is_banned(m)) continue;
      const Balance after = balance.won(board_.piece_on(m.to()), m.to());
      const auto undo = board_.play(m);
      if (stands(m.to(), after, captures - 1)) {
        found = true;
        balance = after;
        square = m.to();
        line.push_back(m);
        undone.push_back(undo);
        break;
      }
      board_.take_back(m, undo);
    }
    if (!found) break;
  }
  for (size_t i = line.size(); i-- > 0;) board_.take_back(line[i], undone[i]);
  return line;
}

std::vector<Move> GainSearch::line_of_run(Move first) {
  std::vector<Move> line;
  std::vector<NamedBoard::Undo> undone;
  Balance balance;
  PieceSet movers = 0;
  const auto play = [&](Move m, bool own) {
    if (!board_.position().empty(m.to()))
      balance =
          own ? balance.won(board_.piece_on(m.to()), m.to()) : balance.lost(board_.piece_on(m.to()), m.to());
    line.push_back(m);
    undone.push_back(board_.play(m));
  };
  Move next = first;
  for (int checks = kRunChecks; next; --checks) {
    movers |= set_of(board_.id(next.from()));
    play(next, true);
    next = Move{};
    MoveList replies;
    board_.moves(replies);
    if (replies.empty()) break;
    play(replies[0], false);
    if (is_gain(balance, level)) break;
    Move capture;
    if (captures_now(balance, movers, 0, nullptr, &capture)) {
      play(capture, true);
      break;
    }
    MoveList list;
    board_.possible_checks(list);
    for (Move m : list) {
      const bool captures = !board_.position().empty(m.to());
      if (checks <= 1 || (captures && ((not_elsewhere & set_of(board_.id(m.to()))) || is_banned(m))))
        continue;
      if (check_gains(m, balance, checks - 1, movers | set_of(board_.id(m.from())), 0, nullptr)) {
        next = m;
        break;
      }
    }
  }
  for (size_t i = line.size(); i-- > 0;) board_.take_back(line[i], undone[i]);
  return line;
}

}  // namespace chuhe::xiangqi
