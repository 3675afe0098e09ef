#pragma once
// Makes the batches of coming steps on worker threads while the current one is trained on.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "trainer/sampler.h"

namespace chuhe::trainer {

/// Batch s is made by whichever thread is free, from (seed, s) alone: the same whatever the number of
/// threads. At most `ahead` finished batches wait. next() and the destructor belong to one thread.
class BatchSource {
 public:
  BatchSource(const Sampler& sampler, int64_t first_step, int threads, bool with_planes, int ahead = 4);
  ~BatchSource();
  BatchSource(const BatchSource&) = delete;
  BatchSource& operator=(const BatchSource&) = delete;

  /// The batch of the next step in order. Throws what its making threw.
  std::unique_ptr<TrainBatch> next();
  /// Gives a batch back, so that its memory is used again.
  void recycle(std::unique_ptr<TrainBatch> batch);

 private:
  void work(const std::stop_token& stop);

  const Sampler& sampler_;
  const bool with_planes_;
  const int ahead_;
  std::mutex mutex_;  // guards all below but threads_
  std::condition_variable_any room_, ready_signal_;
  int64_t next_to_make_, next_to_give_;
  std::map<int64_t, std::unique_ptr<TrainBatch>> ready_;
  std::vector<std::unique_ptr<TrainBatch>> spare_;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

}  // namespace chuhe::trainer
