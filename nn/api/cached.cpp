#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "nn/api/decorators.h"

namespace chuhe::nn {
namespace {

// The row's digest covers all that the net sees; the list of moves is mixed in since a position and its
// colour-swapped twin have one row, but list their moves in different orders.
uint64_t key_of(const PackedRow& row, std::span<const uint16_t> indices) {
  uint64_t key = digest(row) + indices.size();
  uint64_t word = 0, count = 0;
  uint64_t sum = 0;
  for (uint16_t index : indices) {
    word = word << 16 | index;
    if (++count % 4 == 0) sum += mix64(word + mix64(count));
  }
  return mix64(key + sum + mix64(word + mix64(~count)));
}

class Cached final : public Evaluator {
 public:
  Cached(std::unique_ptr<Evaluator> inner, size_t entries, CacheCounters* counters)
      : inner_(std::move(inner)),
        keys_(entries),
        slots_(std::make_unique_for_overwrite<Slot[]>(entries)),
        counters_(counters) {
    CHUHE_CHECK(entries > 0, "a cache without entries");
  }

  EvaluatorInfo info() const override { return inner_->info(); }

  Ticket submit(EvalBatch& batch) override {
    Pending& pending = free_pending(batch.capacity());
    pending.outer = &batch;
    pending.misses.clear();
    pending.batch->clear();
    for (int i = 0; i < batch.size(); ++i) {
      const uint64_t key = key_of(batch.row(i), batch.indices(i));
      if (find(key, batch, i)) continue;
      pending.misses.push_back({i, key});
      pending.batch->add(batch.row(i), batch.indices(i));
    }
    if (counters_) {
      counters_->misses += pending.misses.size();
      counters_->hits += uint64_t(batch.size()) - pending.misses.size();
    }
    if (!pending.misses.empty()) pending.inner_ticket = inner_->submit(*pending.batch);
    pending.ticket = ++last_;
    return last_;
  }

  void collect(Ticket ticket) override {
    const auto it =
        std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) { return p.ticket == ticket; });
    CHUHE_CHECK(ticket > 0 && it != pending_.end(), "unknown ticket {}", ticket);
    it->ticket = 0;
    if (it->misses.empty()) return;
    inner_->collect(it->inner_ticket);
    for (int k = 0; k < int(it->misses.size()); ++k) {
      const auto [row, key] = it->misses[size_t(k)];
      copy_result(*it->batch, k, *it->outer, row);
      store(key, *it->batch, k);
    }
  }

 private:
  struct Slot {
    EvalBatch::Wdl wdl;
    float moves_left;
    int moves;
    float priors[kCachedMoves];
  };
  struct Miss {
    int row;
    uint64_t key;
  };
  // One for each ticket in flight, kept for the next.
  struct Pending {
    Ticket ticket = 0;  // 0 = free
    Ticket inner_ticket = 0;
    EvalBatch* outer = nullptr;
    std::unique_ptr<EvalBatch> batch;
    std::vector<Miss> misses;
  };

  size_t slot_of(uint64_t key) const { return size_t((unsigned __int128)(key)*keys_.size() >> 64); }

  Pending& free_pending(int capacity) {
    for (Pending& p : pending_)
      if (p.ticket == 0 && p.batch->capacity() == capacity) return p;
    pending_.emplace_back();
    pending_.back().batch = inner_->make_batch(capacity);
    return pending_.back();
  }

  bool find(uint64_t key, EvalBatch& batch, int row) const {
    const size_t at = slot_of(key);
    // A key of zero marks an empty slot; a row with that key is never found, which costs nothing but time.
    if (key == 0 || keys_[at] != key) return false;
    const Slot& slot = slots_[at];
    if (size_t(slot.moves) != batch.indices(row).size()) return false;
    batch.mutable_wdl()[row] = slot.wdl;
    batch.mutable_moves_left()[row] = slot.moves_left;
    std::copy_n(slot.priors, slot.moves, batch.mutable_priors() + batch.offsets()[row]);
    return true;
  }

  void store(uint64_t key, const EvalBatch& batch, int row) {
    const auto priors = batch.priors(row);
    if (priors.size() > size_t(kCachedMoves)) return;
    const size_t at = slot_of(key);
    keys_[at] = key;
    Slot& slot = slots_[at];
    slot.wdl = batch.wdl(row);
    slot.moves_left = batch.moves_left(row);
    slot.moves = int(priors.size());
    std::copy(priors.begin(), priors.end(), slot.priors);
  }

  static void copy_result(const EvalBatch& from, int from_row, EvalBatch& to, int to_row) {
    to.mutable_wdl()[to_row] = from.wdl(from_row);
    to.mutable_moves_left()[to_row] = from.moves_left(from_row);
    const auto priors = from.priors(from_row);
    std::copy(priors.begin(), priors.end(), to.mutable_priors() + to.offsets()[to_row]);
  }

  std::unique_ptr<Evaluator> inner_;
  std::vector<uint64_t> keys_;
  std::unique_ptr<Slot[]> slots_;
  CacheCounters* counters_;
  std::vector<Pending> pending_;
  Ticket last_ = 0;
};

}  // namespace

std::unique_ptr<Evaluator> make_cached(std::unique_ptr<Evaluator> inner, size_t entries,
                                       CacheCounters* counters) {
  return std::make_unique<Cached>(std::move(inner), entries, counters);
}

}  // namespace chuhe::nn
