#include "xiangqi/cases/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

using Counts = std::array<int, kFindings>;

int total(const Counts& counts) {
  int sum = 0;
  for (int n : counts) sum += n;
  return sum;
}

/// The rows of a category, and its statements by subject ("cxa2020~" and "cxa2020" are one rule set).
struct CategoryTable {
  Counts rows{};
  std::map<std::string, Counts> statements;
};

std::map<std::string, CategoryTable> tables_of(const CaseReport& report) {
  std::map<std::string, CategoryTable> out;
  for (const CaseReport::Row& row : report.rows) {
    CategoryTable& table = out[row.category];
    ++table.rows[size_t(row.outcome)];
    for (const CheckedStatement& s : row.statements) {
      std::string subject = s.subject;
      if (subject.ends_with('~')) subject.pop_back();
      ++table.statements[subject][size_t(s.finding)];
    }
  }
  return out;
}

std::string matrix_line(const std::string& name, const Counts& counts) {
  return fmt::format("{:<26} {:>6} {:>6} {:>9} {:>9} {:>6}\n", name, counts[size_t(Finding::Right)],
                     counts[size_t(Finding::Wrong)], counts[size_t(Finding::Disputed)],
                     counts[size_t(Finding::Unproved)], total(counts) - counts[size_t(Finding::NoTest)]);
}

nlohmann::json to_json(const Counts& counts) {
  nlohmann::json out;
  for (Finding f : {Finding::Right, Finding::Wrong, Finding::Disputed, Finding::Unproved})
    out[std::string(name_of(f))] = counts[size_t(f)];
  out["total"] = total(counts) - counts[size_t(Finding::NoTest)];
  return out;
}

nlohmann::json to_json(const CaseReport::Row& row) {
  nlohmann::json out{
      {"line", row.line}, {"id", row.id}, {"category", row.category}, {"outcome", name_of(row.outcome)}};
  if (!row.bad.empty()) out["bad"] = row.bad;
  out["statements"] = nlohmann::json::array();
  for (const CheckedStatement& s : row.statements)
    out["statements"].push_back({{"subject", s.subject},
                                 {"finding", name_of(s.finding)},
                                 {"said", s.said},
                                 {"expected", s.expected}});
  return out;
}

}  // namespace

int CaseReport::count(Finding f) const {
  return int(std::ranges::count(rows, f, &Row::outcome));
}

int CaseReport::bad_lines() const {
  return int(std::ranges::count_if(rows, [](const Row& row) { return !row.bad.empty(); }));
}

CaseReport run_cases(const CaseFile& file, const std::string& name, const ReportOptions& options,
                     void (*progress)(size_t done, size_t all)) {
  if (!options.category.empty()) category(options.category);
  CaseReport report;
  CaseChecker checker(options.checks);
  for (const BadLine& bad : file.bad)
    report.rows.push_back({bad.line, bad.id, "bad lines", Finding::Wrong, {}, bad.what});
  size_t done = 0;
  for (const Case& c : file.cases) {
    if (progress) progress(done, file.cases.size());
    ++done;
    const std::string group(name_of(c.category));
    if (!options.category.empty() && options.category != group) continue;
    try {
      CheckedCase checked = checker.check(c, parse_expectation(c.expected));
      report.skipped += checked.skipped;
      report.rows.push_back({c.line, c.id, group, checked.outcome, std::move(checked.statements), ""});
    } catch (const Error& e) {
      report.rows.push_back(
          {c.line, c.id, "bad lines", Finding::Wrong, {}, fmt::format("{}:{}: {}", name, c.line, e.what())});
    }
  }
  if (progress) progress(done, file.cases.size());
  std::ranges::stable_sort(report.rows, {}, &CaseReport::Row::line);
  return report;
}

std::string differences_text(const CaseReport& report) {
  std::string out;
  for (const CaseReport::Row& row : report.rows) {
    if (!row.bad.empty()) out += fmt::format("bad line  {}\n", row.bad);
    if (!row.bad.empty() || row.outcome == Finding::Right) continue;
    std::string what;
    for (const CheckedStatement& s : row.statements) {
      if (s.finding == Finding::Right || s.finding == Finding::NoTest) continue;
      what +=
          fmt::format("{}{}: said {}, expected {}", what.empty() ? "" : "; ", s.subject, s.said, s.expected);
      if (s.finding != row.outcome) what += fmt::format(" ({})", name_of(s.finding));
    }
    out += fmt::format("{:<9} {} {}\n", name_of(row.outcome), row.id, what);
  }
  return out;
}

std::string matrix_text(const CaseReport& report) {
  std::string out = fmt::format("{:<26} {:>6} {:>6} {:>9} {:>9} {:>6}\n", "category", "right", "wrong",
                                "disputed", "unproved", "total");
  Counts all{};
  int notes = 0;
  for (const auto& [name, table] : tables_of(report)) {
    out += matrix_line(name, table.rows);
    for (size_t f = 0; f < kFindings; ++f) all[f] += table.rows[f];
    for (const auto& [subject, counts] : table.statements) {
      out += matrix_line("  " + subject, counts);
      notes += counts[size_t(Finding::NoTest)];
    }
  }
  out += matrix_line("all", all);
  return out +
         fmt::format(
             "not tests (notes, verdicts that their source disputes): {}; left out without --deep: {}\n",
             notes, report.skipped);
}

std::string summary_line(const CaseReport& report) {
  return fmt::format("CASES wrong={} disputed={} unproved={} rows={}\n", report.count(Finding::Wrong),
                     report.count(Finding::Disputed), report.count(Finding::Unproved), report.rows.size());
}

std::string to_json(const CaseReport& report, const std::string& name) {
  nlohmann::json out{{"file", name},
                     {"rows", report.rows.size()},
                     {"right", report.count(Finding::Right)},
                     {"wrong", report.count(Finding::Wrong)},
                     {"disputed", report.count(Finding::Disputed)},
                     {"unproved", report.count(Finding::Unproved)},
                     {"bad_lines", report.bad_lines()},
                     {"left_out", report.skipped}};
  out["differences"] = nlohmann::json::array();
  for (const CaseReport::Row& row : report.rows)
    if (row.outcome != Finding::Right) out["differences"].push_back(to_json(row));
  out["table"] = nlohmann::json::array();
  for (const auto& [category, table] : tables_of(report)) {
    nlohmann::json group = to_json(table.rows);
    group["category"] = category;
    group["statements"] = nlohmann::json::object();
    for (const auto& [subject, counts] : table.statements) group["statements"][subject] = to_json(counts);
    out["table"].push_back(group);
  }
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace chuhe::xiangqi
