#pragma once
// Rows of tests/golden/*.tsv.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/paths.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

using Row = std::vector<std::string>;

/// The rows of a golden table without comments and the header line. A missing or empty table is a failure of
/// the test.
inline std::vector<Row> golden(const std::string& name) {
  std::ifstream in(golden_dir() / name);
  std::vector<Row> rows;
  bool header = true;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (header) {
      header = false;
      continue;
    }
    Row row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    rows.push_back(row);
  }
  EXPECT_FALSE(rows.empty()) << name;
  return rows;
}

inline std::vector<std::string> words(const std::string& text, char separator = ' ') {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);)
    if (!word.empty() && word != "-") out.push_back(word);
  return out;
}

inline Position position(const std::string& fen) {
  auto p = Position::from_fen(fen);
  EXPECT_TRUE(p.ok()) << fen << ": " << p.error();
  return p.ok() ? *p : Position();
}

/// The position after the moves, each of which must be legal.
inline Position after(Position p, const std::vector<std::string>& moves) {
  for (const std::string& text : moves) {
    const Move m = parse_uci(text);
    EXPECT_TRUE(p.is_legal(m)) << text << " in " << p.to_fen();
    if (p.is_legal(m)) p.play(m);
  }
  return p;
}

}  // namespace chuhe::xiangqi
