// What the farm costs beside its evaluator: rows per second of CPU time, alone and in self-play with one
// worker at the same batch; and how busy a modelled device is kept.
//   build/release/bench/selfplay_bench --benchmark_format=json

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <thread>

#include "match/player.h"
#include "nn/api/doubles.h"
#include "nn/cpu/cpu_evaluator.h"
#include "nn/encoding/policy_index.h"
#include "nn/net/init_net.h"
#include "selfplay/selfplay_settings.h"

namespace chuhe::selfplay {
namespace {

constexpr int kBatch = 32;

nn::EvaluatorFactory net(const char* preset) {
  return nn::simd_factory(std::make_shared<const nn::NetFile>(
      nn::init_net(nn::net_preset(preset), 1, std::string("bench-") + preset, "checks_only")));
}

void fill(nn::EvalBatch& batch) {
  Random random(1);
  xiangqi::GameHistory history;
  for (batch.clear(); !batch.full();) {
    const xiangqi::MoveList legal = history.current().legal_moves();
    uint16_t indices[xiangqi::kMaxMoves];
    nn::policy_indices(legal, history.current().side_to_move(), indices);
    batch.add(nn::pack(history, xiangqi::rule_set("checks_only")), {indices, size_t(legal.size())});
    history.push(legal[int(random.below(uint64_t(legal.size())))]);
  }
}

void evaluator_alone(benchmark::State& state, const nn::EvaluatorFactory& make) {
  const auto evaluator = make();
  const auto batch = evaluator->make_batch(kBatch);
  fill(*batch);
  for (auto _ : state) evaluator->evaluate(*batch);
  state.SetItemsProcessed(state.iterations() * kBatch);
}

SelfplaySettings settings_of(const char* algorithm, int visits) {
  SelfplaySettings settings;
  settings.search.algorithm = algorithm;
  settings.search.visits = visits;
  settings.adjudication.ply_cap = 160;
  settings.random_opening_plies = 8;
  settings.farm.workers = 1;
  settings.farm.slots = 2 * kBatch;
  return settings;
}

FarmProgress play(const SelfplaySettings& settings, const nn::EvaluatorFactory& make, uint64_t games,
                  std::stop_token stop) {
  const GameMaker maker(settings, 1, "bench");
  return play_games(
      settings.farm, {make},
      [&, id = uint64_t(0)](match::GameSpec& spec) mutable {
        if (id == games) return false;
        spec = maker.make(id++);
        return true;
      },
      [](shards::GameRecord&&) {}, stop);
}

void selfplay(benchmark::State& state, const nn::EvaluatorFactory& make, const char* algorithm, int visits) {
  int64_t rows = 0;
  double fill_sum = 0;
  for (auto _ : state) {
    const FarmProgress p = play(settings_of(algorithm, visits), make, 2 * kBatch, {});
    rows += int64_t(p.rows);
    fill_sum += p.batch_fill;
  }
  state.SetItemsProcessed(rows);
  state.SetLabel(fmt::format("fill {:.0f} %", 100 * fill_sum / double(state.iterations())));
}

// Rows per second of a device of so many; what is missing is time in which it waited.
void device(benchmark::State& state) {
  const double rate = double(state.range(0));
  SelfplaySettings settings = settings_of("puct", 100);
  settings.farm.slots = 512;
  double busy = 0;
  for (auto _ : state) {
    std::stop_source stop;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::seconds(2));
      stop.request_stop();
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto factory = [rate] { return nn::make_device_model(rate, 200); };
    const FarmProgress p = play(settings, factory, ~0ull, stop.get_token());
    busy = double(p.rows) / rate /
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  state.SetLabel(fmt::format("device busy {:.0f} %", 100 * busy));
}

void alpha_beta(benchmark::State& state) {
  const xiangqi::GameHistory history;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        match::alpha_beta_value(history, xiangqi::rule_set("checks_only"), int(state.range(0))));
}

BENCHMARK_CAPTURE(evaluator_alone, hash, nn::make_hash_evaluator);
BENCHMARK_CAPTURE(selfplay, hash_puct_100, nn::make_hash_evaluator, "puct", 100)->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(selfplay, hash_gumbel_16, nn::make_hash_evaluator, "gumbel", 16)->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(evaluator_alone, nano, net("nano"));
BENCHMARK_CAPTURE(selfplay, nano_gumbel_16, net("nano"), "gumbel", 16)
    ->MeasureProcessCPUTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(evaluator_alone, tiny, net("tiny"));
BENCHMARK_CAPTURE(selfplay, tiny_gumbel_16, net("tiny"), "gumbel", 16)
    ->MeasureProcessCPUTime()
    ->Iterations(1);
BENCHMARK(device)->Arg(10'000)->Arg(50'000)->Arg(100'000)->Iterations(1)->UseRealTime()->Unit(
    benchmark::kMillisecond);
BENCHMARK(alpha_beta)->Arg(4)->Arg(6)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace chuhe::selfplay

BENCHMARK_MAIN();
