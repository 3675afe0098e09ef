#include "tests/unit/xiangqi/slow_rules.h"

#include <cctype>
#include <cstdlib>

namespace chuhe::xiangqi {

SlowBoard::SlowBoard(const Position& p) {
  board_.fill('.');
  int file = 0, rank = 9;
  const std::string fen = p.to_fen();
  size_t i = 0;
  for (; fen[i] != ' '; ++i) {
    if (fen[i] == '/') {
      file = 0, --rank;
    } else if (std::isdigit(fen[i])) {
      file += fen[i] - '0';
    } else {
      board_[size_t(rank * 9 + file++)] = fen[i];
    }
  }
  red_to_move_ = fen[i + 1] == 'w';
}

char SlowBoard::at(int file, int rank) const {
  return file < 0 || file > 8 || rank < 0 || rank > 9 ? '#' : board_[size_t(rank * 9 + file)];
}

std::vector<int> SlowBoard::reach(int from) const {
  std::vector<int> out;
  const char piece = board_[size_t(from)];
  const bool red = std::isupper(piece);
  const int f = from % 9, r = from / 9;
  const auto land = [&](int file, int rank) {
    const char there = at(file, rank);
    if (there != '#' && !is_own(there, red)) out.push_back(rank * 9 + file);
  };
  const auto in_palace = [&](int file, int rank) {
    return file >= 3 && file <= 5 && (red ? rank <= 2 : rank >= 7);
  };
  const int straight[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const int slanted[4][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
  switch (std::toupper(piece)) {
    case 'K':
      for (auto [df, dr] : straight)
        if (in_palace(f + df, r + dr)) land(f + df, r + dr);
      break;
    case 'A':
      for (auto [df, dr] : slanted)
        if (in_palace(f + df, r + dr)) land(f + df, r + dr);
      break;
    case 'B':
      for (auto [df, dr] : slanted)
        if (at(f + df, r + dr) == '.' && (red ? r + 2 * dr <= 4 : r + 2 * dr >= 5))
          land(f + 2 * df, r + 2 * dr);
      break;
    case 'N':
      for (auto [df, dr] : straight)
        if (at(f + df, r + dr) == '.')
          for (int side : {-1, 1}) land(f + 2 * df + side * std::abs(dr), r + 2 * dr + side * std::abs(df));
      break;
    case 'R':
    case 'C':
      for (auto [df, dr] : straight) {
        int file = f + df, rank = r + dr;
        for (; at(file, rank) == '.'; file += df, rank += dr) land(file, rank);
        if (std::toupper(piece) == 'C' && at(file, rank) != '#')
          for (file += df, rank += dr; at(file, rank) == '.'; file += df, rank += dr) {
          }
        land(file, rank);
      }
      break;
    case 'P':
      land(f, red ? r + 1 : r - 1);
      if (red ? r >= 5 : r <= 4) land(f - 1, r), land(f + 1, r);
      break;
  }
  return out;
}

std::vector<std::pair<int, int>> SlowBoard::pseudo_moves(bool red) const {
  std::vector<std::pair<int, int>> out;
  for (int s = 0; s < 90; ++s)
    if (is_own(board_[size_t(s)], red))
      for (int to : reach(s)) out.emplace_back(s, to);
  return out;
}

std::multiset<char> SlowBoard::hitters(bool red_king) const {
  int king = 0;
  while (board_[size_t(king)] != (red_king ? 'K' : 'k')) ++king;
  std::multiset<char> out;
  for (auto [from, to] : pseudo_moves(!red_king))
    if (to == king) out.insert(char(std::toupper(board_[size_t(from)])));
  const int step = red_king ? 9 : -9;
  int s = king + step;
  while (s >= 0 && s < 90 && board_[size_t(s)] == '.') s += step;
  if (s >= 0 && s < 90 && board_[size_t(s)] == (red_king ? 'k' : 'K')) out.insert('K');
  return out;
}

std::multiset<char> SlowBoard::hitters_after(int from, int to) const {
  SlowBoard next = *this;
  next.board_[size_t(to)] = next.board_[size_t(from)];
  next.board_[size_t(from)] = '.';
  return next.hitters(red_to_move_);
}

std::set<std::string> SlowBoard::legal_moves() const {
  std::set<std::string> out;
  for (auto [from, to] : pseudo_moves(red_to_move_))
    if (hitters_after(from, to).empty()) out.insert(to_uci(Move(Square(from), Square(to))));
  return out;
}

}  // namespace chuhe::xiangqi
