// Speed of the search: simulations per second on one thread, the Hash evaluator (which digests the packed
// row) included.

#include <benchmark/benchmark.h>

#include "mcts/search/search.h"
#include "nn/api/doubles.h"

namespace chuhe::mcts {
namespace {

void search_of(benchmark::State& state, const char* algorithm, int leaves) {
  SearchParams params;
  params.algorithm = algorithm;
  params.visits = int(state.range(0));
  const auto evaluator = nn::make_hash_evaluator();
  const xiangqi::GameHistory start;
  Search search(params, xiangqi::rule_set("checks_only"));
  for (auto _ : state) search.run(*evaluator, start, Random(1), leaves);
  const SearchCounters& counters = search.counters();
  state.SetItemsProcessed(int64_t(state.iterations()) * params.visits);
  state.counters["bytes_per_node"] = double(counters.bytes) / double(counters.nodes);
  state.SetLabel("items are simulations");
}
BENCHMARK_CAPTURE(search_of, puct, "puct", 1)->Arg(800)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_of, puct_8_leaves, "puct", 8)->Arg(800)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search_of, gumbel, "gumbel", 1)->Arg(16)->Arg(800)->Unit(benchmark::kMillisecond);

// A game's moves with the subtree kept: what re-rooting costs.
void reuse(benchmark::State& state) {
  SearchParams params;
  params.visits = 800;
  const auto evaluator = nn::make_hash_evaluator();
  const auto batch = evaluator->make_batch(1);
  Search search(params, xiangqi::rule_set("checks_only"));
  constexpr int kPlies = 20;
  for (auto _ : state) {
    xiangqi::GameHistory history;
    for (int ply = 0; ply < kPlies; ++ply) {
      search.start(history, Random(uint64_t(ply)), 0, true);
      while (!search.done()) {
        batch->clear();
        if (search.gather(*batch, 1) > 0) evaluator->evaluate(*batch);
        search.absorb(*batch);
      }
      history.push(search.result().best);
    }
  }
  state.SetItemsProcessed(int64_t(state.iterations()) * kPlies * params.visits);
  state.SetLabel("items are simulations");
}
BENCHMARK(reuse)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace chuhe::mcts

BENCHMARK_MAIN();
