#pragma once
// A whole game so far: start position, moves, and a fact sheet per ply. The judge reads its suffix since the
// last irreversible move; the encoder its last moves.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

/// One ply that was played, with what is needed without replaying: everything describes the situation after
/// the move.
struct PlyFacts {
  uint64_t key;  // of the position after the move
  Move move;
  Piece captured;  // by the move
  bool gives_check;
  int16_t
      quiet_plies;  // plies since the last capture or the start, after the move (the FEN's counter included)
  int16_t counted_plies;  // as quiet_plies, but checks beyond the rule set's number and the replies to them
                          // are left out
  int16_t checks[2];      // checks given by Red, Black since the last capture
  int16_t occurrences;    // how often this position (board and side) has now occurred in the game, at least 1
  int16_t reversible;  // plies since the last move that can never be undone (capture, pawn step forward) or
                       // the start
};
static_assert(sizeof(PlyFacts) == 24);  // the search pushes and scans these along every path

class GameHistory {
 public:
  /// `natural_limit_checks` as in the RuleSet (it decides counted_plies).
  explicit GameHistory(const Position& start = Position(), int natural_limit_checks = 10);

  void push(Move legal_move);
  /// Takes the last n plies back (search walks).
  void pop(int n = 1);

  const Position& start() const { return start_; }
  const Position& current() const { return current_; }
  int plies() const { return int(facts_.size()); }
  std::span<const PlyFacts> facts() const { return facts_; }
  /// How often the current position has occurred, this time included.
  int occurrences() const { return facts_.empty() ? 1 : facts_.back().occurrences; }
  int counted_plies() const { return facts_.empty() ? start_.quiet_plies() : facts_.back().counted_plies; }
  /// The ply index at which the current position last occurred before now (-1: at the start), or -2 if never.
  int previous_occurrence() const;
  /// The position after the first `plies` moves, replayed from the start.
  Position position_at(int plies) const;

 private:
  /// Of the position after ply `ply`, as previous_occurrence() numbers them.
  int occurrences_at(int ply) const;
  Position start_, current_;
  int natural_limit_checks_;
  std::vector<PlyFacts> facts_;
};

}  // namespace chuhe::xiangqi
