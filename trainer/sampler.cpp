#include "trainer/sampler.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/random.h"

namespace chuhe::trainer {

Permutation::Permutation(uint64_t n, uint64_t key) : n_(n) {
  CHUHE_CHECK(n > 0);
  half_bits_ = std::max(1, (int(std::bit_width(n - 1)) + 1) / 2);
  for (uint64_t& k : keys_) k = key = mix64(key);
}

uint64_t Permutation::encrypt(uint64_t x) const {
  const uint64_t mask = (1ULL << half_bits_) - 1;
  uint64_t left = x >> half_bits_, right = x & mask;
  for (uint64_t k : keys_) {
    const uint64_t next = left ^ (mix64(right ^ k) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

uint64_t Permutation::operator()(uint64_t i) const {
  CHUHE_DCHECK(i < n_);
  do i = encrypt(i);
  while (i >= n_);
  return i;
}

Sampler::Sampler(const Selection& selection, const TrainSettings& settings, uint64_t seed)
    : selection_(selection), settings_(settings), seed_(hash_text("train.sampler", seed)) {
  CHUHE_CHECK(!selection.train.empty());
}

Sampler::Sample Sampler::at(uint64_t sample) const {
  const uint64_t n = selection_.train.size();
  const Permutation order(n, mix64(seed_ ^ mix64(sample / n)));
  const uint64_t coins = mix64(seed_ + 1 + mix64(sample));
  Augment augment;
  augment.mirror = settings_.mirror && (coins & 1);
  augment.drop_history = double(coins >> 11) * 0x1p-53 < settings_.drop_history;
  return {selection_.train[order(sample % n)], augment};
}

void Sampler::fill(int64_t step, bool with_planes, TrainBatch& batch) const {
  batch.resize(settings_.batch, with_planes);
  for (int i = 0; i < settings_.batch; ++i) {
    const Sample s = at(uint64_t(step) * uint64_t(settings_.batch) + uint64_t(i));
    fill_row(selection_.game(s.row), selection_.row(s.row), s.augment, settings_.root_value_share, batch, i);
  }
}

int fill_validation(const Selection& selection, int begin, int most, double root_value_share,
                    bool with_planes, TrainBatch& batch) {
  const auto n = selection.validation.size();
  const int rows = int(std::clamp<int64_t>(int64_t(n) - begin, 0, most));
  batch.resize(rows, with_planes);
  if (rows == 0) return 0;
  const Permutation order(n, hash_text("train.validation"));
  for (int i = 0; i < rows; ++i) {
    const Selection::Row r = selection.validation[order(uint64_t(begin + i))];
    fill_row(selection.game(r), selection.row(r), {}, root_value_share, batch, i);
  }
  return rows;
}

}  // namespace chuhe::trainer
