// The inference half of libchuhe_torch.so.

#include "nn/infer/torch_entry.h"

#include "base/error.h"
#include "nn/api/torch_plugin.h"
#include "nn/infer/torch_cpu.h"
#include "nn/infer/torch_cuda.h"
#include "nn/infer/torch_device.h"
#include "nn/net/check_rows.h"
#include "nn/net/infer_net.h"

using namespace chuhe;
using namespace chuhe::nn;

namespace {

[[gnu::constructor]] void at_load() {
  tune_allocator();
  // fp32 means fp32: TensorFloat-32's ten bits would fail the self-checks.
  at::globalContext().setAllowTF32CuDNN(false);
}

// Runs each kernel once: a build without code for this GPU is refused here, with the kernel's name, and the
// first batch of a game does not pay for loading them.
void warm_up(const NetHandle& handle) {
  const auto evaluator = handle.make();
  const auto batch = evaluator->make_batch(1);
  const uint16_t move = 0;
  batch->add(self_check_rows().front(), {&move, 1});
  evaluator->evaluate(*batch);
}

// One bad weight would otherwise show only at the first evaluation, in the middle of a game.
void check_weights(const NetFile& net) {
  try {
    for (const auto& [name, tensor] : net.tensors) check_finite(name, tensor.values);
  } catch (const Error& e) {
    throw Error("net {}: {}", net.id, e.what());
  }
}

}  // namespace

const char* chuhe_torch_build() {
  return kPluginBuild;
}

void chuhe_torch_open_net(const NetFile& net, const EvaluatorSettings& settings, NetHandle& out) {
  const at::Device device = torch_device(settings.device);
  const at::ScalarType type = torch_precision(settings.precision, device);
  check_weights(net);
  const auto loaded = with_torch_errors(fmt::format("net {} on {}", net.id, device.str()), [&] {
    auto n = std::make_shared<const InferNet>(net, device, type);
    verify_self_checks(net, *n);
    return n;
  });
  EvaluatorInfo info;
  info.net_id = net.id;
  info.device = device_name(device);
  info.precision = precision_name(type);
  info.preferred_batch = settings.batch;
  out.net_id = net.id;
  out.device = info.device + ", " + info.precision;
  out.make = [loaded, info, device]() {
    return device.is_cuda() ? make_cuda_evaluator(loaded, info) : make_cpu_torch_evaluator(loaded, info);
  };
  if (device.is_cuda()) warm_up(out);
}

void chuhe_torch_self_check(NetFile& net) {
  net.checks = self_checks(net, self_check_rows());
}

void chuhe_torch_describe(std::string& out) {
  out = describe_libtorch();
}
