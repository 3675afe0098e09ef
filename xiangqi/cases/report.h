#pragma once
// What came out of a file of cases, counted and in words.

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "xiangqi/cases/case_check.h"

namespace chuhe::xiangqi {

struct CaseReport {
  struct Row {
    int line;
    std::string id;
    std::string category;
    Finding outcome;
    std::vector<CheckedStatement> statements;
    std::string bad;  // of a line that is no case: what is wrong with it
  };
  std::vector<Row> rows;  // in the order of the file
  int skipped = 0;        // statements left out because they take long

  int count(Finding f) const;
  int bad_lines() const;
};

struct ReportOptions {
  CaseOptions checks;
  std::string category;  // only this one; empty: all
};

/// Checks every case of the file; `progress(done, all)` is called before each and
/// at the end. Bad lines count as wrong.
/// Throws Error as read_case_file does, and for an unknown category.
CaseReport run_cases(const CaseFile& file, const std::string& name, const ReportOptions& options,
                     void (*progress)(size_t done, size_t all) = nullptr);

/// One line for each row that is not simply right: id, statement, what was said, what the case expects.
std::string differences_text(const CaseReport& report);
/// Rows: a category, and below it its statements by rule set or kind. Columns: right, wrong, disputed,
/// unproved, total.
std::string matrix_text(const CaseReport& report);
/// "CASES wrong=0 disputed=0 unproved=12 rows=842"
std::string summary_line(const CaseReport& report);
/// One JSON object with all of it.
std::string to_json(const CaseReport& report, const std::string& name);

}  // namespace chuhe::xiangqi
