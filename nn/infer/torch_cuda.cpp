#include "nn/infer/torch_cuda.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/InferenceMode.h>
#include <c10/cuda/CUDAGuard.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/encoding/policy_index.h"
#include "nn/infer/torch_device.h"
#include "nn/kernels/kernels.h"

namespace chuhe::nn {
namespace {

constexpr int kMoves = 128;  // room for legal moves of a row, as EvalBatch promises

at::Tensor pinned_bytes(int64_t n) {
  return at::zeros({n}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
}
at::Tensor device_bytes(int64_t n, at::Device device) {
  return at::zeros({n}, at::TensorOptions().dtype(at::kByte).device(device));
}

PlaneType plane_type(at::ScalarType type) {
  return type == at::kFloat ? PlaneType::F32 : type == at::kHalf ? PlaneType::F16 : PlaneType::BF16;
}

/// One array of a batch, in pinned host memory and on the device.
struct Mirror {
  at::Tensor host, device;
  Mirror(int64_t bytes, at::Device d) : host(pinned_bytes(bytes)), device(device_bytes(bytes, d)) {}
  template <class T>
  T* on_host() const {
    return reinterpret_cast<T*>(host.data_ptr<uint8_t>());
  }
  template <class T>
  T* on_device() const {
    return reinterpret_cast<T*>(device.data_ptr<uint8_t>());
  }
  // Both return at once; the current stream orders them with the kernels.
  void up(size_t bytes) const {
    device.narrow(0, 0, int64_t(bytes)).copy_(host.narrow(0, 0, int64_t(bytes)), /*non_blocking=*/true);
  }
  void down(size_t bytes) const {
    host.narrow(0, 0, int64_t(bytes)).copy_(device.narrow(0, 0, int64_t(bytes)), /*non_blocking=*/true);
  }
};

/// `padded` rows lie on the device, so that the last piece has the full shape too.
struct CudaBatch final : EvalBatch {
  CudaBatch(int capacity, int padded, at::Device device)
      : EvalBatch(capacity, NoStorage{}),
        rows_mirror(int64_t(padded) * int64_t(sizeof(PackedRow)), device),
        offsets_mirror((int64_t(padded) + 1) * 4, device),
        indices_mirror(int64_t(padded) * kMoves * 2, device),
        wdl_mirror(int64_t(padded) * 12, device),
        left_mirror(int64_t(padded) * 4, device),
        priors_mirror(int64_t(padded) * kMoves * 4, device) {
    rows_ = rows_mirror.on_host<PackedRow>();
    offsets_ = offsets_mirror.on_host<uint32_t>();
    indices_ = indices_mirror.on_host<uint16_t>();
    wdl_ = wdl_mirror.on_host<Wdl>();
    moves_left_ = left_mirror.on_host<float>();
    priors_ = priors_mirror.on_host<float>();
  }
  Mirror rows_mirror, offsets_mirror, indices_mirror, wdl_mirror, left_mirror, priors_mirror;
  at::cuda::CUDAEvent done;
};

class CudaTorchEvaluator final : public Evaluator {
 public:
  CudaTorchEvaluator(std::shared_ptr<const InferNet> net, const EvaluatorInfo& info)
      : net_(std::move(net)),
        info_(info),
        stream_(at::cuda::getStreamFromPool(/*isHighPriority=*/false, net_->device().index())) {
    // The weights were put there on the default stream, which ours does not wait for.
    at::cuda::getDefaultCUDAStream(net_->device().index()).synchronize();
    const c10::cuda::CUDAStreamGuard guard(stream_);
    const c10::InferenceMode inference;
    const auto moves = policy_moves();
    at::Tensor host = at::empty({int64_t(moves.size()) * 2}, at::kByte);
    std::copy(moves.begin(), moves.end(), reinterpret_cast<uint16_t*>(host.data_ptr<uint8_t>()));
    moves_ = host.to(net_->device());
    planes_ = at::zeros({info_.preferred_batch, 90, kPlanes},
                        at::TensorOptions().dtype(net_->type()).device(net_->device()));
  }

  EvaluatorInfo info() const override { return info_; }

  std::unique_ptr<EvalBatch> make_batch(int capacity) override {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    const c10::InferenceMode inference;
    const int shape = info_.preferred_batch;
    return std::make_unique<CudaBatch>(capacity, (capacity + shape - 1) / shape * shape, net_->device());
  }

  Ticket submit(EvalBatch& any) override {
    auto& batch = static_cast<CudaBatch&>(any);  // an evaluator takes its own batches only
    with_torch_errors("net " + info_.net_id, [&] { launch(batch); });
    pending_.emplace(++last_, &batch);
    return last_;
  }

  void collect(Ticket ticket) override {
    const auto it = pending_.find(ticket);
    CHUHE_CHECK(it != pending_.end(), "unknown ticket {}", ticket);
    CudaBatch& batch = *it->second;
    pending_.erase(it);
    with_torch_errors("net " + info_.net_id, [&] { batch.done.synchronize(); });
    for (int i = 0; i < batch.size(); ++i) {
      const auto w = batch.wdl(i);
      const auto priors = batch.priors(i);
      const bool finite = std::isfinite(w.win + w.draw + w.loss) && std::isfinite(batch.moves_left(i)) &&
                          std::all_of(priors.begin(), priors.end(), [](float p) { return std::isfinite(p); });
      if (!finite)
        throw Error("net {}: its output for row {:016x} is not finite", info_.net_id, digest(batch.row(i)));
    }
  }

 private:
  // Copies included: a fault of an earlier kernel shows at whatever call comes next.
  void launch(CudaBatch& batch) {
    const c10::cuda::CUDAStreamGuard guard(stream_);
    const c10::InferenceMode inference;
    const auto n = size_t(batch.size());
    const size_t moves = n ? batch.offsets()[n] : 0;
    batch.rows_mirror.up(n * sizeof(PackedRow));
    batch.offsets_mirror.up((n + 1) * 4);
    batch.indices_mirror.up(moves * 2);
    for (int begin = 0; begin < batch.size(); begin += info_.preferred_batch)
      launch_piece(batch, begin, std::min(info_.preferred_batch, batch.size() - begin));
    batch.wdl_mirror.down(n * 12);
    batch.left_mirror.down(n * 4);
    batch.priors_mirror.down(moves * 4);
    batch.done.record(stream_);
  }

  void launch_piece(CudaBatch& batch, int begin, int n) {
    const int shape = info_.preferred_batch;
    void* stream = stream_.stream();
    launch_expand_planes(batch.rows_mirror.on_device<PackedRow>() + begin, shape, planes_.data_ptr(),
                         plane_type(net_->type()), stream);
    const Outputs out = net_->forward(planes_);
    const at::Device device = net_->device();
    const auto floats = at::TensorOptions().dtype(at::kFloat).device(device);
    at::from_blob(batch.wdl_mirror.on_device<float>() + 3 * begin, {shape, 3}, floats)
        .copy_(out.wdl.softmax(1));
    at::from_blob(batch.left_mirror.on_device<float>() + begin, {shape}, floats).copy_(moves_left(out));
    const int dims = int(out.from.size(2));
    const PolicyGather gather{out.from.const_data_ptr<float>(),
                              out.to.const_data_ptr<float>(),
                              dims,
                              dims,
                              out.move_bias.const_data_ptr<float>(),
                              reinterpret_cast<const uint16_t*>(moves_.const_data_ptr<uint8_t>()),
                              batch.indices_mirror.on_device<uint16_t>(),
                              batch.offsets_mirror.on_device<uint32_t>() + begin};
    launch_gather_policy(gather, n, batch.priors_mirror.on_device<float>(), stream);
  }

  std::shared_ptr<const InferNet> net_;
  EvaluatorInfo info_;
  at::cuda::CUDAStream stream_;
  at::Tensor moves_, planes_;
  std::map<Ticket, CudaBatch*> pending_;
  Ticket last_ = 0;
};

}  // namespace

std::string cuda_device_name(at::DeviceIndex index) {
  return at::cuda::getDeviceProperties(index)->name;
}

std::string cuda_versions() {
  const auto& hooks = at::detail::getCUDAHooks();
  const long cuda = hooks.versionCUDART(), cudnn = hooks.versionCuDNN();
  return fmt::format(", CUDA {}.{}, cuDNN {}.{}.{}", cuda / 1000, cuda % 1000 / 10, cudnn / 10000,
                     cudnn / 100 % 100, cudnn % 100);
}

at::Tensor cuda_planes(const PackedRow* rows, int64_t n, at::Device device) {
  const c10::cuda::CUDAGuard guard(device);
  const at::Tensor packed =
      at::from_blob(const_cast<PackedRow*>(rows), {n * int64_t(sizeof(PackedRow))}, at::kByte).to(device);
  at::Tensor planes = at::empty({n, 90, kPlanes}, at::TensorOptions().dtype(at::kFloat).device(device));
  launch_expand_planes(reinterpret_cast<const PackedRow*>(packed.const_data_ptr<uint8_t>()), int(n),
                       planes.data_ptr<float>(), PlaneType::F32,
                       at::cuda::getCurrentCUDAStream(device.index()).stream());
  return planes;
}

std::unique_ptr<Evaluator> make_cuda_evaluator(std::shared_ptr<const InferNet> net,
                                               const EvaluatorInfo& info) {
  return std::make_unique<CudaTorchEvaluator>(std::move(net), info);
}

}  // namespace chuhe::nn
