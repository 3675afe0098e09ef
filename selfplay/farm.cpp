#include "selfplay/farm.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "base/cpus.h"
#include "base/error.h"
#include "selfplay/worker.h"

namespace chuhe::selfplay {
namespace {

using namespace std::chrono_literals;

constexpr size_t kFinishedGames = 256;  // waiting for the writer before the workers wait too

FarmProgress progress_of(const FarmShared& shared) {
  FarmProgress p;
  p.games = shared.games;
  p.plies = shared.plies;
  p.rows = shared.rows;
  p.batches = shared.batches;
  p.simulations = shared.simulations;
  p.judge = {shared.judge.verdicts, shared.judge.cycles_known, shared.judge.plies,
             shared.judge.budget_exceeded};
  const auto room = double(shared.batch_rows);
  p.batch_fill = room > 0 ? double(p.rows) / room : 0;
  return p;
}

void write_games(FarmShared& shared, const GameSink& sink, const std::function<void()>& on_tick) {
  try {
    while (true) {
      const bool closed = shared.finished.closed();  // asked first: nothing can come after it
      auto record = shared.finished.pop_for(1s);
      if (record)
        sink(std::move(*record));
      else if (closed)
        return;
      if (on_tick) on_tick();
    }
  } catch (...) {
    shared.fail(std::current_exception());
    shared.finished.close();  // frees workers that wait for room
  }
}

// The first games are dealt in turn, so that few games spread over all workers.
std::vector<std::deque<match::GameSpec>> deal(FarmShared& shared, int workers, int slots) {
  std::vector<std::deque<match::GameSpec>> hands(static_cast<size_t>(workers));
  for (int slot = 0; slot < slots; ++slot)
    for (auto& hand : hands) {
      auto spec = shared.take();
      if (!spec) return hands;
      hand.push_back(std::move(*spec));
    }
  return hands;
}

// Counts the workers that are still at it.
class Workers {
 public:
  explicit Workers(size_t n) : left_(n) {}
  void one_ended() {
    std::lock_guard lock(mutex_);
    --left_;
    ended_.notify_all();
  }
  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [&] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  size_t left_;
};

// Where play_games is left, by an exception too, no thread may wait for ever: destroyed before the workers
// are joined, and then before the writer is.
struct StopAtEnd {
  FarmShared& shared;
  ~StopAtEnd() { shared.stop.request_stop(); }
};
struct CloseAtEnd {
  FarmShared& shared;
  ~CloseAtEnd() { shared.finished.close(); }
};

}  // namespace

void FarmSettings::describe(Fields& f) {
  f("workers", workers, "threads that play; 0 = one per usable CPU", {0, 4096});
  f("slots", slots, "games in flight per worker, in two halves", {1, 65536});
}

std::string judge_line(const xiangqi::JudgeMemory::Counts& c) {
  return fmt::format(
      "judge: {} repetitions judged ({} known before), {} plies classified, {} of them beyond the node "
      "budget",
      c.verdicts, c.cycles_known, c.plies, c.budget_exceeded);
}

FarmProgress play_games(const FarmSettings& settings, const std::vector<nn::EvaluatorFactory>& evaluators,
                        const NextGame& next, const GameSink& sink, std::stop_token stop,
                        const std::function<void(const FarmProgress&)>& on_progress,
                        const std::function<void()>& on_tick) {
  FarmShared shared(next, kFinishedGames);
  const std::stop_callback pass_on(stop, [&] { shared.stop.request_stop(); });
  auto hands = deal(shared, settings.workers > 0 ? settings.workers : usable_cpus().count, settings.slots);
  std::erase_if(hands, [](const auto& hand) { return hand.empty(); });

  {
    std::jthread writer([&] { write_games(shared, sink, on_tick); });
    const CloseAtEnd close{shared};
    Workers running(hands.size());
    std::vector<std::jthread> threads;
    const StopAtEnd stop_workers{shared};
    for (auto& hand : hands)
      threads.emplace_back([&] {
        try {
          Worker(shared, settings.slots, evaluators, std::move(hand)).run();
        } catch (...) {
          shared.fail(std::current_exception());
        }
        running.one_ended();
      });
    while (!running.wait_for(1s))
      if (on_progress) on_progress(progress_of(shared));
  }
  if (shared.error) std::rethrow_exception(shared.error);
  if (on_progress) on_progress(progress_of(shared));
  return progress_of(shared);
}

}  // namespace chuhe::selfplay
