#pragma once
// From a name to an evaluator factory: the place that knows all backends. A net is loaded once; the workers'
// evaluators share it.

#include <string>

#include "base/config.h"
#include "nn/api/evaluator.h"

namespace chuhe::nn {

struct EvaluatorSettings {
  std::string device = "auto";     // auto, cpu, cuda, cuda:N
  std::string backend = "auto";    // auto, torch, simd, eigen
  std::string precision = "auto";  // auto, fp32, bf16, fp16
  int batch = 64;             // rows; every batch is padded to this shape; 0 = 64, or what the caller fits
  int64_t cache_entries = 0;  // per worker, 0 = none
  void describe(Fields& f);
};

struct NetHandle {
  EvaluatorFactory make;  // one evaluator for one worker
  std::string net_id;
  std::string device;  // what "auto" took, for the log
};

/// `net` is a net file's path or a double's name (nn/api/doubles.h; the settings other than cache_entries do
/// not touch those). Device "cuda" without one is an Error; "auto" takes cuda where LibTorch finds one, else
/// the CPU. Backend "auto" takes torch on CUDA and for reduced precision, and simd on the CPU: it is the
/// faster there, its bits are the same on every machine, and it starts at once. "simd" and "eigen" (nn/cpu)
/// are fp32 on the CPU only. Throws Error for a missing or bad file, a net that fails its self-check, a
/// combination that does not exist.
NetHandle open_net(const std::string& net, const EvaluatorSettings& settings);

}  // namespace chuhe::nn
