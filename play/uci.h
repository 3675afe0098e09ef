#pragma once
// The UCI protocol over an Engine. Lines in by handle(), lines out by a callback; no stream, clock or process
// here.

#include <fstream>

#include "play/engine.h"
#include "play/uci_options.h"

namespace chuhe::play {

class Uci {
 public:
  struct Setup {
    std::string name = "Chuhe";  // as shown by `uci`
    NetLoader loader;
    Clock clock;
    std::function<void(std::string_view)> write;  // gets whole lines, newline included; never two at once
  };
  Uci(const PlaySettings& settings, Setup setup);

  /// One line from the GUI, without its newline. Returns false after `quit`. Returns at once whatever the
  /// engine is doing; nothing that a line may hold is fatal: what makes no sense is answered by an info
  /// string and changes nothing.
  bool handle(std::string_view line);
  /// For tests and scripts.
  Engine& engine() { return engine_; }

 private:
  using Words = std::span<const std::string_view>;
  void identify();
  void set_option(Words words);
  void set_position(Words words);
  void go(Words words);
  void draw();
  void perft(Words words);
  void say(const std::string& line);  // one line, from any thread
  void say_all(const std::vector<std::string>& lines);
  void info(const std::string& text) { say("info string " + text); }
  void log(std::string_view direction, std::string_view text);

  Setup setup_;
  UciState state_;
  UciOptions options_;
  xiangqi::GameHistory history_;
  std::atomic<bool> show_wdl_{false};  // copies that the worker may read
  std::atomic<int> rank_base_{0};

  std::mutex write_mutex_;  // guards write, log_ and log_name_
  std::ofstream log_;
  std::string log_name_;
  Engine engine_;  // last: its worker calls the above
};

}  // namespace chuhe::play
