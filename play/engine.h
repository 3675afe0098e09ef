#pragma once
// An engine: a position, go and stop, answers by callback. One worker thread loads the net and searches; all
// members are called from one other thread (the protocol's) and return at once.

#include <deque>
#include <thread>

#include "play/thinker.h"

namespace chuhe::play {

class Engine {
 public:
  Engine(NetLoader loader, Clock clock, Events events);
  /// Stops the search, drops what waits, and joins: as long as a net that is being loaded takes. A program
  /// that must end quickly ends without it.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Takes effect with the next go, load or evaluate.
  void set_settings(const PlaySettings& settings);
  void set_position(const xiangqi::GameHistory& history) { history_ = history; }
  /// The next go starts without the old tree.
  void new_game() { forget_ = true; }

  /// Searches the position that is set now. A search that still runs is stopped first, and answers. Without
  /// bounds and without settings.visits the search is an infinite one.
  void go(const Limits& limits);
  void stop();
  /// The expected move was played: the clock of the `go ponder` runs from now on.
  void ponderhit();
  /// Loads the net if need be and then calls `ready` from the worker, loaded or not (a message tells why
  /// not); at once, from here, while other work runs.
  void load(std::function<void()> ready);
  void evaluate();
  /// Runs `work` on the worker after what was asked for before. It polls the control's stop, and calls
  /// last_word() before its last line: whoever has read that line must not find the engine busy.
  void post(std::function<void(const Control&)> work);

  void last_word();

  /// Work is running or waiting; what is saying its last word no longer is.
  bool busy() const;
  void wait_until_idle();

 private:
  struct Job {
    enum class Kind { Load, Search, Other } kind = Kind::Other;
    std::function<void(const Control&)> work;
    std::unique_ptr<Control> control = std::make_unique<Control>();
    bool answered = false;  // its last word is being sent: what comes now comes after it
    std::vector<std::function<void()>> when_done{};
  };
  void add(Job job);
  bool busy_locked() const;
  Job load_job();
  void work_loop(const std::stop_token& token);
  void hold(const Request& request, const Control& control);
  Request request() const { return {history_, {}, settings_, false}; }

  Clock clock_;
  PlaySettings settings_;
  xiangqi::GameHistory history_;
  bool forget_ = false;
  Thinker thinker_;

  mutable std::mutex mutex_;  // guards jobs_; what a control holds is atomic
  std::condition_variable_any changed_;
  std::deque<Job> jobs_;  // the front one is running
  std::jthread worker_;   // last: it uses all of the above
};

}  // namespace chuhe::play
