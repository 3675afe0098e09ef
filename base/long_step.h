#pragma once
// A step of work that may take long and has no loop to report from: reading a window, writing a shard, the
// games that are played to their end after a stop signal.

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "base/log.h"

namespace chuhe {

/// From its construction to its destruction, tells the log what is being done once that has taken
/// `first_after`, and from then on as often as Log::progress writes. A step that is quick says nothing.
class LongStep {
 public:
  /// `what` names the step, as "reading the window"; `how_far`, if given, is called from a thread of this
  /// object and its text is added, as "12 of 40 shards"; it must not throw. `log` must
  /// outlive the step.
  LongStep(Log& log, std::string what, std::function<std::string()> how_far = {},
           std::chrono::milliseconds first_after = std::chrono::seconds(5));

 private:
  std::jthread teller_;  // ends by its stop token when the step does
};

}  // namespace chuhe
