#pragma once
// Which first moves mate by consecutive checks, and how soon: exact, remembers positions, shares nothing with
// the program's own mate search but Position.

#include <optional>
#include <unordered_map>
#include <vector>

#include "xiangqi/board/position.h"

namespace chuhe::xiangqi::test {

class ChecksSearch {
 public:
  struct First {
    Move move;
    int checks;  // moves of the attacker until the mate, this one included
  };
  /// All first moves of the side to move that mate within `most` checks, in the order of legal_moves(). A
  /// move after which the other side has no legal move counts as a mate in one, check or not. Nothing if more
  /// than `node_limit` positions were looked at.
  std::optional<std::vector<First>> solve(const Position& position, int most, int64_t node_limit);
  int64_t nodes() const { return nodes_; }

 private:
  struct Known {
    int8_t mates_within = 127;  // checks of the attacker from here on
    int8_t not_within = -1;
  };
  bool attack(const Position& p, int checks);
  bool defend(const Position& p, int checks);
  std::unordered_map<uint64_t, Known> known_;
  int64_t nodes_ = 0, limit_ = 0;
};

}  // namespace chuhe::xiangqi::test
