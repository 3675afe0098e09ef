#include "gauntlet/suite.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"

namespace chuhe::gauntlet {

using xiangqi::Move;
using xiangqi::Position;

namespace {

constexpr std::string_view kColumns = "id\tfen\ttheme\tbest\talso\tresult\tproof";
constexpr size_t kColumnCount = 7;
constexpr std::string_view kNothing = "-";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t from = 0;;) {
    const size_t to = text.find(separator, from);
    parts.emplace_back(text.substr(from, to - from));
    if (to == text.npos) return parts;
    from = to + 1;
  }
}

std::vector<Move> moves_of(const std::string& cell, const Position& position, const char* column) {
  std::vector<Move> moves;
  if (cell == kNothing) return moves;
  for (const std::string& word : split(cell, ' ')) {
    const Move m = xiangqi::parse_uci(word);
    if (!m || !position.is_legal(m))
      throw Error(
          "column {}: '{}' is not legal there, expected legal moves such as h2e2 between single blanks, or -",
          column, word);
    if (std::find(moves.begin(), moves.end(), m) != moves.end())
      throw Error("column {}: '{}' is there twice", column, word);
    moves.push_back(m);
  }
  return moves;
}

std::optional<KnownResult> result_of(const std::string& cell) {
  if (cell == kNothing) return std::nullopt;
  for (const KnownResult r : {KnownResult::Loss, KnownResult::Draw, KnownResult::Win})
    if (cell == name_of(r)) return r;
  throw Error("column result: '{}', expected win, draw, loss or -", cell);
}

SuitePosition parse_row(std::string_view line) {
  const std::vector<std::string> cells = split(line, '\t');
  if (cells.size() != kColumnCount)
    throw Error(
        "{} columns, expected {}: id, fen, theme, best, also, result, proof, with one TAB between them",
        cells.size(), kColumnCount);
  for (const size_t i : {0, 2, 6})
    if (cells[i].empty()) throw Error("id, theme and proof must not be empty");
  auto position = Position::from_fen(cells[1]);
  if (!position) throw Error("{}", position.error());
  if (!position->has_legal_move()) throw Error("the side to move has no legal move: the game is over");
  SuitePosition row{cells[0], cells[2], cells[6], *position, {}, {}, {}};
  row.best = moves_of(cells[3], *position, "best");
  row.also = moves_of(cells[4], *position, "also");
  row.result = result_of(cells[5]);
  for (const Move m : row.also)
    if (std::find(row.best.begin(), row.best.end(), m) != row.best.end())
      throw Error("'{}' is in best and in also", xiangqi::to_uci(m));
  if (row.best.empty() && !row.also.empty()) throw Error("moves in also, but none in best");
  if (row.best.empty() && !row.result) throw Error("neither a best move nor a result is given");
  return row;
}

}  // namespace

std::string_view name_of(KnownResult r) {
  return r == KnownResult::Win ? "win" : r == KnownResult::Draw ? "draw" : "loss";
}

Suite parse_suite(std::string_view text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // as editors on Windows write it
  Suite suite;
  suite.name = std::filesystem::path(name).stem().string();
  suite.digest = hash_text(text);
  std::set<std::string> ids;
  bool begun = false;
  int number = 0;
  for (std::string& line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    try {
      if (!begun) {
        if (line != kColumns)
          throw Error(
              "expected the names of the columns, with TABs between them: id fen theme best also result "
              "proof");
        begun = true;
        continue;
      }
      SuitePosition row = parse_row(line);
      if (!ids.insert(row.id).second) throw Error("the id '{}' is there twice", row.id);
      suite.positions.push_back(std::move(row));
    } catch (const Error& e) {
      throw Error("{}:{}: {}", name, number, e.what());
    }
  }
  if (suite.positions.empty()) throw Error("{}: no position in it", name);
  return suite;
}

Suite open_suite(const std::string& name_or_path) {
  const auto names = builtin_suite_names();
  if (std::find(names.begin(), names.end(), name_or_path) != names.end())
    return parse_suite(builtin_suite_text(name_or_path), name_or_path);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(name_or_path, ignored))
    throw Error("suite '{}': no such file, and none of {}", name_or_path, fmt::join(names, ", "));
  return parse_suite(read_file(name_or_path), name_or_path);
}

}  // namespace chuhe::gauntlet
