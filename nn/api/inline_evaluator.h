#pragma once
// The shape of evaluators that answer within submit(): tickets are counted, collect() only checks them.

#include "base/error.h"
#include "nn/api/evaluator.h"

namespace chuhe::nn {

class InlineEvaluator : public Evaluator {
 public:
  Ticket submit(EvalBatch& batch) final {
    evaluate_now(batch);
    return ++last_;
  }
  void collect(Ticket ticket) final {
    CHUHE_CHECK(ticket > 0 && ticket <= last_, "unknown ticket {}", ticket);
  }

 protected:
  virtual void evaluate_now(EvalBatch& batch) = 0;

 private:
  Ticket last_ = 0;
};

}  // namespace chuhe::nn
