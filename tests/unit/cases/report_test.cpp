#include "xiangqi/cases/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kFile =
    "id\tsource\tcategory\tfen\tmoves\texpected\tnote\n"
    "good\ts\tlegal\t3k5/9/9/9/9/9/9/9/9/4K4 w\t-\tcount=2\t\n"
    "false\ts\tlegal\t3k5/9/9/9/9/9/9/9/9/4K4 w\t-\tcount=3\t\n"
    "open\ts\tendgame\trnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\t-\tclaim=draw\t\n"
    "noline\ts\tlegal\n"
    "token\ts\tcheck\t3k5/9/9/9/9/9/9/9/9/4K4 w\t-\tmaybe\t\n"
    "rep\ts\trepetition\t4k4/9/9/9/3R5/9/9/9/9/5K3 w\td5e5 e9d9 e5d5 d9e9\tcxa2020:red_loses "
    "cxa2007~:red_loses annot:draw\t\n";

CaseReport report(const ReportOptions& options = {}) {
  return run_cases(parse_case_file(kFile, "f.tsv"), "f.tsv", options);
}

TEST(CaseReport, CountsRows) {
  const CaseReport r = report();
  EXPECT_EQ(r.rows.size(), 6u);
  EXPECT_EQ(r.count(Finding::Right), 2);
  EXPECT_EQ(r.count(Finding::Wrong), 3);
  EXPECT_EQ(r.count(Finding::Unproved), 1);
  EXPECT_EQ(r.bad_lines(), 2);
  EXPECT_EQ(summary_line(r), "CASES wrong=3 disputed=0 unproved=1 rows=6\n");
}

TEST(CaseReport, ListsWhatDiffers) {
  EXPECT_EQ(
      differences_text(report()),
      "wrong     false count: said 2, expected 3\n"
      "unproved  open claim: said no proof, expected draw\n"
      "bad line  f.tsv:5: 3 TAB separated fields, expected 7 (id, source, category, fen, moves, expected, "
      "note)\n"
      "bad line  f.tsv:6: token 'maybe': nothing that a case can say (docs/cases.md lists the tokens)\n");
}

TEST(CaseReport, TakesOneCategory) {
  ReportOptions options;
  options.category = "repetition";
  const CaseReport r = report(options);
  EXPECT_EQ(r.rows.size(), 2u) << "the case, and the line of which nobody knows the category";
  options.category = "reptition";
  EXPECT_THROW(report(options), Error);
}

TEST(CaseReport, TableByCategoryAndRuleSet) {
  const std::string table = matrix_text(report());
  EXPECT_THAT(table, HasSubstr("repetition                      1      0         0         0      1\n"));
  EXPECT_THAT(table, HasSubstr("  cxa2007                       1      0         0         0      1\n"));
  EXPECT_THAT(table, HasSubstr("legal                           1      1         0         0      2\n"));
  EXPECT_THAT(table, HasSubstr("all                             2      3         0         1      6\n"));
  EXPECT_THAT(table, HasSubstr("not tests (notes, verdicts that their source disputes): 1;"));
}

TEST(CaseReport, JsonHoldsAllOfIt) {
  const auto json = nlohmann::json::parse(to_json(report(), "f.tsv"));
  EXPECT_EQ(json["rows"], 6);
  EXPECT_EQ(json["wrong"], 3);
  EXPECT_EQ(json["unproved"], 1);
  EXPECT_EQ(json["bad_lines"], 2);
  ASSERT_EQ(json["differences"].size(), 4u);
  EXPECT_EQ(json["differences"][0]["id"], "false");
  EXPECT_EQ(json["differences"][0]["statements"][0]["said"], "2");
  EXPECT_EQ(json["table"].size(), 4u);
}

}  // namespace
}  // namespace chuhe::xiangqi
