#include "play/score.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace chuhe::play {

int centipawns(double q) {
  constexpr double kMost = 9999;
  if (q >= 1) return int(kMost);
  if (q <= -1) return -int(kMost);
  return int(std::lround(std::clamp(1000 * std::atanh(q), -kMost, kMost)));
}

std::array<int, 3> per_mille(double q, double draw_share) {
  q = std::clamp(q, -1.0, 1.0);
  const double draw = std::clamp(draw_share, 0.0, 1 - std::abs(q));
  const int win = int(std::lround(1000 * (1 - draw + q) / 2));
  const int loss = std::min(int(std::lround(1000 * (1 - draw - q) / 2)), 1000 - win);
  return {win, 1000 - win - loss, loss};
}

int depth_of(uint64_t visits) {
  return std::bit_width(visits + 1) - 1;
}

uint64_t visits_of_depth(int depth) {
  return (uint64_t{1} << std::clamp(depth, 1, 40)) - 1;
}

std::optional<int> mate_at_end(xiangqi::Position start, std::span<const xiangqi::Move> line) {
  for (const xiangqi::Move move : line) start.play(move);
  if (start.has_legal_move()) return {};
  const int plies = int(line.size());
  return plies % 2 ? (plies + 1) / 2 : -plies / 2;
}

}  // namespace chuhe::play
