#pragma once
// What a side can win by force in the ways that the articles know (29.1): one capture, a complete exchange,
// consecutive checks; and mate by consecutive checks (28.2). All from a position in which that side, the
// attacker, is to move. Internal to the judge.

#include <optional>
#include <unordered_map>
#include <vector>

#include "xiangqi/rules/balance.h"
#include "xiangqi/rules/named_board.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::xiangqi {

/// Counts the boards that a search looks at.
struct NodeBudget {
  int total, left;
  bool exceeded = false;
  bool cut = false;  // a smaller search on the way, with a budget of its own, stopped early
  bool incomplete() const { return exceeded || cut; }
  explicit NodeBudget(int nodes) : total(nodes), left(nodes) {}
  bool spend() {
    if (--left >= 0) return true;
    exceeded = true;
    return false;
  }
};

/// Two pieces of one kind that attack each other: taking is an exchange, not a gain (L general 6).
struct MutualPair {
  PieceId attacker, victim;
  Square square;  // of the victim
};

struct MateFound {
  Move first;
  int checks;  // the number of checks, the mating one included
};

/// How deep the searches look. Article texts set no number; these are the least that explain the official
/// figures, with room to spare.
inline constexpr int kMateChecks = 9;        // 28.2
inline constexpr int kRunChecks = 6;         // 29.1
inline constexpr int kHiddenRootChecks = 4;  // 28.16
inline constexpr int kExchangeCaptures = 4;  // 29.1

/// Shortest mate by at most `max_checks` consecutive checks of the side to move, without any capture inside the
/// pairs `banned`. `moved`: the side's pieces that have moved on the way to this board.
std::optional<MateFound> find_mate(NamedBoard& board, int max_checks, NodeBudget& budget,
                                   const std::vector<MutualPair>& banned = {}, PieceSet moved = 0);
/// Does the move give check and mate by at most `checks` consecutive checks, itself included?
bool mates_with(NamedBoard& board, Move m, int checks, NodeBudget& budget,
                const std::vector<MutualPair>& banned = {});
/// Does the move of a mating line capture inside one of the pairs? A victim that has left its point to stand in
/// the way of a check is fair game once another piece has helped: the offering piece takes part in the mate (L
/// general 6). `moved`: the pieces that have moved in the line.
bool is_inside(const std::vector<MutualPair>& pairs, const NamedBoard& board, Move m, PieceSet moved);

/// Boards on which the side to move was asked for a mate by a few checks (29.4); shared by the searches
/// around one ply.
using MateMemo = std::unordered_map<uint64_t, bool>;

/// The searches for gains from one position, with what all of them share.
class GainSearch {
 public:
  /// `attacker` is the side to move on the board. `exempt` answers which exemptions hold.
  GainSearch(NamedBoard& board, const RuleSet& rules, NodeBudget& budget, MateMemo& mates)
      : board_(board), rules_(rules), budget_(budget), mates_(mates), attacker_(board.side_to_move()) {
    for (Square s : board.position().pieces(PieceType::Pawn)) pawns_ |= set_of(board.id(s));
  }

  // What the lines must keep to.
  std::vector<MutualPair> banned;  // captures that are exchanges between like pieces
  PieceSet not_elsewhere = 0;      // victims that may not be taken as a continuation on another point
  PieceSet loose = 0;              // attacker's pieces that the opponent may take instead of recapturing
  int level = 0;                   // gain wanted, as in is_gain()
  bool pawns_capture = false;      // a pawn's own capture counts (27.2 of 1999 in mutual attacks)

  bool is_banned(Move m) const;
  /// 27.1, 27.2: a capture by the king or by a pawn, unless it uncovers a check by another piece.
  bool is_own_attack_of_king_or_pawn(Move m);

  /// The attacker has just captured on `square`: does the gain stand whatever the opponent does there?
  bool stands(Square square, const Balance& balance, int captures = kExchangeCaptures);
  /// stands() for the attacker's first capture m, which is made here. It does not if the capture itself lays
  /// something dearer open (each takes his own, L 29.2): an equal piece laid open does not matter.
  bool first_stands(Move m);
  /// Why stands() said no for a first capture: it would, but for this exemption.
  std::optional<Exemption> refuted_by() const { return refuted_by_; }
  /// 29.4: would the opponent, to move, mate by the number of checks that the rule set names?
  bool counter_mates();

  /// Attacker to move after a loss on `square`: does he come out with a gain by capturing?
  bool recovers(Square square, const Balance& balance, int captures);

  /// Attacker to move, `movers` have given the checks so far: does he win something by a capture now or by
  /// further checks? `taken`: what has been captured on the way. Adds to `victims` what the lines win.
  bool run_gains(const Balance& balance, int checks, PieceSet movers, PieceSet taken, PieceSet* victims);
  /// Like it for the first move, which must give check; `balance` is what was won or lost before.
  bool run_begins(Move first, PieceSet* victims, int checks = kRunChecks, bool follow_movers = true,
                  const Balance& balance = {});

  /// One way to carry a capture or run out, for the explanation.
  std::vector<Move> line_of_capture(Move first);
  std::vector<Move> line_of_run(Move first);

 private:
  bool lays_open(const Position& before, Square taken, const Balance& won);
  /// Like run_gains() for one move, which must give check; `movers` with its piece.
  bool check_gains(Move m, const Balance& balance, int checks, PieceSet movers, PieceSet taken,
                   PieceSet* victims);
  bool captures_now(const Balance& balance, PieceSet movers, PieceSet taken, PieceSet* victims, Move* which);
  bool wins_back(PieceId capturer, const Balance& balance, int checks, bool root);
  bool mates_in_one();

  NamedBoard& board_;
  const RuleSet& rules_;
  NodeBudget& budget_;
  MateMemo& mates_;
  Color attacker_;
  PieceSet pawns_ = 0;
  std::optional<Exemption> refuted_by_;
  std::unordered_map<uint64_t, int> run_failures_;  // board, balance, movers -> checks that did not suffice
};

/// What happens if the opponent takes first in a mutual pair (28.5, 28.6): nothing bad to him (an exchange or
/// offer), or he loses material, or he is mated.
enum class OfferKind : uint8_t { True, LosesMaterial, Mated };
/// `capture` is the attacker's side of the pair. `cut` is set if a search stopped early.
OfferKind offer_kind(const NamedBoard& board, Move capture, const RuleSet& rules, int nodes, bool& cut,
                     const std::vector<MutualPair>& banned = {}, PieceSet not_elsewhere = 0);

/// Does the piece on m.from() attack one of its kind on m.to() that could take it, too?
bool is_mutual_pair(const NamedBoard& board, Move m);

}  // namespace chuhe::xiangqi
