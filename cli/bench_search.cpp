#include "cli/bench_search.h"

#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <vector>

#include "mcts/search/search.h"
#include "nn/api/doubles.h"

namespace chuhe::cli {
namespace {

using mcts::SearchParams;
using xiangqi::GameHistory;

// Openings and middle games are reached by random play from the start; these add endings, mates and odd
// material.
constexpr std::string_view kFens[] = {
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
    "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1",
    "CnN1k1b2/c3a4/4ba3/9/2nr5/9/9/4C4/4A4/4KA3 w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "3a1k3/4a4/6R2/8R/2r6/9/1r7/9/4A4/3K1A3 w - - 0 1",
    "2bk5/r3aR3/n1r1b4/9/9/6R2/9/3n5/4p4/1C3K3 w - - 0 1",
    "C4kbN1/R2Pa4/4ca3/4rNR2/6b2/6c2/9/4C4/4p3r/5K3 w - - 0 1",
    "3ack3/1NR1a1P2/3n2R2/9/2C6/9/9/9/1r2p2r1/3K5 w - - 0 1",
    "2bk5/1R5N1/9/9/9/9/9/5Cr2/r2p1p3/4K2R1 w - - 0 1",
    "4k4/4a4/4b4/9/9/9/4P4/4B4/4A4/4K4 w - - 0 1",
    "4k4/9/9/9/9/9/9/4R4/9/3K5 b - - 0 1",
    "3k5/4P4/9/9/9/9/9/9/4p4/5K3 w - - 40 60",
    "4k4/4a4/9/4n4/9/4N4/9/4B4/9/4K4 b - - 100 80",
    "2bakab2/9/2n1c1n2/p1p1p1p1p/9/9/P1P1P1P1P/2N1C1N2/9/2BAKAB2 b - - 0 20",
    "3akab2/9/4b4/p3p4/2p6/6P2/P3P4/4B4/4A4/2BAK4 w - - 10 40",
};
constexpr int kRandomGames = 24;

std::vector<GameHistory> positions() {
  std::vector<GameHistory> list;
  for (const std::string_view fen : kFens) list.emplace_back(xiangqi::Position::from_fen(fen).value());
  const auto& rules = xiangqi::rule_set("checks_only");
  for (int i = 0; i < kRandomGames; ++i) {
    Random random(1, "bench", uint64_t(i));
    GameHistory history;
    for (int ply = 0; ply < 1 + 5 * i; ++ply) {
      const auto moves = history.current().legal_moves();
      history.push(moves[int(random.below(uint64_t(moves.size())))]);
      const auto next = history.current().legal_moves();
      if (xiangqi::game_end(history, next, rules)) {
        history.pop();
        break;
      }
    }
    list.push_back(std::move(history));
  }
  return list;
}

struct Kind {
  std::string_view name;
  SearchParams params;
  int leaves;
};

std::vector<Kind> kinds() {
  Kind puct{"puct", {}, 1}, leaves{"puct, 8 leaves", {}, 8}, gumbel{"gumbel", {}, 1};
  puct.params.visits = 2000;
  puct.params.noise_share = 0.25;
  leaves.params.visits = 1000;
  gumbel.params.algorithm = "gumbel";
  gumbel.params.visits = 400;
  return {puct, leaves, gumbel};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

uint64_t search_signature(std::FILE* out) {
  const auto& rules = xiangqi::rule_set("checks_only");
  const auto evaluator = nn::make_hash_evaluator();
  const auto list = positions();
  uint64_t digest = 0;
  for (const Kind& kind : kinds()) {
    const auto begin = std::chrono::steady_clock::now();
    uint64_t nodes = 0, simulations = 0, ends = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      mcts::Search search(kind.params, rules);
      const auto result = search.run(*evaluator, list[i], Random(1, "bench search", i), kind.leaves);
      for (const auto& m : result.moves) digest = mix64(digest ^ (uint64_t(m.move.bits) << 32 | m.visits));
      digest = mix64(digest ^ result.best.bits);
      nodes += search.counters().nodes;
      simulations += search.counters().simulations;
      ends += search.counters().terminals;
    }
    const double seconds = seconds_since(begin);
    fmt::print(out, "{:<15} {} positions, {} simulations, {} ends, {} nodes, {:.0f} simulations/s\n",
               kind.name, list.size(), simulations, ends, nodes, double(simulations) / seconds);
  }
  return digest & 0xffffffff;
}

void search_speed(std::FILE* out, int visits) {
  const auto& rules = xiangqi::rule_set("checks_only");
  const auto evaluator = nn::make_hash_evaluator();
  for (const std::string_view algorithm : {"puct", "gumbel"}) {
    SearchParams params;
    params.algorithm = algorithm;
    params.visits = visits;
    mcts::Search search(params, rules);
    const auto begin = std::chrono::steady_clock::now();
    search.run(*evaluator, GameHistory(), Random(1, "bench speed", 0));
    const double seconds = seconds_since(begin);
    const auto& c = search.counters();
    fmt::print(out,
               "{:<15} one tree of {} visits: {:.0f} simulations/s, {} nodes, {:.0f} bytes/node, depth {}\n",
               algorithm, c.simulations, double(c.simulations) / seconds, c.nodes,
               double(c.bytes) / double(c.nodes), c.max_depth);
  }
}

}  // namespace chuhe::cli
