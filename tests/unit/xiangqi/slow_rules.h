#pragma once
// The rules written a second time, slowly and without tables or bitboards, to compare with: a board of
// letters, moves found by walking, a move legal if after it no enemy piece can take the king.

#include <array>
#include <set>
#include <string>
#include <vector>

#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

class SlowBoard {
 public:
  explicit SlowBoard(const Position& p);

  /// UCI texts of the legal moves.
  std::set<std::string> legal_moves() const;
  bool in_check() const { return king_hit(red_to_move_); }
  /// Enemy piece letters (as upper case) that hit the king of the side to move after `from` was emptied and
  /// `to` occupied by its piece; 'K' for facing kings.
  std::multiset<char> hitters_after(int from, int to) const;
  /// All (from, to) that the pieces' ways of moving allow.
  std::vector<std::pair<int, int>> pseudo_moves(bool red) const;

 private:
  char at(int file, int rank) const;
  bool is_own(char piece, bool red) const { return piece != '.' && (piece >= 'A' && piece <= 'Z') == red; }
  std::vector<int> reach(int from) const;
  std::multiset<char> hitters(bool red_king) const;
  bool king_hit(bool red_king) const { return !hitters(red_king).empty(); }

  std::array<char, 90> board_{};
  bool red_to_move_ = true;
};

}  // namespace chuhe::xiangqi
