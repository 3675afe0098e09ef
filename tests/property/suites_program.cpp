// Proves the rows of the built-in suites anew: mates and refutations by consecutive checks with a search that
// is exact, endings with the endgame tables. Prints the rows that differ with what was found.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

#include "base/error.h"
#include "gauntlet/suite.h"
#include "tests/support/checks_search.h"
#include "xiangqi/endgame/endgame_table.h"

namespace chuhe::gauntlet {
namespace {

using xiangqi::Move;
using xiangqi::Position;

constexpr int kAlso = 10;                 // checks beyond the shortest mate, for the column also
constexpr int64_t kNodes = 50'000'000;    // of one search
constexpr uint64_t kTables = 3ULL << 30;  // bytes of endgame tables
constexpr size_t kMostShare = 2;          // best moves of an ending: at most legal / kMostShare

/// What a row should say; filled by a proof.
struct Found {
  std::vector<Move> best, also;
  std::optional<KnownResult> result;
  bool known = true;   // false: the search gave up
  std::string remark;  // what is wrong beside the moves
};

Position after(Position p, Move m) {
  p.play(m);
  return p;
}

/// The number of a word "checks=7" of the proof, or -1.
int number_of(const std::string& proof, std::string_view name) {
  const size_t at = (' ' + proof).find(fmt::format(" {}=", name));
  if (at == std::string::npos) return -1;
  int n = -1;
  std::from_chars(proof.data() + at + name.size() + 1, proof.data() + proof.size(), n);
  return n;
}

Found by_checks(const SuitePosition& row, int checks) {
  xiangqi::test::ChecksSearch search;
  Found found;
  const auto moves = search.solve(row.position, checks + kAlso, kNodes);
  found.known = moves.has_value();
  if (!moves) return found;
  found.result = KnownResult::Win;
  int shortest = 1000;
  for (const auto& m : *moves) {
    shortest = std::min(shortest, m.checks);
    (m.checks == checks ? found.best : found.also).push_back(m.move);
  }
  if (shortest != checks) found.remark = fmt::format("the shortest mate is one in {}", shortest);
  return found;
}

Found by_survival(const SuitePosition& row, int checks) {
  Found found;
  found.result = row.result;  // a claim
  for (const Move m : row.position.legal_moves()) {
    xiangqi::test::ChecksSearch search;
    const auto mates = search.solve(after(row.position, m), checks, kNodes);
    found.known = found.known && mates.has_value();
    if (mates && mates->empty()) found.best.push_back(m);
  }
  return found;
}

Found by_table(const SuitePosition& row, int plies, xiangqi::EndgameTables& tables) {
  Found found;
  const xiangqi::EndgameValue value = tables.probe(row.position);
  found.result = KnownResult(int(value.wdl));
  if (value.plies != plies) found.remark = fmt::format("the end is {} plies away", value.plies);
  const xiangqi::MoveList legal = row.position.legal_moves();
  for (const Move m : legal)
    if (int(tables.probe(after(row.position, m)).wdl) == -int(value.wdl)) found.best.push_back(m);
  if (found.best.size() * kMostShare > size_t(legal.size())) found.best.clear();
  return found;
}

std::string text_of(std::vector<Move> moves) {
  std::string text;
  for (const Move m : moves) text += (text.empty() ? "" : " ") + to_uci(m);
  return text.empty() ? "-" : text;
}

bool same(std::vector<Move> a, std::vector<Move> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

struct Counts {
  int rows = 0, differ = 0, claims = 0;
};

void check(const Suite& suite, const SuitePosition& row, xiangqi::EndgameTables& tables, Counts& counts) {
  ++counts.rows;
  counts.claims += row.proof.ends_with("claim");
  Found found;
  if (const int n = number_of(row.proof, "checks"); n > 0) {
    found = by_checks(row, n);
  } else if (const int s = number_of(row.proof, "survives"); s > 0) {
    found = by_survival(row, s);
  } else if (const int t = number_of(row.proof, "table"); t >= 0) {
    found = by_table(row, t, tables);
  } else if (row.proof == "claim") {
    found = {row.best, row.also, row.result, true, row.best.empty() ? "" : "best moves by mere claim"};
  } else {
    found.remark = fmt::format("unknown proof '{}'", row.proof);
  }
  if (found.known && found.remark.empty() && same(found.best, row.best) && same(found.also, row.also) &&
      found.result == row.result)
    return;
  ++counts.differ;
  fmt::print("{} {}: {}best {} also {} result {}, found {}\n", suite.name, row.id,
             found.known ? "" : "given up; ", text_of(found.best), text_of(found.also),
             found.result ? name_of(*found.result) : "-", found.remark);
}

int prove(int argc, char** argv) {
  CLI::App app("Proves the rows of suites anew.", "suites");
  std::vector<std::string> names;
  app.add_option("SUITE", names, "names or files (default: all built-in ones)");
  CLI11_PARSE(app, argc, argv);
  if (names.empty())
    for (const std::string_view name : builtin_suite_names()) names.emplace_back(name);
  xiangqi::EndgameTables tables(kTables);
  Counts counts;
  for (const std::string& name : names) {
    const Suite suite = open_suite(name);
    for (const SuitePosition& row : suite.positions) check(suite, row, tables, counts);
  }
  fmt::print("SUITES differ={} claims={} rows={}\n", counts.differ, counts.claims, counts.rows);
  return counts.differ == 0 ? 0 : 1;
}

}  // namespace
}  // namespace chuhe::gauntlet

int main(int argc, char** argv) {
  try {
    return chuhe::gauntlet::prove(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "suites: {}\n", e.what());
    return 2;
  }
}
