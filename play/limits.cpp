#include "play/limits.h"

#include <algorithm>

namespace chuhe::play {
namespace {

constexpr int64_t kFewestMoves = 4, kUsualMoves = 30;

}  // namespace

std::optional<int64_t> time_budget(const Limits& limits, xiangqi::Color mover, int64_t overhead_ms) {
  std::optional<int64_t> budget;
  if (limits.has_clock()) {
    // A GUI that names one clock only means it for both.
    const int side = limits.clock_ms[int(mover)] ? int(mover) : int(~mover);
    const int64_t left = std::max<int64_t>(*limits.clock_ms[side] - overhead_ms, 0);
    const int64_t moves =
        limits.moves_to_go > 0 ? std::clamp<int64_t>(limits.moves_to_go, kFewestMoves, 60) : kUsualMoves;
    const int64_t increment = std::clamp<int64_t>(limits.increment_ms[side], 0, left);
    budget = std::max<int64_t>(std::min(left / moves + increment * 4 / 5, left * 2 / 5), 1);
  }
  if (limits.move_time_ms) {
    const int64_t whole = std::max<int64_t>(*limits.move_time_ms, 1);
    const int64_t part = std::max({whole - overhead_ms, whole / 2, int64_t{1}});
    budget = budget ? std::min(*budget, part) : part;
  }
  return budget;
}

}  // namespace chuhe::play
