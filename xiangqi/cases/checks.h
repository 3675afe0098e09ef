#pragma once
// The checks, by kind of statement. Internal to this folder.

#include <string>
#include <utility>
#include <vector>

#include "xiangqi/board/position.h"
#include "xiangqi/cases/case_check.h"
#include "xiangqi/cases/mate_solver.h"
#include "xiangqi/endgame/endgame_table.h"

namespace chuhe::xiangqi {

/// A case whose moves have been played.
struct PlayedCase {
  const Case& source;
  const Expectation& expected;
  Position start, last;
  std::vector<Move> moves;
  CheckedCase& result;

  void add(std::string subject, Finding finding, std::string said, std::string wanted) {
    result.statements.push_back({std::move(subject), finding, std::move(said), std::move(wanted)});
  }
  /// Right if both texts are the same.
  void compare(std::string subject, const std::string& said, const std::string& wanted) {
    add(std::move(subject), said == wanted ? Finding::Right : Finding::Wrong, said, wanted);
  }
};

/// "h2e2,h9g7"
std::string to_text(const std::vector<Move>& moves);
/// Empty, or why the moves cannot be played one after the other from p, which they change.
std::string play_all(Position& p, const std::vector<Move>& moves);

void check_repetition(PlayedCase& c);
void check_notation(PlayedCase& c);
/// Mate by consecutive checks: mate_in, kill.
void check_mate(PlayedCase& c, MateSolver& solver);
/// Gain and recapture.
void check_gain(PlayedCase& c);

/// Exact values and traditional claims.
void check_endgame(PlayedCase& c, EndgameTables& tables, MateSolver& solver);

}  // namespace chuhe::xiangqi
