#include "xiangqi/notation/pgn_tags.h"

#include <algorithm>
#include <array>

namespace chuhe::xiangqi {
namespace {

constexpr std::array<std::string_view, 6> kFormats = {"Chinese", "ChineseShort", "WXF",
                                                      "ICCS",    "UCI",          "UCI1"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view format_tag(Notation notation) {
  return kFormats[size_t(notation)];
}

std::optional<Notation> notation_of_format(std::string_view format) {
  for (size_t i = 0; i < kFormats.size(); ++i)
    if (equal_ignoring_case(format, kFormats[i])) return Notation(i);
  return std::nullopt;
}

std::string_view result_of(std::string_view text) {
  struct Spelling {
    std::string_view text, result;
  };
  constexpr Spelling kSpellings[] = {Spelling{"1-0", "1-0"}, {"红胜", "1-0"},     {"红先胜", "1-0"},
                                     {"紅勝", "1-0"},        {"0-1", "0-1"},      {"黑胜", "0-1"},
                                     {"红先负", "0-1"},      {"黑勝", "0-1"},     {"1/2-1/2", "1/2-1/2"},
                                     {"1/2", "1/2-1/2"},     {"和棋", "1/2-1/2"}, {"和局", "1/2-1/2"},
                                     {"红先和", "1/2-1/2"},  {"*", "*"}};
  for (const Spelling& s : kSpellings)
    if (s.text == text) return s.result;
  return "";
}

std::string plain_comment(std::string_view comment) {
  std::string out(comment);
  std::replace(out.begin(), out.end(), '\n', ' ');
  std::replace(out.begin(), out.end(), '\r', ' ');
  std::replace(out.begin(), out.end(), '\t', ' ');
  std::replace(out.begin(), out.end(), '}', ')');
  const size_t first = out.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return out.substr(first, out.find_last_not_of(' ') - first + 1);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace chuhe::xiangqi
