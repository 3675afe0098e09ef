#pragma once
// Small formulas of statistics that several parts report.

#include <algorithm>
#include <cmath>

namespace chuhe {

inline constexpr double kZ95 = 1.959963984540054;  // 95 %, two-sided

struct ShareInterval {
  double low, high;
};

/// Wilson's 95 % interval (1927) of a share seen in n independent cases (not always whole: n may be an
/// effective number). Stays inside 0..1 and has a width for shares 0 and 1. Nothing seen: 0..1.
inline ShareInterval wilson_interval(double share, double n) {
  if (n <= 0) return {0, 1};
  const double z2 = kZ95 * kZ95, middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ95 / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace chuhe
