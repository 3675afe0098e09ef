#pragma once
// Lines of captures and checks, for tests/property/judge: what one side could win or mate.

#include <functional>

#include "tests/property/judge_brute.h"

namespace chuhe::xiangqi::brute {

Piece piece_of(const Board& b, int man);
/// The worth of the piece on s (25.3); a pawn counts across the river only.
Balance worth(const Board& b, Square s);
Balance operator+(Balance won, Balance more);
Balance operator-(Balance won, Balance lost);
/// rook > horse, cannon > advisor, elephant.
int rank_of_piece(Piece p);
bool gives_check(const Board& b, Move m);
/// Legal moves of the side to move that take on `point`.
MoveList takers(const Board& b, Square point);
/// A pair of like men, each of which can take the other: `side`'s man first.
Pairs mutual_pairs(const Board& b, Color side, bool aside);
/// All moves of the side to move, or those that leave its king's safety aside.
MoveList moves_of(const Board& b, bool aside);

class Lines {
 public:
  using Count = std::function<void()>;
  /// For `side`. `aside`: the safety of its king is left aside.
  Lines(const RuleSet& rules, Color side, bool aside, bool pawns, Count count);

  /// To be called with the side to move: its pairs and what it could take for nothing.
  void look_at(const Board& b);
  void look_at_free(const Board& b);
  Gains gains(const Board& b);
  std::optional<Gain> capture(const Board& b, Move m, int level) const;
  std::optional<Gain> run(const Board& b, Move m, int level) const;
  /// The highest level at which some run of checks ends in a gain, with so much won before; -1: none does.
  int best_run(const Board& b, Balance won) const;
  /// Does a run of checks that the man begins win the other side's man `prey`, and so many strong pieces?
  bool run_takes(const Board& b, int man, int prey, int level) const;
  bool stands_first(const Board& b, Move m, int level) const;
  /// stands_first(), a mate by the opponent left aside; and it would not stand with it.
  bool stands_but_for_mate(const Board& b, Move m) const;
  bool lays_open(const Board& b, Move m) const;
  bool own_attack_only(const Board& b, Move m) const;  // of a king, or a pawn that uncovers no check
  MoveList moves(const Board& b) const;
  /// Sets the pairs: no man takes its counterpart in any line, nor what else stands on that point later.
  void keep_from(const Board& b, const Pairs& pairs);
  bool barred(const Board& b, Move m) const;
  Pairs pairs, points;
  Men free;    // what the side could take for nothing anyway: taken in no line
  Men singly;  // what it wins by one capture, whoever takes: no matter of runs
  Men hangs;   // own men that the opponent may take in a line instead of recapturing

  /// Can the side to move mate by at most n consecutive checks? `moved`: its men that moved in the line.
  bool mates(const Board& b, int n, const MateBan& ban = {}, const Men& moved = {}) const;
  /// After a first check already made (the opponent to move): mated by n more checks at most?
  bool mated(const Board& b, int n, const MateBan& ban = {}, const Men& moved = {}) const;
  bool has_real_root(const Board& b, Square point) const;
  /// How the opponent fares that takes first in the pair: 2 he is mated, 1 he loses, 0 a true offer.
  int taken_first(const Board& b, std::pair<int, int> pair) const;
  /// After `take` in a pair and captures on that point alone.
  bool wins_trade(const Board& b, Move take) const;

 private:
  struct Run {
    Balance won;
    int level, checks;  // more that may be given
    Men movers;         // who gave checks: may be taken when the run ends
  };
  bool stands(const Board& b, Square point, Balance won, int level, int captures,
              const Men& vulnerable) const;
  bool answers(const Board& b, Square point, Balance won, int level, int captures,
               const Men& vulnerable) const;
  /// After captures of this side: does the opponent, to move, win the man back by consecutive checks, so that
  /// the gain is gone?
  bool won_back(const Board& b, int man, Balance won, int level, int checks, bool at_once,
                const Men& vulnerable) const;
  bool taken_back(const Board& b, int man, Balance won, int level, const Men& vulnerable) const;
  bool run_goes_on(const Board& b, const Run& run, Gain& lines) const;    // the opponent to move
  bool run_continues(const Board& b, const Run& run, Gain& lines) const;  // the side to move
  MoveList replies(const Board& b) const;                                 // the opponent's legal moves
  void find_runs(const Board& b, Gains& out);
  void find_offers(const Board& b, Gains& out);

  const RuleSet& rules_;
  Color side_;
  bool aside_, pawns_;
  Count count_;
};

}  // namespace chuhe::xiangqi::brute
