// chuhe cases: checks a file of cases, and says where they and the program differ.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "xiangqi/cases/report.h"

namespace chuhe::cli {
namespace {

/// A line that overwrites itself, on a terminal, once the check has taken a second.
void show_progress(size_t done, size_t all) {
  using Clock = std::chrono::steady_clock;
  static const bool is_terminal = isatty(STDERR_FILENO) == 1;
  static const Clock::time_point start = Clock::now();
  static Clock::time_point last = start;
  if (!is_terminal || Clock::now() - start < std::chrono::seconds(1)) return;
  const bool finished = done == all;
  if (!finished && Clock::now() - last < std::chrono::milliseconds(100)) return;
  last = Clock::now();
  // The finished line is wiped away.
  const std::string line = finished ? "\r\x1b[K" : fmt::format("\r{} of {} cases\x1b[K", done, all);
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

int cases_command(int argc, char** argv) {
  CLI::App app(
      "Checks the cases of a file (move lists, mates, chases, repetitions, endings, notation) and prints "
      "those\n"
      "that differ. Exit status 1 if any is wrong, 2 if a line is no case.",
      "chuhe cases");
  app.footer(
      "example: chuhe cases tests/golden/cases.tsv --matrix\n         chuhe cases my.tsv --category "
      "repetition");
  std::string path;
  xiangqi::ReportOptions options;
  bool matrix = false, json = false;
  app.add_option("file", path,
                 "TAB separated: id, source, category, fen, moves, expected, note (docs/cases.md)")
      ->required();
  app.add_option(
      "--category", options.category,
      "only this one: perft, legal, check, stalemate, mate, chase, repetition, endgame or notation");
  app.add_flag("--matrix", matrix, "print a table by category and rule set, too");
  app.add_flag("--json", json, "one JSON object instead of text");
  app.add_flag("--deep", options.checks.deep, "perft depths of over 200 million leaves, too (minutes)");
  if (!parse_command(app, argc, argv)) return 0;

  const xiangqi::CaseReport report = run_cases(xiangqi::read_case_file(path), path, options, show_progress);
  if (json) {
    fmt::print("{}\n", to_json(report, path));
  } else {
    fmt::print("{}", differences_text(report));
    if (matrix) fmt::print("{}", matrix_text(report));
    fmt::print("{}", summary_line(report));
  }
  if (report.bad_lines() > 0) return 2;
  return report.count(xiangqi::Finding::Wrong) > 0 ? 1 : 0;
}

}  // namespace chuhe::cli
