#pragma once
// What ends a search, and how much of a clock one move may take.

#include <cstdint>
#include <optional>
#include <vector>

#include "xiangqi/board/types.h"

namespace chuhe::play {

/// One `go`. Times in ms. Whatever is reached first ends the search.
struct Limits {
  std::optional<int64_t> clock_ms[2];  // what is left, by colour
  int64_t increment_ms[2] = {0, 0};
  int moves_to_go = 0;  // to the next time control, 0 = none
  std::optional<int64_t> move_time_ms;
  std::optional<int64_t> nodes;             // visits of the root
  std::optional<int> depth;                 // as depth_of() counts it
  std::optional<int> mate;                  // a mate in at most so many moves is found
  bool infinite = false;                    // the answer waits for stop()
  bool ponder = false;                      // the answer, and the clock, wait for ponderhit() or stop()
  std::vector<xiangqi::Move> search_moves;  // the answer is one of these; empty = any

  bool has_clock() const { return clock_ms[0] || clock_ms[1]; }
  bool bounded() const { return has_clock() || move_time_ms || nodes || depth || mate; }
};

/// The time in ms that this move may take, or none without a clock and a move time.
///
/// With a clock: the time left (less the overhead) is shared by the moves to the next control, by at least 4
/// and by 30 where none is given, plus four fifths of the increment; never more than two fifths of what is
/// left. So a wrong "movestogo 1", which one adapter is known to send, costs a quarter of the clock, not all
/// of it. With a move time: that time less the overhead, at least half of it.
std::optional<int64_t> time_budget(const Limits& limits, xiangqi::Color mover, int64_t overhead_ms);

}  // namespace chuhe::play
