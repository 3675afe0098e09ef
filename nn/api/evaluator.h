#pragma once
// The seam between search and nets: batches of packed positions in, values and priors out. No tensor here.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "nn/encoding/packed_row.h"

namespace chuhe::nn {

/// Room for the legal moves of a row.
constexpr int kMaxRowMoves = xiangqi::kMaxMoves;

/// A structure of arrays for up to `capacity` rows. It belongs to one evaluator, which made it (pinned memory
/// where that helps), and must not outlive it. Rows are added, submitted, collected, read, then clear()
/// starts anew: no allocation per leaf.
class EvalBatch {
 public:
  /// Storage for `capacity` rows; legal moves are ragged, with room for 128 per row.
  explicit EvalBatch(int capacity);
  virtual ~EvalBatch() = default;
  EvalBatch(const EvalBatch&) = delete;
  EvalBatch& operator=(const EvalBatch&) = delete;

  int capacity() const { return capacity_; }
  int size() const { return size_; }
  bool full() const { return size_ == capacity_; }
  void clear() { size_ = 0; }

  /// Appends a row with the policy indices of its legal moves (at least one, at most 128). Returns its index.
  /// A full batch, none or too many moves are failed checks.
  int add(const PackedRow& row, std::span<const uint16_t> policy_indices);

  // Inputs.
  const PackedRow& row(int i) const { return rows_[i]; }
  std::span<const uint16_t> indices(int i) const {
    return {indices_ + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }
  const PackedRow* rows() const { return rows_; }
  const uint16_t* all_indices() const { return indices_; }
  const uint32_t* offsets() const { return offsets_; }  // size() + 1 of them

  // Results, valid after collect. All from the side to move.
  struct Wdl {
    float win, draw, loss;  // sum 1
    float value() const { return win - loss; }
  };
  Wdl wdl(int i) const { return wdl_[i]; }
  float moves_left(int i) const { return moves_left_[i]; }  // plies to the end of the game
  std::span<const float> priors(int i) const {
    return {priors_ + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }  // in the order of indices(i), sum 1

  // For evaluators.
  Wdl* mutable_wdl() { return wdl_; }
  float* mutable_moves_left() { return moves_left_; }
  float* mutable_priors() { return priors_; }

 protected:
  /// For evaluators that bring their own memory: derived classes fill the pointers.
  struct NoStorage {};
  EvalBatch(int capacity, NoStorage) : capacity_(capacity) {}
  int capacity_ = 0, size_ = 0;
  PackedRow* rows_ = nullptr;    // [capacity]
  uint32_t* offsets_ = nullptr;  // [capacity + 1], offsets_[0] = 0
  uint16_t* indices_ = nullptr;  // [capacity * 128]
  Wdl* wdl_ = nullptr;           // [capacity]
  float* moves_left_ = nullptr;  // [capacity]
  float* priors_ = nullptr;      // [capacity * 128]

 private:
  std::unique_ptr<std::byte[]> storage_;
};

using Ticket = uint64_t;

struct EvaluatorInfo {
  std::string net_id;  // the net's id, or the double's name
  std::string device;  // "cpu", "cuda:0 (NVIDIA H200)"
  std::string precision = "fp32";
  int preferred_batch = 64;
};

/// One per worker thread (lanes share weights underneath); not thread-safe. The result of row i depends on
/// neither i nor its neighbours, given that all batches of one evaluator are padded to one shape.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual EvaluatorInfo info() const = 0;
  virtual std::unique_ptr<EvalBatch> make_batch(int capacity) {
    return std::make_unique<EvalBatch>(capacity);
  }
  /// Starts the work; the batch must not be touched until its ticket is collected. A CPU evaluator does it
  /// inline. Throws Error if the net yields a non-finite output (names the net and the row's digest).
  virtual Ticket submit(EvalBatch& batch) = 0;
  virtual void collect(Ticket ticket) = 0;
  void evaluate(EvalBatch& batch) { collect(submit(batch)); }
};

/// Makes one evaluator for one worker. Called from the worker's own thread.
using EvaluatorFactory = std::function<std::unique_ptr<Evaluator>()>;

}  // namespace chuhe::nn
