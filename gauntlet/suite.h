#pragma once
// A suite: positions with what is known about them, to measure a net's knowledge. A text of TAB-separated
// lines;
// '#' begins a comment, the first other line names the columns:
//
//   id  fen  theme  best  also  result  proof
//
// best: the moves that count as found, such as "h2e2 b0c2"; also: moves that reach the same result by a
// longer way; result: win, draw or loss for the side to move. "-" = nothing is said. proof is how the row is
// known (docs/suites.md): read by people and by the tests, not by the program.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xiangqi/board/position.h"

namespace chuhe::gauntlet {

/// For the side to move.
enum class KnownResult : int8_t { Loss = -1, Draw = 0, Win = 1 };
std::string_view name_of(KnownResult r);  // "loss"

struct SuitePosition {
  std::string id, theme, proof;
  xiangqi::Position position;
  std::vector<xiangqi::Move> best, also;  // disjoint
  std::optional<KnownResult> result;
};

struct Suite {
  std::string name;  // the built-in one's, or the file's without folder and ending
  std::vector<SuitePosition> positions;
  uint64_t digest = 0;  // of the text
};

/// Throws Error "<name>:<line>: ..." for other columns, a bad FEN, a game that is over, an illegal move, an
/// unknown result, an id that was there before or a row that says nothing; and if there is no row.
Suite parse_suite(std::string_view text, const std::string& name);
/// patterns, mates, endings, compositions: configs/suites/*.tsv, as they were when the program was built.
std::span<const std::string_view> builtin_suite_names();
std::string_view builtin_suite_text(std::string_view name);
/// A built-in suite by its name, or a file by its path. Throws Error that lists the names.
Suite open_suite(const std::string& name_or_path);

}  // namespace chuhe::gauntlet
