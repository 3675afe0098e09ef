#include "nn/api/evaluator.h"

#include <algorithm>

#include "base/error.h"

namespace chuhe::nn {

EvalBatch::EvalBatch(int capacity) : capacity_(capacity) {
  CHUHE_CHECK(capacity > 0, "batch of capacity {}", capacity);
  // One block for all arrays, each on a cache line of its own.
  size_t bytes = 0;
  const auto reserve = [&bytes](size_t size) {
    const size_t at = bytes;
    bytes += (size + 63) / 64 * 64;
    return at;
  };
  const size_t rows = size_t(capacity), moves = rows * kMaxRowMoves;
  const size_t rows_at = reserve(rows * sizeof(PackedRow)),
               offsets_at = reserve((rows + 1) * sizeof(uint32_t));
  const size_t indices_at = reserve(moves * sizeof(uint16_t)), wdl_at = reserve(rows * sizeof(Wdl));
  const size_t moves_left_at = reserve(rows * sizeof(float)), priors_at = reserve(moves * sizeof(float));
  storage_ = std::make_unique<std::byte[]>(bytes + 64);
  std::byte* base = storage_.get() + (64 - reinterpret_cast<uintptr_t>(storage_.get()) % 64) % 64;
  rows_ = reinterpret_cast<PackedRow*>(base + rows_at);
  offsets_ = reinterpret_cast<uint32_t*>(base + offsets_at);
  indices_ = reinterpret_cast<uint16_t*>(base + indices_at);
  wdl_ = reinterpret_cast<Wdl*>(base + wdl_at);
  moves_left_ = reinterpret_cast<float*>(base + moves_left_at);
  priors_ = reinterpret_cast<float*>(base + priors_at);
}

int EvalBatch::add(const PackedRow& row, std::span<const uint16_t> policy_indices) {
  CHUHE_CHECK(size_ < capacity_, "batch of {} rows is full", capacity_);
  CHUHE_CHECK(!policy_indices.empty() && policy_indices.size() <= size_t(kMaxRowMoves), "row with {} moves",
              policy_indices.size());
  offsets_[0] = 0;
  rows_[size_] = row;
  std::copy(policy_indices.begin(), policy_indices.end(), indices_ + offsets_[size_]);
  offsets_[size_ + 1] = offsets_[size_] + uint32_t(policy_indices.size());
  return size_++;
}

}  // namespace chuhe::nn
