#include "trainer/batch_source.h"

#include <utility>

namespace chuhe::trainer {

BatchSource::BatchSource(const Sampler& sampler, int64_t first_step, int threads, bool with_planes, int ahead)
    : sampler_(sampler),
      with_planes_(with_planes),
      ahead_(ahead),
      next_to_make_(first_step),
      next_to_give_(first_step) {
  for (int i = 0; i < threads; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

BatchSource::~BatchSource() {
  for (std::jthread& t : threads_) t.request_stop();
}

void BatchSource::work(const std::stop_token& stop) {
  for (;;) {
    int64_t step;
    std::unique_ptr<TrainBatch> batch;
    {
      std::unique_lock lock(mutex_);
      if (!room_.wait(lock, stop, [&] { return failure_ || next_to_make_ < next_to_give_ + ahead_; })) return;
      if (failure_) return;
      step = next_to_make_++;
      if (!spare_.empty()) {
        batch = std::move(spare_.back());
        spare_.pop_back();
      }
    }
    try {
      if (!batch) batch = std::make_unique<TrainBatch>();
      sampler_.fill(step, with_planes_, *batch);
    } catch (...) {
      std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      ready_signal_.notify_all();
      room_.notify_all();
      return;
    }
    std::lock_guard lock(mutex_);
    ready_.emplace(step, std::move(batch));
    ready_signal_.notify_all();
  }
}

std::unique_ptr<TrainBatch> BatchSource::next() {
  std::unique_lock lock(mutex_);
  ready_signal_.wait(lock, [&] { return failure_ || ready_.contains(next_to_give_); });
  if (!ready_.contains(next_to_give_)) std::rethrow_exception(failure_);
  std::unique_ptr<TrainBatch> batch = std::move(ready_.extract(next_to_give_).mapped());
  ++next_to_give_;
  room_.notify_all();
  return batch;
}

void BatchSource::recycle(std::unique_ptr<TrainBatch> batch) {
  std::lock_guard lock(mutex_);
  spare_.push_back(std::move(batch));
}

}  // namespace chuhe::trainer
