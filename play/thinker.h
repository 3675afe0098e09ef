#pragma once
// The thinking itself: net, tree, and the loop that stops in time. It belongs to one thread (the engine's
// worker); others reach a running search only through its Control.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mcts/search/search.h"
#include "play/limits.h"
#include "play/net_source.h"
#include "play/settings.h"

namespace chuhe::play {

/// A monotone clock. Injected, so that tests own the time.
using Clock = std::function<std::chrono::microseconds()>;

/// One line of play. Scores are from the side to move at the root.
struct InfoLine {
  std::optional<int> mate;  // in moves, negative if losing; else centipawns counts
  int centipawns = 0;
  std::array<int, 3> wdl{0, 1000, 0};  // per mille
  std::vector<xiangqi::Move> pv;
};

struct SearchInfo {
  int depth = 0, deepest = 0;
  uint64_t nodes = 0;  // visits of the root
  uint64_t nodes_per_second = 0;
  int64_t time_ms = 0;
  int hash_full = 0;            // per mille
  std::vector<InfoLine> lines;  // the best first
};

struct BestMove {
  xiangqi::Move move;    // none: no legal move, or no net
  xiangqi::Move ponder;  // the expected answer, or none
};

/// Called from the worker thread, one at a time.
struct Events {
  std::function<void(const SearchInfo&)> info;
  std::function<void(const BestMove&)> best_move;   // exactly once for each go
  std::function<void(const std::string&)> message;  // for people; faults start with "error"
};

/// The reins of one search, held by the engine's callers.
struct Control {
  std::atomic<bool> stop{false};
  std::atomic<bool> pondering{false};
  std::atomic<int64_t> started_us{0};  // when the clock began to run
};

struct Request {
  xiangqi::GameHistory history;
  Limits limits;
  PlaySettings settings;
  bool forget = false;  // drop the tree first
};

class Thinker {
 public:
  /// `hold` blocks until the control no longer asks to hold the answer back (go infinite, go ponder). It is
  /// called once, just before the last word of think() and evaluate().
  Thinker(NetLoader loader, Clock clock, Events events,
          std::function<void(const Request&, const Control&)> hold);

  /// Opens the net of the settings unless it is open, and warms it up. A failure is told in a message; false
  /// then.
  bool prepare(const PlaySettings& settings);
  /// Searches with the net that prepare() opened, reports, and calls best_move once; without a net there is
  /// no search and no move.
  void think(const Request& request, const Control& control);
  /// Tells in messages what the net says of a position without any search.
  void evaluate(const Request& request, const Control& control);

 private:
  std::vector<std::string> opinion(const Request& request);
  BestMove search(const Request& request, const Control& control);
  void renew_search(const Request& request);
  void loop(const Request& request, const Control& control);
  /// Gathers, evaluates and absorbs one batch.
  void step(uint64_t visits);
  bool time_is_up(const Request& request, const Control& control, int64_t batch_us) const;
  bool reached(const Request& request, const mcts::SearchResult& result) const;
  SearchInfo summary(const Request& request, const mcts::SearchResult& result) const;
  std::vector<mcts::RootMove> ranked(const Request& request, const mcts::SearchResult& result) const;
  BestMove choose(const Request& request, const mcts::SearchResult& result) const;

  NetLoader loader_;
  Clock clock_;
  Events events_;
  std::function<void(const Request&, const Control&)> hold_;

  std::string net_key_;  // what is open; empty = nothing
  OpenNet net_;
  std::unique_ptr<nn::Evaluator> evaluator_;
  std::unique_ptr<nn::EvalBatch> batch_;
  std::string search_key_;  // parameters of search_
  std::unique_ptr<mcts::Search> search_;
  uint64_t searches_ = 0, visits_at_start_ = 0;
  int64_t begun_us_ = 0;
  std::vector<xiangqi::Move> wins_;  // root moves that end the game
};

}  // namespace chuhe::play
