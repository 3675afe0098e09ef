#include "nn/infer/factory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "nn/cpu/cpu_evaluator.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

namespace fs = std::filesystem;

class Factory : public testing::Test {
 protected:
  Factory() {
    // These tests are about what happens without LibTorch, whether or not it is built beside them.
    setenv("CHUHE_TORCH_PLUGIN", "/nonexistent/libchuhe_torch.so", 1);
    write_net_file(test::random_net(net_preset("nano"), 3), path_);
  }

  std::string failure(const std::string& net, const EvaluatorSettings& settings) {
    try {
      open_net(net, settings);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  const chuhe::test::TempFolder folder_;
  const std::string path_ = (folder_ / "factory.net").string();
};

TEST_F(Factory, DoublesByName) {
  const NetHandle handle = open_net("hash", {});
  EXPECT_EQ(handle.net_id, "hash");
  EXPECT_EQ(handle.make()->info().net_id, "hash");
  EXPECT_EQ(open_net("device:1000:5", {}).net_id, "device:1000:5");
}

TEST_F(Factory, AutoOnTheCpuIsSimd) {
  EvaluatorSettings settings;
  settings.device = "cpu";
  const NetHandle handle = open_net(path_, settings);
  EXPECT_EQ(handle.net_id, "random-3");
  EXPECT_EQ(handle.device, fmt::format("cpu, simd {}", simd_levels().front()));
  settings.backend = "eigen";
  EXPECT_EQ(open_net(path_, settings).make()->info().device, "cpu, eigen");
}

TEST_F(Factory, WorkersShareTheNetAndCachesDoNotShow) {
  EvaluatorSettings settings;
  settings.device = "cpu";
  settings.cache_entries = 100;
  const NetHandle cached = open_net(path_, settings);
  settings.cache_entries = 0;
  const auto plain = open_net(path_, settings).make(), one = cached.make(), two = cached.make();
  const auto samples = test::random_samples(5, 1);
  EvalBatch expected(5);
  test::fill(expected, samples);
  plain->evaluate(expected);
  for (int round = 0; round < 2; ++round)
    for (Evaluator* evaluator : {one.get(), two.get()}) {
      const auto batch = evaluator->make_batch(5);
      test::fill(*batch, samples);
      evaluator->evaluate(*batch);
      for (int i = 0; i < 5; ++i) EXPECT_TRUE(std::ranges::equal(batch->priors(i), expected.priors(i)));
    }
}

TEST_F(Factory, FailuresNameTheThing) {
  const auto says = [](const std::string& why, const std::string& text) {
    EXPECT_NE(why.find(text), std::string::npos) << why;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
  };
  says(failure("no/such.net", {}), "net 'no/such.net': no such file");
  const fs::path garbage = folder_ / "garbage.net";
  write_file_atomically(garbage, "not a net");
  says(failure(garbage.string(), {}), garbage.string());
  EvaluatorSettings s;
  s.device = "gpu";
  says(failure("hash", s), "device 'gpu', expected auto, cpu, cuda or cuda:N");
  s.device = "cuda:x";
  says(failure("hash", s), "device 'cuda:x'");
  s.device = "cuda";
  says(failure(path_, s), "LibTorch");
  says(failure("hash", s), "device 'cuda': hash is no net and runs on the CPU only");
  s.backend = "simd";
  says(failure(path_, s), "device 'cuda': backend simd works on the CPU only");
  s.device = "cpu";
  s.precision = "bf16";
  says(failure(path_, s), "precision 'bf16': backend simd has fp32 only");
  s.backend = "tpu";
  says(failure(path_, s), "backend 'tpu'");
  s = {};
  s.backend = "torch";
  says(failure(path_, s), path_);
}

}  // namespace
}  // namespace chuhe::nn
