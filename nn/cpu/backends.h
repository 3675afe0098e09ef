#pragma once
// How the two implementations are made. Each maker packs the weights once; what it returns makes one Forward
// for one evaluator.

#include <functional>
#include <memory>
#include <string_view>

#include "nn/cpu/forward.h"
#include "nn/model/net_file.h"

namespace chuhe::nn {

using ForwardFactory = std::function<std::unique_ptr<Forward>()>;

ForwardFactory eigen_forward(std::shared_ptr<const NetFile> net);
/// Throws Error for a level that this CPU lacks.
ForwardFactory simd_forward(std::shared_ptr<const NetFile> net, std::string_view level);

}  // namespace chuhe::nn
