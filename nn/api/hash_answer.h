#pragma once
// Shared by the doubles.

#include "nn/api/evaluator.h"

namespace chuhe::nn {

/// Fills the batch's results from the digests of its rows: integers, exact sums, one IEEE division per
/// number.
void answer_by_hash(EvalBatch& batch);

/// A factory for "device:RATE:LATENCY_US"; its evaluators share one device. Throws Error for bad numbers.
EvaluatorFactory device_model_factory(std::string_view name);

}  // namespace chuhe::nn
