#pragma once
// What a case says: the tokens of column `expected`, taken apart. Every statement that a case can make has a
// field here; docs/cases.md has the grammar.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xiangqi/board/types.h"
#include "xiangqi/notation/move_text.h"
#include "xiangqi/rules/ply_class.h"

namespace chuhe::xiangqi {

struct PerftCount {
  int depth;
  uint64_t leaves;
};

/// "RULESET:VERDICT"
struct ExpectedVerdict {
  std::string rule_set;  // as in rule_set(), without the mark
  bool derived = false;  // marked with ~: worked out from labels and articles, not published
  bool is_test = true;   // no: a second-hand note, or a verdict that its source disputes
  std::string verdict;   // draw, red_loses, black_loses, none, disputed
  std::string name() const { return rule_set + (derived ? "~" : ""); }
};

struct PlyLabel {
  Move move;
  PlyClass ply_class;
};

/// "h2e2>cn:炮二平五"
struct MoveText {
  Move move;
  Notation notation;
  std::string text;
};

struct Expectation {
  std::vector<PerftCount> perft;
  std::optional<int> legal_count;
  std::vector<Move> legal, illegal;
  std::optional<std::vector<Move>> only;  // the whole list of legal moves
  std::optional<bool> check;
  bool stalemate = false, checkmate = false;

  std::optional<bool> kill;                 // mates by consecutive checks
  std::optional<int> mate_in;               // checks of the shortest such mate
  std::vector<Move> mating_line;            // pv
  std::optional<bool> gain;                 // wins material...
  GainForm gain_form = GainForm::Exchange;  // ...by consecutive checks or a complete exchange
  Square gain_target = kNoSquare;           // of the piece won; none: any
  std::vector<Move> gain_line;
  std::optional<bool> recapture;  // on the target of the last move

  std::vector<ExpectedVerdict> verdicts;
  std::vector<PlyLabel> labels;
  std::optional<int> occurrences;  // of the last position
  std::optional<bool> natural_limit;

  std::optional<std::string> exact;  // egtb: red_wins, black_wins, draw; win, loss: of the side to move
  std::optional<int> exact_plies;    // to the end under best play
  std::optional<std::string> claim;  // traditional: red_wins, black_wins, draw, none
  std::optional<bool> bare;          // no_mating_material

  std::vector<MoveText> texts;
  std::optional<bool> fen_valid;
  std::vector<std::string> game;  // the Chinese texts of all moves
};

/// Throws Error naming the token and what was expected instead.
Expectation parse_expectation(const std::vector<std::string>& tokens);

}  // namespace chuhe::xiangqi
