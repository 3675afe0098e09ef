#pragma once
// The farm: worker threads, each owning two half-sets of game slots; one half is searched while the other
// half's batch is evaluated. Finished games go through one bounded queue to one writer thread.

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "match/game_runner.h"
#include "nn/api/evaluator.h"
#include "shards/game_record.h"

namespace chuhe::selfplay {

struct FarmSettings {
  int workers = 0;  // threads; 0 = one per usable CPU
  int slots = 64;   // games in flight per worker (two half-sets of half as many)
  void describe(Fields& f);
};

struct FarmProgress {
  uint64_t games = 0, plies = 0, rows = 0, batches = 0, simulations = 0;
  double batch_fill = 0;               // rows / (batches * capacity)
  xiangqi::JudgeMemory::Counts judge;  // of all workers
};

/// Where the farm's games come from: called by workers (thread-safe inside the farm: under its lock, in
/// order) until it returns false.
using NextGame = std::function<bool(match::GameSpec& spec)>;
/// Where finished games go; called from the one writer thread only.
using GameSink = std::function<void(shards::GameRecord&& record)>;

/// "judge: 120 repetitions judged (90 known before), 31 plies classified, 2 of them beyond the node budget".
std::string judge_line(const xiangqi::JudgeMemory::Counts& counts);

/// Plays games until `next` runs dry or `stop` is requested (games in flight are then dropped; the sink has
/// seen all that finished). `evaluators[i]` serves PlayerSpec::evaluator == i. A worker's or the sink's
/// exception stops the farm and is rethrown here. `on_progress` is called about once a second, here; what it
/// throws stops the farm as well.
FarmProgress play_games(const FarmSettings& settings, const std::vector<nn::EvaluatorFactory>& evaluators,
                        const NextGame& next, const GameSink& sink, std::stop_token stop,
                        const std::function<void(const FarmProgress&)>& on_progress = {},
                        const std::function<void()>& on_tick = {});

}  // namespace chuhe::selfplay
