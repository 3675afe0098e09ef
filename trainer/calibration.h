#pragma once
// How far predicted probabilities are from frequencies.

#include <algorithm>
#include <array>
#include <cmath>

namespace chuhe::trainer {

/// Expected calibration error (Naeini et al. 2015) in ten bins of equal width: the mean over predictions of
/// |mean prediction - frequency| of their bin.
class Calibration {
 public:
  /// `happened`: 0 or 1.
  void add(double probability, double happened) {
    Bin& b = bins_[size_t(std::min(std::max(probability, 0.0) * kBins, kBins - 1.0))];
    b.predicted += probability;
    b.happened += happened;
    ++total_;
  }
  double expected_error() const {
    double sum = 0;
    for (const Bin& b : bins_) sum += std::abs(b.predicted - b.happened);
    return total_ ? sum / double(total_) : 0;
  }

 private:
  static constexpr int kBins = 10;
  struct Bin {
    double predicted = 0, happened = 0;
  };
  std::array<Bin, kBins> bins_{};
  long total_ = 0;
};

}  // namespace chuhe::trainer
