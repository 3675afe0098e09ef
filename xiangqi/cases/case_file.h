#pragma once
// A file of cases: one checkable statement about xiangqi in each line, TAB separated: id, source, category,
// fen, moves, expected, note. '#' begins a comment line; the first other line names the columns.
// docs/cases.md has the grammar of `expected`.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe::xiangqi {

enum class Category : uint8_t { Perft, Legal, Check, Stalemate, Mate, Chase, Repetition, Endgame, Notation };
inline constexpr int kCategories = 9;
std::string_view name_of(Category c);  // "perft"
/// Throws Error listing the known names.
Category category(std::string_view name);

struct Case {
  int line = 0;  // in the file, from 1
  std::string id, source;
  Category category = Category::Perft;
  std::string fen;
  std::vector<std::string> moves;     // "h2e2"; played from fen first
  std::vector<std::string> expected;  // tokens
  std::string note;
};

/// A line that is no case.
struct BadLine {
  int line = 0;
  std::string id;    // empty if the line has none
  std::string what;  // "FILE:LINE: what is wrong, what was expected"
};

struct CaseFile {
  std::vector<Case> cases;
  std::vector<BadLine> bad;
};

/// Reads the whole file; lines that are no cases are collected, so that one of them does not hide the others.
/// Throws Error for an unreadable file, and for a header line with other columns.
CaseFile read_case_file(const std::filesystem::path& path);
/// The same from text; `name` stands for the file in messages.
CaseFile parse_case_file(std::string_view text, const std::string& name);

/// "a b  c" -> a, b, c.
std::vector<std::string> split_words(std::string_view text, char separator = ' ');

}  // namespace chuhe::xiangqi
