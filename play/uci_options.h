#pragma once
// The table of UCI options. Each writes into a settings value; the names are those that GUI users know.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "play/settings.h"

namespace chuhe::play {

/// What the options set: the play settings, and what only the protocol needs.
struct UciState {
  explicit UciState(const PlaySettings& s) : settings(s) {}

  PlaySettings settings;
  bool show_wdl = false;
  bool ponder = false;  // told by the GUI; nothing depends on it
  int rank_base = 0;    // of the ranks written; those read are found out
  std::string debug_log;
};

class UciOptions {
 public:
  /// `state` must outlive the table. Its present values are the defaults that `uci` shows.
  UciOptions(UciState& state, std::function<void()> clear_hash);

  /// "option name ..." lines, in a fixed order.
  std::vector<std::string> declarations() const;
  /// Sets one option; names are compared without case. An unknown name, a wrong type or a value out of range
  /// changes nothing and gives a text that says what was expected; else the text is empty.
  std::string set(std::string_view name, std::string_view value);

 private:
  struct Option {
    std::string name;
    std::string declaration;  // from "type" on
    std::function<std::string(std::string_view)> set;
  };
  void add_spin(std::string name, int& field, int min, int max);
  void add_check(std::string name, bool& field);
  void add_text(std::string name, std::string& field);
  void add_combo(std::string name, std::string& field, std::vector<std::string> values);
  /// The GUIs' own names for rule sets.
  void add_repetition_rule(std::string& rules);
  void add_number(std::string name, double& field, double min, double max);
  void add_button(std::string name, std::function<void()> press);

  std::string variant_ = "xiangqi";
  int threads_ = 1;
  std::vector<Option> options_;
};

}  // namespace chuhe::play
