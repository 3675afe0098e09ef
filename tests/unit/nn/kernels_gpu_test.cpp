// CUDA kernels against their CPU twins.

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "nn/encoding/planes.h"
#include "nn/kernels/kernels.h"
#include "nn/model/policy_head.h"
#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

class Kernels : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0) GTEST_SKIP() << "no CUDA device: " << cudaGetErrorString(error);
  }
};

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t size) : size_(size) { check(cudaMalloc(&data_, size * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* get() { return data_; }
  std::vector<T> host() const {
    std::vector<T> values(size_);
    check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  static void check(cudaError_t error) { CHUHE_CHECK(error == cudaSuccess, "{}", cudaGetErrorString(error)); }
  T* data_ = nullptr;
  size_t size_;
};

float from_half(uint16_t bits) {
  return bits == 0x3c00 ? 1.0f : bits == 0 ? 0.0f : -1.0f;
}
float from_bfloat(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

TEST_F(Kernels, PlanesEqualTheTwins) {
  std::vector<PackedRow> rows;
  for (const auto& sample : test::random_samples(300, 31)) rows.push_back(sample.row);
  Random random(32);
  for (int i = 0; i < 300; ++i) {  // and rows of nonsense
    unsigned char bytes[sizeof(PackedRow)];
    for (unsigned char& b : bytes) b = uint8_t(random.next());
    std::memcpy(&rows.emplace_back(), bytes, sizeof bytes);
  }
  const size_t per_row = 90 * kPlanes, total = rows.size() * per_row;
  std::vector<float> expected(total);
  for (size_t i = 0; i < rows.size(); ++i) expand_planes(rows[i], expected.data() + i * per_row);
  DeviceArray<PackedRow> device_rows(rows);
  DeviceArray<float> floats(total);
  launch_expand_planes(device_rows.get(), int(rows.size()), floats.get(), PlaneType::F32, nullptr);
  EXPECT_EQ(floats.host(), expected);
  DeviceArray<uint16_t> words(total);
  launch_expand_planes(device_rows.get(), int(rows.size()), words.get(), PlaneType::F16, nullptr);
  std::vector<uint16_t> host = words.host();
  for (size_t i = 0; i < total; ++i) ASSERT_EQ(from_half(host[i]), expected[i]);
  launch_expand_planes(device_rows.get(), int(rows.size()), words.get(), PlaneType::BF16, nullptr);
  host = words.host();
  for (size_t i = 0; i < total; ++i) ASSERT_EQ(from_bfloat(host[i]), expected[i]);
}

TEST_F(Kernels, PriorsEqualTheTwins) {
  const auto samples = test::random_samples(200, 33);
  Random random(34);
  for (const auto& [dims, stride] : {std::pair{32, 32}, {7, 16}, {64, 128}}) {
    std::vector<uint16_t> indices;
    std::vector<uint32_t> offsets{0};
    for (size_t i = 0; i < samples.size(); ++i) {
      if (i % 10 != 9)
        indices.insert(indices.end(), samples[i].indices.begin(), samples[i].indices.end());  // else padding
      offsets.push_back(uint32_t(indices.size()));
    }
    const auto numbers = [&random](size_t n, double scale) {
      std::vector<float> values(n);
      for (float& v : values) v = float(scale * random.normal());
      return values;
    };
    const size_t row_floats = 90 * size_t(stride);
    const auto from = numbers(samples.size() * row_floats, 2), to = numbers(samples.size() * row_floats, 2);
    const auto bias = numbers(kPolicySize, 1);
    const auto table = policy_moves();
    DeviceArray<float> d_from(from), d_to(to), d_bias(bias), d_priors(indices.size());
    DeviceArray<uint16_t> d_moves(std::vector<uint16_t>(table.begin(), table.end())), d_indices(indices);
    DeviceArray<uint32_t> d_offsets(offsets);
    launch_gather_policy({d_from.get(), d_to.get(), stride, dims, d_bias.get(), d_moves.get(),
                          d_indices.get(), d_offsets.get()},
                         int(samples.size()), d_priors.get(), nullptr);
    const auto priors = d_priors.host();
    std::vector<float> expected(128);
    for (size_t i = 0; i < samples.size(); ++i) {
      const std::span<const uint16_t> own(indices.data() + offsets[i], offsets[i + 1] - offsets[i]);
      if (own.empty()) continue;
      const PolicyEmbeddings row{from.data() + i * row_floats, to.data() + i * row_floats, stride, dims,
                                 bias.data()};
      gather_policy(row, own, expected.data());
      for (size_t m = 0; m < own.size(); ++m)
        ASSERT_NEAR(priors[offsets[i] + m], expected[m], 2e-6) << i << " " << m;
    }
  }
}

TEST_F(Kernels, NothingToDoIsNoLaunch) {
  launch_expand_planes(nullptr, 0, nullptr, PlaneType::F32, nullptr);
  launch_gather_policy({}, 0, nullptr, nullptr);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
}  // namespace chuhe::nn
