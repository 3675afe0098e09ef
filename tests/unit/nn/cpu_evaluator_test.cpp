#include "nn/cpu/cpu_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

using test::fill;
using test::Sample;
using test::shared_net;

NetConfig odd_config() {
  NetConfig config;
  config.blocks = 1;
  config.channels = 48;
  config.se_channels = 5;
  config.policy_channels = 7;
  config.value_channels = 3;
  config.value_hidden = 20;
  return config;
}

NetConfig plain_config() {
  NetConfig config = odd_config();
  config.channels = 16;
  config.se_channels = 0;
  config.policy_channels = 8;
  return config;
}

std::unique_ptr<EvalBatch> evaluated(Evaluator& evaluator, const std::vector<Sample>& samples) {
  auto batch = evaluator.make_batch(int(samples.size()));
  fill(*batch, samples);
  evaluator.evaluate(*batch);
  return batch;
}

double distance(const EvalBatch& a, int i, const EvalBatch& b, int k) {
  double worst = std::fabs(double(a.moves_left(i)) - double(b.moves_left(k))) / (1 + double(a.moves_left(i)));
  worst = std::max(worst, std::fabs(double(a.wdl(i).win) - double(b.wdl(k).win)));
  worst = std::max(worst, std::fabs(double(a.wdl(i).loss) - double(b.wdl(k).loss)));
  for (size_t m = 0; m < a.priors(i).size(); ++m)
    worst = std::max(worst, std::fabs(double(a.priors(i)[m]) - double(b.priors(k)[m])));
  return worst;
}

struct Backend {
  std::string name;
  std::unique_ptr<Evaluator> evaluator;
};

std::vector<Backend> all_backends(const std::shared_ptr<const NetFile>& net) {
  std::vector<Backend> list;
  list.push_back({"eigen", make_eigen_evaluator(net)});
  for (auto level : simd_levels()) list.push_back({std::string(level), simd_factory(net, level)()});
  return list;
}

TEST(CpuEvaluator, TwoImplementationsAgree) {
  const auto samples = test::random_samples(30, 21);
  for (const NetConfig& config : {net_preset("nano"), odd_config(), plain_config()}) {
    const auto net = shared_net(config, 5);
    const auto eigen = make_eigen_evaluator(net), simd = make_simd_evaluator(net);
    const auto a = evaluated(*eigen, samples), b = evaluated(*simd, samples);
    double spread = 0;
    for (int i = 0; i < a->size(); ++i) {
      EXPECT_LT(distance(*a, i, *b, i), 1e-5) << i;
      spread = std::max(spread, std::fabs(double(a->wdl(i).value() - a->wdl(0).value())));
    }
    EXPECT_GT(spread, 0.05) << "a net that says the same of everything tests nothing";
  }
}

TEST(CpuEvaluator, EveryInstructionSetGivesTheSameBits) {
  const auto samples = test::random_samples(20, 22);
  EXPECT_EQ(simd_levels().back(), "baseline");
  for (const NetConfig& config : {net_preset("nano"), odd_config(), plain_config()}) {
    const auto net = shared_net(config, 6);
    const auto expected = evaluated(*simd_factory(net, "baseline")(), samples);
    for (auto level : simd_levels()) {
      const auto batch = evaluated(*simd_factory(net, level)(), samples);
      for (int i = 0; i < batch->size(); ++i) EXPECT_EQ(distance(*expected, i, *batch, i), 0) << level;
    }
  }
  EXPECT_THROW(simd_factory(shared_net(odd_config(), 1), "mmx"), Error);
}

// The bits themselves, so that a compiler or flag that changes them is seen.
TEST(CpuEvaluator, SimdIsPinned) {
  const auto batch =
      evaluated(*make_simd_evaluator(shared_net(net_preset("nano"), 6)), test::random_samples(5, 23));
  EXPECT_EQ(hash_bytes(batch->priors(0).data(), batch->offsets()[5] * sizeof(float)), 9285416054145582233u);
}

TEST(CpuEvaluator, ARowDependsOnNeitherIndexNorNeighboursNorBatchSize) {
  const auto samples = test::random_samples(25, 24);
  for (const auto& [name, evaluator] : all_backends(shared_net(odd_config(), 7))) {
    const auto batch = evaluated(*evaluator, samples);
    for (int i = 0; i < 25; ++i) {
      const auto single = evaluated(*evaluator, {samples[size_t(i)]});
      EXPECT_EQ(distance(*single, 0, *batch, i), 0) << name << " row " << i;
    }
    std::vector<Sample> turned(samples.rbegin(), samples.rend());
    turned.resize(13);
    const auto other = evaluated(*evaluator, turned);
    for (int i = 0; i < 13; ++i) EXPECT_EQ(distance(*other, i, *batch, 24 - i), 0) << name << " row " << i;
  }
}

// With all weights zero only biases speak: the heads' formulas by hand.
TEST(CpuEvaluator, HeadsFollowTheDocument) {
  NetFile net = test::random_net(plain_config(), 1);
  for (auto& [name, tensor] : net.tensors) std::fill(tensor.values.begin(), tensor.values.end(), 0.0f);
  net.tensors.at("value.wdl.bias").values = {std::log(5.0f), std::log(3.0f), std::log(2.0f)};
  net.tensors.at("value.moves.bias").values = {0.25f};
  std::vector<float>& move_bias = net.tensors.at("policy.move_bias").values;
  const Sample sample = test::random_samples(1, 25)[0];
  for (size_t i = 0; i < move_bias.size(); ++i) move_bias[i] = float(i % 5) * 0.3f;
  double sum = 0;
  for (uint16_t index : sample.indices) sum += std::exp(index % 5 * 0.3);
  for (const auto& [name, evaluator] : all_backends(std::make_shared<const NetFile>(net))) {
    const auto batch = evaluated(*evaluator, {sample});
    EXPECT_NEAR(batch->wdl(0).win, 0.5, 1e-6) << name;
    EXPECT_NEAR(batch->wdl(0).draw, 0.3, 1e-6) << name;
    EXPECT_NEAR(batch->wdl(0).loss, 0.2, 1e-6) << name;
    EXPECT_NEAR(batch->moves_left(0), 50 * std::log1p(std::exp(0.25)), 1e-4) << name;
    for (size_t m = 0; m < sample.indices.size(); ++m)
      EXPECT_NEAR(batch->priors(0)[m], std::exp(sample.indices[m] % 5 * 0.3) / sum, 1e-6) << name;
  }
}

// One weight in each layer, so that a transposed kernel, a flipped board or another flattening shows: the own
// king (plane 0) on e0 is seen by square e1 through the stem's tap one rank back and no file aside, and by d1
// through "one file on".
TEST(CpuEvaluator, TensorLayoutFollowsTheDocument) {
  const NetConfig config = plain_config();
  const auto single_tap = [&](int rank_tap, int file_tap, int square) {
    NetFile net = test::random_net(config, 1);
    for (auto& [name, tensor] : net.tensors) std::fill(tensor.values.begin(), tensor.values.end(), 0.0f);
    // stem: output channel 2 sees plane 0; value.conv: channel 1 takes it; fc1: unit 4 watches one square.
    net.tensors.at("stem.conv.weight").values[size_t((2 * 48 + 0) * 9 + rank_tap * 3 + file_tap)] = 1;
    net.tensors.at("value.conv.weight").values[1 * 16 + 2] = 1;
    net.tensors.at("value.fc1.weight")
        .values[size_t(4 * 90 * config.value_channels + square * config.value_channels + 1)] = 1;
    net.tensors.at("value.wdl.weight").values[size_t(0 * config.value_hidden + 4)] = std::log(2.0f);
    // policy: from-embedding 3 of the same square, to-embedding 3 constant.
    net.tensors.at("policy.conv.weight").values[5 * 16 + 2] = 1;
    net.tensors.at("policy.from.weight").values[3 * 16 + 5] = 1;
    net.tensors.at("policy.to.bias").values[3] = std::sqrt(float(config.policy_channels)) * std::log(3.0f);
    return std::make_shared<const NetFile>(std::move(net));
  };
  const auto start = xiangqi::GameHistory();
  const Sample sample{pack(start, test::rules()), test::indices_of(start.current())};
  struct Case {
    int rank_tap, file_tap;
    const char* square;
  };
  for (const Case& c :
       {Case{0, 1, "e1"}, Case{1, 1, "e0"}, Case{1, 0, "f0"}, Case{1, 2, "d0"}, Case{0, 2, "d1"}}) {
    const int square = (c.square[1] - '0') * 9 + c.square[0] - 'a';
    for (const auto& [name, evaluator] : all_backends(single_tap(c.rank_tap, c.file_tap, square))) {
      const auto batch = evaluated(*evaluator, {sample});
      EXPECT_NEAR(batch->wdl(0).win, 0.5, 1e-6) << name << " " << c.square;
      double from_square = 0, elsewhere = 0;
      for (size_t m = 0; m < sample.indices.size(); ++m) {
        const bool here = policy_move(sample.indices[m]).from() == square;
        (here ? from_square : elsewhere) = batch->priors(0)[m];
      }
      // From some of the squares the king's neighbours cannot move.
      if (from_square > 0) {
        EXPECT_NEAR(from_square / elsewhere, 3, 1e-4) << name << " " << c.square;
      }
    }
    // A square beside it sees nothing.
    const auto beside =
        evaluated(*make_simd_evaluator(single_tap(c.rank_tap, c.file_tap, square + 1)), {sample});
    EXPECT_NEAR(beside->wdl(0).win, 1.0 / 3, 1e-6) << c.square;
  }
}

TEST(CpuEvaluator, SelfCheckStopsAWrongNet) {
  NetFile net = test::random_net(odd_config(), 8);
  for (const Sample& s : test::random_samples(3, 26))
    net.checks.push_back(self_check_of(std::make_shared<const NetFile>(net), s.row));
  EXPECT_NO_THROW(eigen_factory(std::make_shared<const NetFile>(net)));
  EXPECT_NO_THROW(simd_factory(std::make_shared<const NetFile>(net)));
  NetFile other = net;
  float& logit = other.checks[2].policy_logits[7];
  logit += 2e-3f * (1 + std::fabs(logit));
  for (const auto& factory :
       {eigen_factory, +[](std::shared_ptr<const NetFile> n) { return simd_factory(std::move(n)); }}) {
    try {
      factory(std::make_shared<const NetFile>(other));
      ADD_FAILURE();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("net random-8: self-check 3 of 3"), std::string::npos) << e.what();
    }
  }
  other = net;
  other.checks[0].wdl[1] += 2e-3f;
  EXPECT_THROW(simd_factory(std::make_shared<const NetFile>(other)), Error);
  other = net;
  other.tensors.at("blocks.0.conv2.weight").values[100] += 1.0f;
  EXPECT_THROW(simd_factory(std::make_shared<const NetFile>(other)), Error);
}

TEST(CpuEvaluator, OverflowIsAnErrorThatNamesNetAndRow) {
  NetFile net = test::random_net(plain_config(), 9);
  for (float& v : net.tensors.at("blocks.0.conv1.weight").values) v *= 1e20f;
  for (float& v : net.tensors.at("blocks.0.conv2.weight").values) v *= 1e20f;
  const auto samples = test::random_samples(2, 27);
  for (const auto& [name, evaluator] : all_backends(std::make_shared<const NetFile>(net))) {
    try {
      evaluated(*evaluator, samples);
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(fmt::format("{:016x}", digest(samples[0].row))), std::string::npos)
          << e.what();
      EXPECT_NE(std::string(e.what()).find("net random-9"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace chuhe::nn
