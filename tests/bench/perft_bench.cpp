// Speed of the board and the rules: leaves, lists and plies per second.

#include <benchmark/benchmark.h>

#include <vector>

#include "base/random.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {
namespace {

constexpr const char* kMiddleGame = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w";

void perft_of(benchmark::State& state, const char* fen, int depth) {
  const Position p = Position::from_fen(fen).value();
  uint64_t leaves = 0;
  for (auto _ : state) leaves += perft(p, depth);
  state.SetItemsProcessed(int64_t(leaves));
  state.SetLabel("items are leaves");
}
BENCHMARK_CAPTURE(perft_of, start_4, kStartFen.data(), 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(perft_of, middle_game_4, kMiddleGame, 4)->Unit(benchmark::kMillisecond);

/// Positions and moves of random games from the start.
std::vector<std::vector<Move>> random_games(int games, int plies) {
  Random random(1, "bench", 0);
  std::vector<std::vector<Move>> out;
  for (int g = 0; g < games; ++g) {
    Position p;
    std::vector<Move> moves;
    for (int i = 0; i < plies; ++i) {
      const MoveList legal = p.legal_moves();
      if (legal.empty()) break;
      moves.push_back(legal[int(random.below(uint64_t(legal.size())))]);
      p.play(moves.back());
    }
    out.push_back(moves);
  }
  return out;
}

void list_legal_moves(benchmark::State& state) {
  std::vector<Position> positions;
  for (const auto& game : random_games(20, 100)) {
    Position p;
    for (Move m : game) {
      p.play(m);
      positions.push_back(p);
    }
  }
  MoveList list;
  for (auto _ : state)
    for (const Position& p : positions) {
      p.legal_moves(list);
      benchmark::DoNotOptimize(list.size());
    }
  state.SetItemsProcessed(int64_t(state.iterations()) * int64_t(positions.size()));
  state.SetLabel("items are positions");
}
BENCHMARK(list_legal_moves)->Unit(benchmark::kMicrosecond);

/// What a search does on its way down a path and back.
void push_judge_pop(benchmark::State& state) {
  const auto games = random_games(20, 100);
  const RuleSet& rules = rule_set("checks_only");
  int64_t plies = 0;
  for (auto _ : state)
    for (const auto& game : games) {
      GameHistory history;
      for (Move m : game) {
        history.push(m);
        benchmark::DoNotOptimize(judge(history, rules, 2));
      }
      history.pop(history.plies());
      plies += int64_t(game.size());
    }
  state.SetItemsProcessed(plies);
  state.SetLabel("items are plies");
}
BENCHMARK(push_judge_pop)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace chuhe::xiangqi

BENCHMARK_MAIN();
