#include "nn/infer/factory.h"

#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "nn/api/decorators.h"
#include "nn/api/doubles.h"
#include "nn/api/torch_plugin.h"
#include "nn/cpu/cpu_evaluator.h"
#include "nn/infer/torch_evaluator.h"
#include "nn/model/net_file.h"

namespace chuhe::nn {
namespace {

namespace fs = std::filesystem;

bool is_cuda(std::string_view device) {
  if (device == "cuda") return true;
  if (!device.starts_with("cuda:")) return false;
  const std::string_view number = device.substr(5);
  int index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  return error == std::errc() && end == number.data() + number.size() && index >= 0;
}

void check_settings(const EvaluatorSettings& s) {
  CHUHE_CHECK(s.batch >= 1, "batch 0 is for the caller to fit");
  if (s.device != "auto" && s.device != "cpu" && !is_cuda(s.device))
    throw Error("device '{}', expected auto, cpu, cuda or cuda:N", s.device);
  if (s.backend != "auto" && s.backend != "torch" && s.backend != "simd" && s.backend != "eigen")
    throw Error("backend '{}', expected auto, torch, simd or eigen", s.backend);
  if (s.precision != "auto" && s.precision != "fp32" && s.precision != "bf16" && s.precision != "fp16")
    throw Error("precision '{}', expected auto, fp32, bf16 or fp16", s.precision);
  const bool torch_free = s.backend == "simd" || s.backend == "eigen";
  if (torch_free && is_cuda(s.device))
    throw Error("device '{}': backend {} works on the CPU only", s.device, s.backend);
  if (torch_free && s.precision != "auto" && s.precision != "fp32")
    throw Error("precision '{}': backend {} has fp32 only", s.precision, s.backend);
}

// Looking for the driver's device files spares machines without a GPU the time that loading LibTorch takes.
bool may_have_cuda() {
  std::error_code ignored;
  return fs::exists("/dev/nvidiactl", ignored) || fs::exists("/dev/dxg", ignored);
}

NetHandle cpu_handle(const NetFile& file, const std::string& backend) {
  const auto net = std::make_shared<const NetFile>(file);
  NetHandle handle{backend == "eigen" ? eigen_factory(net) : simd_factory(net), file.id, ""};
  handle.device = handle.make()->info().device;
  return handle;
}

NetHandle open_file(const NetFile& file, const EvaluatorSettings& s) {
  if (s.backend == "simd" || s.backend == "eigen") return cpu_handle(file, s.backend);
  const bool reduced = s.precision == "bf16" || s.precision == "fp16";
  if (s.backend == "torch" || is_cuda(s.device) || reduced) return open_torch_net(file, s);
  if (s.device == "auto" && may_have_cuda() && torch_available()) {
    NetHandle handle = open_torch_net(file, s);
    if (is_cuda(handle.device.substr(0, handle.device.find(' ')))) return handle;
  }
  return cpu_handle(file, "simd");
}

NetHandle open_uncached(const std::string& net, const EvaluatorSettings& settings) {
  if (EvaluatorFactory factory = double_factory(net)) {
    if (is_cuda(settings.device))
      throw Error("device '{}': {} is no net and runs on the CPU only, expected auto or cpu", settings.device,
                  net);
    std::string device = factory()->info().device;
    return {std::move(factory), net, std::move(device)};
  }
  std::error_code ignored;
  if (!fs::exists(find_net_file(net), ignored))
    throw Error(
        "net '{}': no such file, and none of uniform, hash, material, device:ROWS_PER_SECOND:LATENCY_US",
        net);
  try {
    return open_file(read_net_file(net), settings);
  } catch (const Error& e) {
    const std::string_view what = e.what();
    if (what.find(net) != std::string_view::npos) throw;
    throw Error("{}: {}", net, what);
  }
}

}  // namespace

void EvaluatorSettings::describe(Fields& f) {
  f("device", device, "auto (CUDA where LibTorch finds one, else the CPU), cpu, cuda, cuda:N");
  f("backend", backend, "auto (torch on CUDA, simd on the CPU) or the code that evaluates nets",
    {"auto", "torch", "simd", "eigen"});
  f("precision", precision, "auto (bf16 on CUDA, fp32 on the CPU) or the arithmetic",
    {"auto", "fp32", "bf16", "fp16"});
  f("batch", batch,
    "rows; every batch is padded to this shape; 0 = what half of a worker's game slots bring (64 without a "
    "farm)",
    {0, 65536});
  f("cache_entries", cache_entries, "results that each worker remembers, about 0.4 KiB each, 0 = none",
    {0, 1e9});
}

NetHandle open_net(const std::string& net, const EvaluatorSettings& settings) {
  check_settings(settings);
  EvaluatorSettings shaped = settings;
  if (shaped.batch == 0) shaped.batch = 64;
  NetHandle handle = open_uncached(net, shaped);
  if (settings.cache_entries > 0)
    handle.make = [make = std::move(handle.make), entries = size_t(settings.cache_entries)] {
      return make_cached(make(), entries);
    };
  return handle;
}

}  // namespace chuhe::nn
