#include <algorithm>
#include <charconv>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "nn/api/doubles.h"
#include "nn/api/hash_answer.h"

namespace chuhe::nn {
namespace {

using Clock = std::chrono::steady_clock;

// The device itself: it works on one batch after the other. Shared by the evaluators of all workers.
class Device {
 public:
  Device(double rows_per_second, double latency_us) : rate_(rows_per_second), latency_(latency_us * 1e-6) {}

  /// Queues the rows; returns when their results are there.
  Clock::time_point enqueue(int rows) {
    const std::lock_guard lock(mutex_);
    free_at_ = std::max(free_at_, Clock::now()) + seconds(rows / rate_);
    return free_at_ + seconds(latency_);
  }
  double rate() const { return rate_; }

 private:
  static Clock::duration seconds(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
  }
  const double rate_, latency_;
  std::mutex mutex_;
  Clock::time_point free_at_{};
};

class DeviceModel final : public Evaluator {
 public:
  explicit DeviceModel(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  EvaluatorInfo info() const override {
    return {.net_id = "device", .device = fmt::format("model of {:g} rows/s", device_->rate())};
  }
  Ticket submit(EvalBatch& batch) override {
    pending_.push_back({++last_, &batch, device_->enqueue(batch.size())});
    return last_;
  }
  void collect(Ticket ticket) override {
    const auto it =
        std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) { return p.ticket == ticket; });
    CHUHE_CHECK(it != pending_.end(), "unknown ticket {}", ticket);
    const Pending pending = *it;
    pending_.erase(it);
    answer_by_hash(*pending.batch);
    std::this_thread::sleep_until(pending.ready);
  }

 private:
  struct Pending {
    Ticket ticket;
    EvalBatch* batch;
    Clock::time_point ready;
  };
  std::shared_ptr<Device> device_;
  std::vector<Pending> pending_;
  Ticket last_ = 0;
};

double parse_number(std::string_view text, std::string_view name) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1e12))
    throw Error("evaluator '{}': '{}' is not a number, expected device:ROWS_PER_SECOND:LATENCY_US", name,
                text);
  return value;
}

}  // namespace

std::unique_ptr<Evaluator> make_device_model(double rows_per_second, double latency_us) {
  CHUHE_CHECK(rows_per_second > 0 && latency_us >= 0);
  return std::make_unique<DeviceModel>(std::make_shared<Device>(rows_per_second, latency_us));
}

EvaluatorFactory device_model_factory(std::string_view name) {
  const std::string_view numbers = name.substr(name.find(':') + 1);
  const size_t colon = numbers.find(':');
  if (colon == std::string_view::npos)
    throw Error("evaluator '{}': expected device:ROWS_PER_SECOND:LATENCY_US", name);
  const double rate = parse_number(numbers.substr(0, colon), name);
  const double latency = parse_number(numbers.substr(colon + 1), name);
  if (rate <= 0) throw Error("evaluator '{}': expected a rate above 0 rows per second", name);
  auto device = std::make_shared<Device>(rate, latency);
  return [device] { return std::make_unique<DeviceModel>(device); };
}

}  // namespace chuhe::nn
