// Speeds of training and of LibTorch's evaluator on the CPU, in rows per second (one thread each, except
// `step` with 2).
//   build/release/bench/training_bench --benchmark_format=json

#include <benchmark/benchmark.h>

#include <memory>

#include "nn/encoding/policy_index.h"
#include "nn/infer/torch_evaluator.h"
#include "nn/net/init_net.h"
#include "nn/net/parameters.h"
#include "tests/unit/trainer/synthetic_games.h"
#include "trainer/learner.h"
#include "trainer/sampler.h"

namespace chuhe::trainer {
namespace {

const Selection& selection() {
  static const Selection s = [] {
    Window window(0.05, true);
    for (uint64_t id = 0; id < 100; ++id) window.add(testing::synthetic_game(1, id, 80));
    return window.select({});
  }();
  return s;
}

/// From a game's record to rows of the window: replay and packing.
void load_game(benchmark::State& state) {
  const auto record = testing::synthetic_game(1, 1, 80);
  for (auto _ : state) benchmark::DoNotOptimize(compact(record, 0.05, true));
  state.SetItemsProcessed(state.iterations() * int64_t(record.plies.size()));
}
BENCHMARK(load_game);

/// From the window to a batch; with planes for the CPU, without for a GPU, which expands them itself.
void window_to_batch(benchmark::State& state) {
  TrainSettings settings;
  const Sampler sampler(selection(), settings, 1);
  TrainBatch batch;
  int64_t step = 0;
  for (auto _ : state) sampler.fill(step++, state.range(0) != 0, batch);
  state.SetItemsProcessed(state.iterations() * settings.batch);
}
BENCHMARK(window_to_batch)->ArgName("planes")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void step(benchmark::State& state, const char* preset, const char* precision, int threads) {
  const nn::NetConfig config = nn::net_preset(preset);
  TrainSettings settings;
  settings.device = "cpu";
  settings.precision = precision;
  settings.threads = threads;
  const auto learner = make_learner(config, settings, nn::initial_net(config, 1));
  TrainBatch batch;
  Sampler(selection(), settings, 1).fill(0, true, batch);
  for (auto _ : state) benchmark::DoNotOptimize(learner->step(batch));
  state.SetItemsProcessed(state.iterations() * settings.batch);
}
BENCHMARK_CAPTURE(step, nano_fp32, "nano", "fp32", 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, nano_bf16, "nano", "bf16", 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, nano_fp32_2_threads, "nano", "fp32", 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(step, tiny_fp32, "tiny", "fp32", 1)->Unit(benchmark::kMillisecond);

void evaluate(benchmark::State& state, const char* preset, const char* precision) {
  nn::EvaluatorSettings settings;
  settings.device = "cpu";
  settings.precision = precision;
  settings.batch = 64;
  const auto net = nn::init_net(nn::net_preset(preset), 1, "bench", "checks_only");
  const auto evaluator = nn::open_torch_net(net, settings).make();
  TrainBatch source;
  TrainSettings rows;
  rows.batch = settings.batch;
  Sampler(selection(), rows, 1).fill(0, false, source);
  const auto batch = evaluator->make_batch(settings.batch);
  for (int i = 0; i < settings.batch; ++i) {
    std::vector<uint16_t> moves;
    for (int k = i * TrainBatch::kWidth; source.legal[size_t(k)] > 0; ++k)
      moves.push_back(uint16_t(source.moves[size_t(k)]));
    batch->add(source.packed[size_t(i)], moves);
  }
  for (auto _ : state) evaluator->evaluate(*batch);
  state.SetItemsProcessed(state.iterations() * settings.batch);
}
BENCHMARK_CAPTURE(evaluate, torch_nano_fp32, "nano", "fp32")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, torch_nano_bf16, "nano", "bf16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, torch_tiny_fp32, "tiny", "fp32")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, torch_tiny_bf16, "tiny", "bf16")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace chuhe::trainer

BENCHMARK_MAIN();
