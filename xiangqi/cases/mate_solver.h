#pragma once
// Mate by consecutive checks (连将杀): the attacker, who is to move, checks with every move until the
// defender has no reply. Exact: the shortest such mate, with the defender holding out as long as it can.
// Repetition is not looked at (a shortest mate never repeats a position).
// The judge has a mate search of its own (rules/gain_search): that one follows pieces by name, leaves
// captures in mutual pairs out and gives up soon; this one is exact and deep, and knows positions only.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

struct CheckingMate {
  int checks;              // moves of the attacker, the mating one included
  std::vector<Move> line;  // attacker, defender, ..., attacker: 2 * checks - 1 plies
};

class MateSolver {
 public:
  /// `table_bits`: the hash table has 2^bits entries of 16 bytes.
  explicit MateSolver(int table_bits = 18);
  ~MateSolver();

  /// The shortest mate by at most `most_checks` consecutive checks; nothing if there is none within them.
  /// `node_limit` bounds the positions looked at (0: no bound); if it is reached, `gave_up()` is true and
  /// nothing is returned.
  std::optional<CheckingMate> solve(const Position& position, int most_checks, int64_t node_limit = 0);
  bool gave_up() const { return gave_up_; }
  /// Of the last solve(): so many checks certainly do not suffice.
  int refuted_checks() const { return refuted_checks_; }
  int64_t nodes() const { return nodes_; }

 private:
  struct Table;
  /// Does the side to move mate within `depth` checks?
  bool attack(Position& p, int depth, Move* best);
  /// Is the side to move, in check, mated within `depth` more checks whatever it replies?
  bool defend(Position& p, int depth);
  std::vector<Move> line_of(Position p, int checks);
  std::unique_ptr<Table> table_;
  int64_t nodes_ = 0, node_limit_ = 0;
  bool gave_up_ = false;
  int refuted_checks_ = 0;
};

}  // namespace chuhe::xiangqi
