#pragma once
// Which row comes next, and how it is shown. A pure function of (seed, number of the sample), so that any
// number of threads may ask, and a checkpoint need only say how many samples were drawn.

#include <cstdint>

#include "trainer/batch.h"
#include "trainer/settings.h"
#include "trainer/window.h"

namespace chuhe::trainer {

/// A pseudo-random permutation of [0, n) for each key, without a table: a Feistel network on the smallest
/// square power of two that holds n, walked until it lands inside.
class Permutation {
 public:
  Permutation(uint64_t n, uint64_t key);
  uint64_t operator()(uint64_t i) const;

 private:
  uint64_t encrypt(uint64_t x) const;
  uint64_t n_;
  int half_bits_;
  uint64_t keys_[4];
};

/// Goes through the rows in passes, each in an order of its own, so that every row is drawn once in each
/// pass; a batch is a run of consecutive samples and so mixes games. The pass of sample k over n rows is k /
/// n: when the window changes, the walk goes on at the same k in the new one.
class Sampler {
 public:
  /// `rows` must outlive the sampler and not be empty.
  Sampler(const Selection& selection, const TrainSettings& settings, uint64_t seed);

  struct Sample {
    Selection::Row row;
    Augment augment;
  };
  Sample at(uint64_t sample) const;
  /// All rows of step `step`, the first of which is sample step * batch.
  void fill(int64_t step, bool with_planes, TrainBatch& batch) const;

 private:
  const Selection& selection_;
  const TrainSettings settings_;
  const uint64_t seed_;
};

/// Rows that no step ever sees, in a fixed order, never augmented: the same for all nets of a window. At most
/// `most` rows from `begin` on; returns how many.
int fill_validation(const Selection& selection, int begin, int most, double root_value_share,
                    bool with_planes, TrainBatch& batch);

}  // namespace chuhe::trainer
