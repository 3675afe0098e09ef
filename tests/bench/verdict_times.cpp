// How long single verdicts take, each by a judge that remembers nothing: in the repetition rows of a cases
// file, and in random cycles of positions near theirs. Prints times, asserts none. usage: verdict_times
// CASES.tsv [RULESET [CYCLES]]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {
namespace {

struct Line {
  std::string name;
  Position start;
  std::vector<Move> cycle;
};

std::optional<Line> line_of(const std::vector<std::string>& columns) {
  if (columns.size() < 6 || columns[2] != "repetition") return std::nullopt;
  const auto start = Position::from_fen(columns[3]);
  if (!start) return std::nullopt;
  Line line{columns[0], *start, {}};
  Position p = *start;
  std::istringstream words(columns[4]);
  for (std::string word; words >> word;) {
    const Move m = parse_uci(word);
    if (!m || !p.is_legal(m)) break;
    line.cycle.push_back(m);
    p.play(m);
  }
  return line;
}

std::vector<Line> lines_of(const char* path) {
  std::ifstream file(path);
  if (!file) throw Error("{}: cannot be read", path);
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    std::vector<std::string> columns;
    std::istringstream in(text);
    for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
    if (auto line = line_of(columns)) lines.push_back(std::move(*line));
  }
  if (lines.empty()) throw Error("{}: no repetition in it", path);
  return lines;
}

bool is_quiet(const Position& p, Move m) {
  return p.empty(m.to()) && type_of(p.piece_on(m.from())) != PieceType::Pawn;
}

/// Out and back for both sides, from a position a few random plies on; nothing if chance found none.
std::optional<Line> random_cycle(const Line& near, Random& random) {
  Position p = near.start;
  for (auto n = random.below(6); n > 0; --n) {
    const MoveList legal = p.legal_moves();
    if (legal.empty()) return std::nullopt;
    p.play(legal[int(random.below(uint64_t(legal.size())))]);
  }
  Line line{near.name + "~", p, {}};
  for (int i = 0; i < 4; ++i) {
    const MoveList legal = p.legal_moves();
    if (legal.empty()) return std::nullopt;
    Move m = legal[int(random.below(uint64_t(legal.size())))];
    if (i >= 2) m = Move(line.cycle[size_t(i - 2)].to(), line.cycle[size_t(i - 2)].from());
    if (!legal.contains(m) || !is_quiet(p, m)) return std::nullopt;
    line.cycle.push_back(m);
    p.play(m);
  }
  return line;
}

/// Of this thread: a busy machine does not count.
double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

/// CPU milliseconds of the verdict on the third occurrence; nothing if the line does not come to one.
std::optional<double> time_of(const Line& line, const RuleSet& rules) {
  GameHistory history(line.start, rules.natural_limit_checks);
  for (int round = 0; round < 4; ++round)
    for (const Move m : line.cycle) {
      if (!history.current().is_legal(m)) return std::nullopt;
      history.push(m);
      if (history.occurrences() < rules.repetition_count) continue;
      const double begin = cpu_ms();
      judge_briefly(history, rules);
      return cpu_ms() - begin;
    }
  return std::nullopt;
}

void print_times(std::string_view what, std::vector<std::pair<double, std::string>> times) {
  std::sort(times.begin(), times.end());
  const auto share = [&](double q) { return times[size_t(std::ceil(q * double(times.size()))) - 1].first; };
  fmt::print("{}: verdicts={} p50={:.3f}ms p99={:.3f}ms p99.9={:.3f}ms max={:.3f}ms slowest: {}\n", what,
             times.size(), share(0.5), share(0.99), share(0.999), times.back().first, times.back().second);
}

void run(const char* path, std::string_view name, int cycles) {
  const RuleSet& rules = rule_set(name);
  const std::vector<Line> lines = lines_of(path);
  std::vector<std::pair<double, std::string>> rows, random_ones;
  for (const Line& line : lines)
    if (const auto time = time_of(line, rules)) rows.emplace_back(*time, line.name);
  Random random(1, "verdict_times", 0);
  for (int tries = 0; int(random_ones.size()) < cycles && tries < 100 * cycles; ++tries) {
    const auto line = random_cycle(lines[random.below(lines.size())], random);
    if (!line) continue;
    if (const auto time = time_of(*line, rules)) random_ones.emplace_back(*time, line->start.to_fen());
  }
  print_times("rows", std::move(rows));
  print_times("random cycles", std::move(random_ones));
}

}  // namespace
}  // namespace chuhe::xiangqi

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    fmt::print(stderr, "usage: verdict_times CASES.tsv [RULESET [CYCLES]]\n");
    return 2;
  }
  try {
    chuhe::xiangqi::run(argv[1], argc > 2 ? argv[2] : "cxa2007",
                        argc > 3 ? std::max(1, atoi(argv[3])) : 20000);
  } catch (const chuhe::Error& e) {
    fmt::print(stderr, "verdict_times: {}\n", e.what());
    return 2;
  }
}
