// Speeds of the encoding and of evaluators without torch, in rows per second of CPU time.
//   build/release/bench/nn_bench --benchmark_format=json

#include <benchmark/benchmark.h>

#include <memory>

#include "nn/api/decorators.h"
#include "nn/api/doubles.h"
#include "nn/cpu/cpu_evaluator.h"
#include "nn/encoding/planes.h"
#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

constexpr int kBatch = 64;

void expand(benchmark::State& state) {
  const auto samples = test::random_samples(kBatch, 1);
  std::vector<float> planes(90 * kPlanes);
  for (auto _ : state)
    for (const auto& sample : samples) {
      expand_planes(sample.row, planes.data());
      benchmark::DoNotOptimize(planes.data());
    }
  state.SetItemsProcessed(state.iterations() * kBatch);
}
BENCHMARK(expand);

void pack_rows(benchmark::State& state) {
  const auto history = test::game(xiangqi::kStartFen, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b2b4 c6c5");
  for (auto _ : state) benchmark::DoNotOptimize(digest(pack(history, test::rules())));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(pack_rows);

void evaluate(benchmark::State& state, const std::function<std::unique_ptr<Evaluator>()>& make) {
  const auto evaluator = make();
  const auto batch = evaluator->make_batch(kBatch);
  test::fill(*batch, test::random_samples(kBatch, 1));
  for (auto _ : state) evaluator->evaluate(*batch);
  state.SetItemsProcessed(state.iterations() * kBatch);
}
BENCHMARK_CAPTURE(evaluate, hash, make_hash_evaluator);
BENCHMARK_CAPTURE(evaluate, material, make_material_evaluator);
BENCHMARK_CAPTURE(evaluate, cache_hit, [] { return make_cached(make_hash_evaluator(), 1 << 16); });

auto net(const char* preset, std::string_view backend) {
  return [=]() -> std::unique_ptr<Evaluator> {
    const auto file = test::shared_net(net_preset(preset), 1);
    return backend == "eigen" ? make_eigen_evaluator(file) : simd_factory(file, backend)();
  };
}
BENCHMARK_CAPTURE(evaluate, nano_simd, net("nano", ""))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, nano_baseline, net("nano", "baseline"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, nano_eigen, net("nano", "eigen"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, tiny_simd, net("tiny", ""))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, tiny_eigen, net("tiny", "eigen"))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, base_simd, net("base", ""))->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace chuhe::nn

BENCHMARK_MAIN();
