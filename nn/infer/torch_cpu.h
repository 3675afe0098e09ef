#pragma once

#include <memory>

#include "nn/api/evaluator.h"
#include "nn/net/infer_net.h"

namespace chuhe::nn {

/// Evaluates on the calling thread. info.preferred_batch is the shape that every batch is padded to.
std::unique_ptr<Evaluator> make_cpu_torch_evaluator(std::shared_ptr<const InferNet> net,
                                                    const EvaluatorInfo& info);

}  // namespace chuhe::nn
