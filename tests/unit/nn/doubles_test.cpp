#include "nn/api/doubles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

using test::fill;
using test::game;
using test::rules;

std::unique_ptr<EvalBatch> evaluated(Evaluator& evaluator, const std::vector<test::Sample>& samples) {
  auto batch = evaluator.make_batch(int(samples.size()));
  fill(*batch, samples);
  evaluator.evaluate(*batch);
  return batch;
}

test::Sample sample(std::string_view fen, std::string_view moves = "") {
  const auto history = game(fen, moves);
  return {pack(history, rules()), test::indices_of(history.current())};
}

TEST(EvalBatch, IsRaggedAndStartsAnewAfterClear) {
  EvalBatch batch(2);
  const PackedRow row{};
  const uint16_t a[] = {1, 2, 3}, b[] = {9};
  EXPECT_EQ(batch.add(row, a), 0);
  EXPECT_FALSE(batch.full());
  EXPECT_EQ(batch.add(row, b), 1);
  EXPECT_TRUE(batch.full());
  EXPECT_EQ(batch.indices(0).size(), 3u);
  EXPECT_EQ(batch.indices(1)[0], 9);
  EXPECT_EQ(batch.offsets()[2], 4u);
  EXPECT_EQ(batch.priors(1).data(), batch.priors(0).data() + 3);
  batch.clear();
  EXPECT_EQ(batch.size(), 0);
  EXPECT_EQ(batch.add(row, b), 0);
  EXPECT_EQ(batch.indices(0).size(), 1u);
}

TEST(EvalBatch, RefusesWhatItCannotHold) {
  EvalBatch batch(1);
  const std::vector<uint16_t> many(129);
  EXPECT_DEATH(batch.add(PackedRow{}, {}), "0 moves");
  EXPECT_DEATH(batch.add(PackedRow{}, many), "129 moves");
  batch.add(PackedRow{}, std::span(many).first(128));
  EXPECT_DEATH(batch.add(PackedRow{}, std::span(many).first(1)), "full");
}

TEST(Doubles, AllGiveProbabilities) {
  const auto samples = test::random_samples(40, 1);
  for (const char* name : {"uniform", "hash", "material", "device:1e9:0"}) {
    const auto evaluator = make_double(name);
    ASSERT_TRUE(evaluator) << name;
    const auto batch = evaluated(*evaluator, samples);
    for (int i = 0; i < batch->size(); ++i) {
      double sum = 0;
      for (float p : batch->priors(i)) {
        EXPECT_GT(p, 0) << name;
        sum += p;
      }
      EXPECT_NEAR(sum, 1, 1e-5) << name;
      const auto wdl = batch->wdl(i);
      EXPECT_NEAR(wdl.win + wdl.draw + wdl.loss, 1, 1e-6) << name;
      EXPECT_GE(std::min({wdl.win, wdl.draw, wdl.loss}), 0) << name;
      EXPECT_GT(batch->moves_left(i), 0) << name;
    }
  }
  EXPECT_FALSE(make_double("nets/latest"));
  EXPECT_FALSE(double_factory("Hash"));
}

TEST(Doubles, BatchEqualsSingles) {
  const auto samples = test::random_samples(20, 2);
  for (const char* name : {"uniform", "hash", "material"}) {
    const auto evaluator = make_double(name);
    const auto batch = evaluated(*evaluator, samples);
    for (int i = 0; i < batch->size(); ++i) {
      const auto single = evaluated(*evaluator, {samples[size_t(i)]});
      EXPECT_EQ(single->wdl(0).win, batch->wdl(i).win);
      EXPECT_EQ(single->wdl(0).loss, batch->wdl(i).loss);
      EXPECT_EQ(single->moves_left(0), batch->moves_left(i));
      EXPECT_TRUE(std::ranges::equal(single->priors(0), batch->priors(i)));
    }
  }
}

// These bits enter the bench signature: they must be the same on every machine and under every compiler.
TEST(Doubles, HashIsPinned) {
  const auto hash = make_hash_evaluator();
  const auto batch = evaluated(*hash, {sample(xiangqi::kStartFen)});
  const uint64_t bits = hash_bytes(batch->priors(0).data(), batch->priors(0).size_bytes());
  const auto wdl = batch->wdl(0);
  EXPECT_EQ(bits, 18074356706004929084u);
  EXPECT_EQ(hash_bytes(&wdl, sizeof wdl), 7357629357052261973u);
  EXPECT_EQ(batch->moves_left(0), 115.0f);
}

TEST(Doubles, HashPriorsBelongToMovesNotToPlaces) {
  auto forward = sample(xiangqi::kStartFen);
  auto backward = forward;
  std::ranges::reverse(backward.indices);
  const auto hash = make_hash_evaluator();
  const auto batch = evaluated(*hash, {forward, backward});
  std::vector<float> reversed(batch->priors(1).rbegin(), batch->priors(1).rend());
  EXPECT_TRUE(std::ranges::equal(batch->priors(0), reversed));
}

TEST(Doubles, HashSpreadsItsValues) {
  const auto samples = test::random_samples(400, 3);
  const auto hash = make_hash_evaluator();
  const auto batch = evaluated(*hash, samples);
  double mean = 0, top = 0;
  for (int i = 0; i < batch->size(); ++i) {
    mean += batch->wdl(i).value() / batch->size();
    top += *std::ranges::max_element(batch->priors(i)) * double(batch->priors(i).size()) / batch->size();
  }
  EXPECT_NEAR(mean, 0, 0.1);
  EXPECT_GT(top, 2.5) << "some moves should stand out";
}

TEST(Doubles, MaterialTable) {
  const auto balance = [](std::string_view fen) { return material_balance(pack(game(fen), rules())); };
  EXPECT_EQ(balance(xiangqi::kStartFen), 0);
  EXPECT_EQ(balance("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"), 9);
  EXPECT_EQ(balance("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1"), -9) << "from the mover";
  EXPECT_EQ(balance("3k5/9/9/9/9/9/9/9/9/C3K4 w - - 0 1"), 4.5);
  EXPECT_EQ(balance("3k5/9/9/9/9/9/9/9/9/N3K4 w - - 0 1"), 4);
  EXPECT_EQ(balance("3k5/9/9/9/9/9/9/9/9/2BAK4 w - - 0 1"), 4);
  EXPECT_EQ(balance("3k5/9/9/9/9/P8/9/9/9/4K4 w - - 0 1"), 1) << "a5 is not a square of rank 4";
  EXPECT_EQ(balance("3k5/9/9/9/P8/9/9/9/9/4K4 w - - 0 1"), 2);
  EXPECT_EQ(balance("3k5/9/9/9/p8/9/9/9/9/4K4 w - - 0 1"), -1);
  EXPECT_EQ(balance("3k5/9/9/9/9/p8/9/9/9/4K4 w - - 0 1"), -2);
  const auto material = make_material_evaluator();
  const auto batch = evaluated(*material, {sample("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1")});
  EXPECT_NEAR(batch->wdl(0).value(), std::tanh(0.9), 1e-6);
  EXPECT_EQ(batch->wdl(0).draw, 0);
}

TEST(Doubles, DeviceModelTakesItsTimeInCollect) {
  using Clock = std::chrono::steady_clock;
  const auto samples = test::random_samples(10, 4);
  const auto device = make_device_model(100, 20e3);  // 10 rows: 100 ms of work, 20 ms of latency
  const auto hash = make_hash_evaluator();
  auto first = device->make_batch(10), second = device->make_batch(10);
  fill(*first, samples);
  fill(*second, samples);
  const auto start = Clock::now();
  const auto since = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const Ticket one = device->submit(*first), two = device->submit(*second);
  const double submitted = since();
  device->collect(one);
  EXPECT_GE(since(), 0.119);
  device->collect(two);
  EXPECT_GE(since(), 0.219);
  EXPECT_LT(submitted, 0.05);
  EXPECT_LT(since(), 0.239 + 2.0) << "the latencies should overlap with the work";
  const auto expected = evaluated(*hash, samples);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(std::ranges::equal(first->priors(i), expected->priors(i)));
  EXPECT_DEATH(device->collect(two), "unknown ticket");
}

TEST(Doubles, DeviceNamesThatAreWrong) {
  for (const char* name : {"device:", "device:100", "device:0:1", "device:x:1", "device:100:-1",
                           "device:100:1:1", "device:nan:1"}) {
    try {
      make_double(name);
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace chuhe::nn
