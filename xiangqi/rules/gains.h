#pragma once
// Everything that one side could win if it were to move: the same function describes the position before and
// after the move that is judged. Internal to the judge.

#include <vector>

#include "xiangqi/rules/gain_search.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {

struct Gain {
  PieceId attacker, victim;  // no victim: a run of checks that begins with a quiet move
  Square from, to;
  GainForm form;
  bool free = false;         // a single capture: no real root
  bool has_root = false;     // pieces stand behind the victim, real roots or not
  int level = 0;             // as in is_gain()
  int run_level = 0;         // of a capture that is also a check, if the run wins more
  PieceSet run_victims = 0;  // what its shortest lines win; filled by find_run_victims()
  bool offer = false;        // a mutual pair of which the opponent cannot afford to take either
  int best_level() const { return level > run_level ? level : run_level; }
};

/// The gains of the side to move, worked out as they are asked for.
class GainFinder {
 public:
  GainFinder(const NamedBoard& board, const RuleSet& rules, const JudgeBudget& budget, MateMemo& mates,
             bool pawns_capture = false);
  GainFinder(const GainFinder&) = delete;
  GainFinder& operator=(const GainFinder&) = delete;

  const NamedBoard& board() const { return board_; }
  /// Single captures and exchanges. (Their run_level is set once runs() has been called.)
  const std::vector<Gain>& captures();
  const std::vector<Gain>& runs();
  /// Fills in run_victims.
  void find_run_victims();
  /// Mutual pairs with which the opponent loses material whether he takes or not.
  const std::vector<Gain>& offers();
  /// Those that an exemption set aside, with the reason.
  struct SetAside {
    Gain gain;
    Exemption exemption;
  };
  const std::vector<SetAside>& set_aside() const { return set_aside_; }
  /// Captures between like pieces that attack each other.
  const std::vector<Move>& mutual() const { return mutual_; }

  /// Does taking `victim` with `attacker` gain, if the opponent may also take one of `loose` in return?
  bool pair_gains(PieceId attacker, PieceId victim, PieceSet loose, int level, bool offer = false);
  /// Does a mutual pair, taken on, win by captures on that one point?
  bool trade_gains(PieceId attacker, PieceId victim);
  bool run_gains(PieceId attacker, Square to, PieceSet loose, int level);
  /// Would the opponent, once the capture is made, win more than he lost by consecutive checks, and a dearer
  /// piece than he could win so had the side passed?
  bool lays_open_to_run(PieceId attacker, PieceId victim);
  /// If the opponent took `ward`, would the side win the taker by checks that begin with `root` (暗根)?
  bool guards_by_checks(PieceId root, PieceId ward);
  /// Would the opponent mate, had the side passed, by so few checks that 29.4 asks for them?
  bool is_threatened_by_mate();

  /// A search on another board that mattered here stopped early.
  void note_cut(bool cut) { cut_ |= cut; }
  std::vector<Move> line_of(const Gain& gain);
  const JudgeBudget& limits() const { return limits_; }
  bool budget_exceeded() const { return exchange_budget_.incomplete() || cut_; }

 private:
  /// A checking move with which a run may begin, the gain by single capture that it also is, and the level
  /// that the run wins (-1: nothing).
  struct FirstCheck {
    Move move;
    Gain* capture;
    int level;
  };
  void find_captures();
  bool wins_at_once(GainSearch& search, Move m);
  Gain describe(Move m);
  void find_runs();
  void find_offers();
  bool capture_stands(PieceId attacker, PieceId victim, PieceSet loose, int level, bool offer,
                      PieceSet not_elsewhere);
  bool offer_gains(GainSearch& search, Move m);
  int opponents_best_run(NamedBoard line, const Balance& lost);

  NamedBoard board_;
  const RuleSet& rules_;
  bool pawns_capture_;
  JudgeBudget limits_;
  NodeBudget exchange_budget_, check_budget_;
  MateMemo& mates_;
  std::vector<Move> single_, mutual_;
  std::vector<MutualPair> banned_;
  std::vector<Gain> captures_, runs_, offers_;
  std::vector<SetAside> set_aside_;
  PieceSet won_at_once_ = 0;  // victims of captures that need no continuation
  PieceSet won_singly_ = 0;   // victims of direct gains, whoever takes them
  bool have_captures_ = false, have_runs_ = false, have_offers_ = false, have_run_victims_ = false;
  bool cut_ = false;
  std::optional<bool> threatened_;
};

}  // namespace chuhe::xiangqi
