#include "xiangqi/cases/case_file.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kHeader = "id\tsource\tcategory\tfen\tmoves\texpected\tnote\n";

CaseFile parsed(const std::string& rows) {
  return parse_case_file(std::string(kHeader) + rows, "f.tsv");
}

std::string error_of(std::string_view text) {
  try {
    parse_case_file(text, "f.tsv");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(CaseFile, ReadsRows) {
  const CaseFile f = parsed(
      "# a comment\n\na\tbook\tlegal\t4k4/9 w\th2e2  h9g7\tcount=3 +a0a1\tsome "
      "note\nb\t\tcheck\tX\t-\tcheck\n");
  EXPECT_TRUE(f.bad.empty());
  ASSERT_EQ(f.cases.size(), 2u);
  const Case& a = f.cases[0];
  EXPECT_EQ(a.line, 4);
  EXPECT_EQ(a.id, "a");
  EXPECT_EQ(a.source, "book");
  EXPECT_EQ(a.category, Category::Legal);
  EXPECT_EQ(a.fen, "4k4/9 w");
  EXPECT_THAT(a.moves, ElementsAre("h2e2", "h9g7"));
  EXPECT_THAT(a.expected, ElementsAre("count=3", "+a0a1"));
  EXPECT_EQ(a.note, "some note");
  EXPECT_TRUE(f.cases[1].moves.empty());
  EXPECT_EQ(f.cases[1].note, "");
}

TEST(CaseFile, TakesDosLineEndsAndAByteOrderMark) {
  const CaseFile f = parse_case_file(
      "\xef\xbb\xbfid\tsource\tcategory\tfen\tmoves\texpected\tnote\r\na\ts\tcheck\tF\t-\tcheck\tn\r\n",
      "f.tsv");
  ASSERT_EQ(f.cases.size(), 1u);
  EXPECT_EQ(f.cases[0].note, "n");
}

TEST(CaseFile, BadLinesNameTheLineAndWhatWasExpected) {
  const CaseFile f = parsed(
      "a\ts\tcheck\tF\t-\n"
      "b\ts\tchecks\tF\t-\tcheck\t\n"
      "c\ts\tcheck\t\t-\tcheck\t\n"
      "d\ts\tcheck\tF\t\tcheck\t\n"
      "e\ts\tcheck\tF\t-\t\t\n"
      "\ts\tcheck\tF\t-\tcheck\t\n"
      "g\ts\tcheck\tF\t-\tcheck\t\tmore\n"
      "h\ts\tcheck\tF\t-\tcheck\t\n"
      "h\ts\tcheck\tF\t-\tcheck\t\n");
  EXPECT_EQ(f.cases.size(), 1u);
  ASSERT_EQ(f.bad.size(), 8u);
  EXPECT_THAT(f.bad[0].what, StartsWith("f.tsv:2: 5 TAB separated fields, expected 7"));
  EXPECT_THAT(f.bad[1].what, StartsWith("f.tsv:3: category 'checks', expected one of perft, legal"));
  EXPECT_EQ(f.bad[1].id, "b");
  EXPECT_THAT(f.bad[2].what, HasSubstr("fen is empty"));
  EXPECT_THAT(f.bad[3].what, HasSubstr("no moves"));
  EXPECT_THAT(f.bad[4].what, HasSubstr("'expected' is empty"));
  EXPECT_THAT(f.bad[5].what, HasSubstr("id is empty"));
  EXPECT_THAT(f.bad[6].what, HasSubstr("8 TAB separated fields"));
  EXPECT_THAT(f.bad[7].what, StartsWith("f.tsv:10: id 'h' already stands in line 9"));
}

TEST(CaseFile, NeedsItsHeader) {
  EXPECT_THAT(error_of(""), StartsWith("f.tsv: no header line, expected the columns id, source"));
  EXPECT_THAT(error_of("# only a comment\n"), HasSubstr("no header line"));
  EXPECT_THAT(error_of("a\ts\tcheck\tF\t-\tcheck\tn\n"),
              StartsWith("f.tsv:1: the first line must name the columns"));
}

TEST(CaseFile, SplitsWords) {
  EXPECT_THAT(split_words("  a  bc "), ElementsAre("a", "bc"));
  EXPECT_THAT(split_words("a,b,,c", ','), ElementsAre("a", "b", "c"));
  EXPECT_TRUE(split_words("").empty());
}

}  // namespace
}  // namespace chuhe::xiangqi
