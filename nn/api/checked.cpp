#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "nn/api/decorators.h"

namespace chuhe::nn {
namespace {

double kl_divergence(std::span<const float> p, std::span<const float> q) {
  constexpr double kFloor = 1e-9;  // keeps a prior that one side rounds to zero from making it infinite
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i)
    sum += p[i] * std::log(std::max(double(p[i]), kFloor) / std::max(double(q[i]), kFloor));
  return std::max(sum, 0.0);
}

class Checked final : public Evaluator {
 public:
  Checked(std::unique_ptr<Evaluator> first, std::unique_ptr<Evaluator> second, Difference* difference)
      : first_(std::move(first)), second_(std::move(second)), difference_(difference) {
    CHUHE_CHECK(difference_ != nullptr);
  }

  EvaluatorInfo info() const override { return first_->info(); }
  std::unique_ptr<EvalBatch> make_batch(int capacity) override { return first_->make_batch(capacity); }
  Ticket submit(EvalBatch& batch) override {
    const Ticket ticket = first_->submit(batch);
    pending_.push_back({ticket, &batch});
    return ticket;
  }
  void collect(Ticket ticket) override {
    const auto it =
        std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) { return p.ticket == ticket; });
    CHUHE_CHECK(it != pending_.end(), "unknown ticket {}", ticket);
    const EvalBatch& batch = *it->batch;
    pending_.erase(it);
    first_->collect(ticket);
    if (!other_ || other_->capacity() < batch.capacity()) other_ = second_->make_batch(batch.capacity());
    other_->clear();
    for (int i = 0; i < batch.size(); ++i) other_->add(batch.row(i), batch.indices(i));
    second_->evaluate(*other_);
    for (int i = 0; i < batch.size(); ++i) compare(batch, i);
  }

 private:
  struct Pending {
    Ticket ticket;
    const EvalBatch* batch;
  };

  void compare(const EvalBatch& batch, int i) {
    Difference& d = *difference_;
    const auto p = batch.priors(i), q = other_->priors(i);
    const double value = std::fabs(double(batch.wdl(i).value()) - double(other_->wdl(i).value()));
    const double kl = kl_divergence(p, q);
    const bool same_top =
        std::max_element(p.begin(), p.end()) - p.begin() == std::max_element(q.begin(), q.end()) - q.begin();
    const double n = double(++d.rows);
    d.max_value = std::max(d.max_value, value);
    d.mean_value += (value - d.mean_value) / n;
    d.max_policy_kl = std::max(d.max_policy_kl, kl);
    d.mean_policy_kl += (kl - d.mean_policy_kl) / n;
    d.top_move_agreement += ((same_top ? 1.0 : 0.0) - d.top_move_agreement) / n;
  }

  std::unique_ptr<Evaluator> first_, second_;
  Difference* difference_;
  std::unique_ptr<EvalBatch> other_;
  std::vector<Pending> pending_;
};

}  // namespace

std::unique_ptr<Evaluator> make_checked(std::unique_ptr<Evaluator> first, std::unique_ptr<Evaluator> second,
                                        Difference* difference) {
  return std::make_unique<Checked>(std::move(first), std::move(second), difference);
}

}  // namespace chuhe::nn
