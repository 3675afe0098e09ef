#pragma once
// The LibTorch evaluator, seen from outside: no torch header here. The code lives in libchuhe_torch.so, which
// is opened at the first call (nn/api/torch_plugin.h).

#include <memory>
#include <string>

#include "nn/infer/factory.h"
#include "nn/model/net_file.h"

namespace chuhe::nn {

/// Puts the net on its device, where it answers its self-check positions (NetFile::checks) or is refused with
/// an Error. The handle's evaluators share those weights. On the CPU each evaluator works on the calling
/// thread alone (one intra-op thread); on CUDA each has a stream of its own. Precision "auto" is fp32 on the
/// CPU and bf16 on CUDA. Every batch is padded to settings.batch rows, larger ones go in pieces of that size,
/// so that a row's result depends on neither its index nor its neighbours. settings.cache_entries is the
/// caller's matter. Throws Error for device "cuda" without one, or a precision that the device lacks.
NetHandle open_torch_net(const NetFile& net, const EvaluatorSettings& settings);

/// What LibTorch finds here: "LibTorch 2.11.0, CUDA 13.0, cuDNN 9.19, 1 device: NVIDIA H200". Loads the
/// plugin.
std::string describe_torch();

}  // namespace chuhe::nn
