#pragma once
// One worker thread of the farm: its evaluators, its two half-sets of slots, and its part of the loop.
// Everything here belongs to that thread; what it shares with the others is in FarmShared.

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/bounded_queue.h"
#include "selfplay/farm.h"

namespace chuhe::selfplay {

/// JudgeMemory::Counts, summed over the workers.
struct JudgeTotals {
  std::atomic<int64_t> verdicts = 0, cycles_known = 0, plies = 0, budget_exceeded = 0;
};

/// What the judge of one worker remembers for one rule set: plies and cycles recur within a game and, where
/// games share an opening, between games.
struct WorkerJudge {
  xiangqi::JudgeMemory memory;
  xiangqi::JudgeMemory::Counts reported;
  void report(JudgeTotals& totals);  // adds what has come since the last report
};

/// What all threads of a farm see.
struct FarmShared {
  FarmShared(const NextGame& next, size_t queue_capacity) : finished(queue_capacity), next_(next) {}

  /// The next game of all; nothing once `next` has run dry.
  std::optional<match::GameSpec> take();
  bool is_dry() const { return dry_.load(std::memory_order_relaxed); }
  /// Keeps the first exception and stops the farm.
  void fail(std::exception_ptr why);

  std::stop_source stop;
  BoundedQueue<shards::GameRecord> finished;  // from the workers to the writer
  std::atomic<uint64_t> games = 0, plies = 0, rows = 0, batches = 0, batch_rows = 0, simulations = 0;
  JudgeTotals judge;
  std::exception_ptr error;  // read after the threads have ended

 private:
  const NextGame& next_;
  std::mutex mutex_;  // guards next_ and error
  std::atomic<bool> dry_ = false;
};

class Worker {
 public:
  /// `first` are the games that this worker begins with. Evaluators are made here, in the worker's own
  /// thread.
  Worker(FarmShared& shared, int slots, const std::vector<nn::EvaluatorFactory>& evaluators,
         std::deque<match::GameSpec> first);
  ~Worker();
  /// Plays until no game is left or the farm stops.
  void run();

 private:
  struct Slot {
    std::optional<match::GameRunner> runner;
    int rows_in = -1;  // the evaluator that its rows are with; -1: none are out
  };
  struct Half {
    std::vector<Slot> slots;
    std::vector<std::unique_ptr<nn::EvalBatch>> batches;  // by evaluator
    std::vector<std::optional<nn::Ticket>> tickets;
    int live = 0;  // slots with a game
  };

  std::optional<match::GameSpec> next_game();
  void fill(Half& half);
  void collect(Half& half);
  void merge_if_few(Half& from, Half& into);
  void search(Half& half);
  void submit(Half& half);
  void step(Half& half, Slot& slot);
  void finish(Half& half, Slot& slot);
  void report_judges();
  bool stopped() const { return shared_.stop.stop_requested(); }

  FarmShared& shared_;
  std::deque<match::GameSpec> first_;
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators_;  // outlive the batches
  std::vector<std::string> nets_;
  std::map<std::string, WorkerJudge> judges_;  // by rule set; outlive the games
  Half halves_[2];
};

}  // namespace chuhe::selfplay
