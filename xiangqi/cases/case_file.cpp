#include "xiangqi/cases/case_file.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/error.h"
#include "base/files.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::string_view kCategoryNames[kCategories] = {
    "perft", "legal", "check", "stalemate", "mate", "chase", "repetition", "endgame", "notation"};
constexpr std::string_view kColumns[] = {"id", "source", "category", "fen", "moves", "expected", "note"};
constexpr size_t kColumnsNeeded = 6;  // the note may be left out

/// Every field, empty ones too.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (size_t at = 0;;) {
    const size_t tab = line.find('\t', at);
    out.push_back(line.substr(at, tab == std::string_view::npos ? tab : tab - at));
    if (tab == std::string_view::npos) return out;
    at = tab + 1;
  }
}

void check_header(const std::vector<std::string_view>& fields, const std::string& name, int line) {
  const bool fits = fields.size() >= kColumnsNeeded && fields.size() <= std::size(kColumns) &&
                    std::equal(fields.begin(), fields.end(), std::begin(kColumns));
  if (!fits)
    throw Error("{}:{}: the first line must name the columns, TAB separated: {}", name, line,
                fmt::join(kColumns, ", "));
}

Case parse_case(const std::vector<std::string_view>& fields) {
  if (fields.size() < kColumnsNeeded || fields.size() > std::size(kColumns))
    throw Error("{} TAB separated fields, expected {} ({})", fields.size(), std::size(kColumns),
                fmt::join(kColumns, ", "));
  Case c;
  c.id = fields[0];
  c.source = fields[1];
  if (c.id.empty()) throw Error("the id is empty, expected a name");
  c.category = category(fields[2]);
  c.fen = fields[3];
  if (c.fen.empty()) throw Error("the fen is empty, expected a position");
  c.moves = split_words(fields[4]);
  if (c.moves.empty()) throw Error("no moves, expected moves such as 'h2e2 h9g7', or - for none");
  std::erase(c.moves, "-");
  c.expected = split_words(fields[5]);
  if (c.expected.empty()) throw Error("nothing is expected: column 'expected' is empty");
  if (fields.size() > kColumnsNeeded) c.note = fields[6];
  return c;
}

}  // namespace

std::string_view name_of(Category c) {
  return kCategoryNames[int(c)];
}

Category category(std::string_view name) {
  for (int i = 0; i < kCategories; ++i)
    if (kCategoryNames[i] == name) return Category(i);
  throw Error("category '{}', expected one of {}", name, fmt::join(kCategoryNames, ", "));
}

std::vector<std::string> split_words(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (size_t at = text.find_first_not_of(separator); at != std::string_view::npos;) {
    const size_t end = std::min(text.find(separator, at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(separator, end);
  }
  return out;
}

CaseFile parse_case_file(std::string_view text, const std::string& name) {
  CaseFile file;
  std::map<std::string, int> line_of_id;
  bool header_seen = false;
  int line_number = 0;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string_view> fields = fields_of(line);
    if (!header_seen) {
      check_header(fields, name, line_number);
      header_seen = true;
      continue;
    }
    try {
      Case c = parse_case(fields);
      c.line = line_number;
      const auto [first, is_new] = line_of_id.try_emplace(c.id, line_number);
      if (!is_new)
        throw Error("id '{}' already stands in line {}, expected each id once", c.id, first->second);
      file.cases.push_back(std::move(c));
    } catch (const Error& e) {
      file.bad.push_back(
          {line_number, std::string(fields[0]), fmt::format("{}:{}: {}", name, line_number, e.what())});
    }
  }
  if (!header_seen)
    throw Error("{}: no header line, expected the columns {}", name, fmt::join(kColumns, ", "));
  return file;
}

CaseFile read_case_file(const std::filesystem::path& path) {
  return parse_case_file(read_file(path), path.string());
}

}  // namespace chuhe::xiangqi
