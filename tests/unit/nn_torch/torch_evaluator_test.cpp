// The LibTorch evaluator as programs see it: through the plugin, without a torch header.

#include "nn/infer/torch_evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "base/error.h"
#include "base/random.h"
#include "nn/cpu/cpu_evaluator.h"
#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"
#include "nn/net/init_net.h"
#include "xiangqi/rules/game_history.h"

namespace chuhe::nn {
namespace {

struct Case {
  PackedRow row;
  std::vector<uint16_t> moves;
};

std::vector<Case> random_cases(int n, uint64_t seed) {
  std::vector<Case> cases;
  const auto& rules = xiangqi::rule_set("checks_only");
  for (uint64_t game = 0; int(cases.size()) < n; ++game) {
    Random random(seed, "cases", game);
    xiangqi::GameHistory history(xiangqi::Position(), rules.natural_limit_checks);
    while (history.plies() < 120 && int(cases.size()) < n) {
      const auto legal = history.current().legal_moves();
      if (legal.empty()) break;
      if (random.below(4) == 0) {
        Case c{pack(history, rules), std::vector<uint16_t>(size_t(legal.size()))};
        policy_indices(legal, history.current().side_to_move(), c.moves.data());
        cases.push_back(std::move(c));
      }
      history.push(legal[int(random.below(uint64_t(legal.size())))]);
    }
  }
  return cases;
}

struct Answer {
  float win, draw, loss, moves_left;
  std::vector<float> priors;
  bool operator==(const Answer&) const = default;
};

std::vector<Answer> answers(Evaluator& evaluator, const std::vector<Case>& cases) {
  const auto batch = evaluator.make_batch(int(cases.size()));
  for (const Case& c : cases) batch->add(c.row, c.moves);
  evaluator.evaluate(*batch);
  std::vector<Answer> list;
  for (int i = 0; i < batch->size(); ++i) {
    const auto w = batch->wdl(i);
    list.push_back(
        {w.win, w.draw, w.loss, batch->moves_left(i), {batch->priors(i).begin(), batch->priors(i).end()}});
  }
  return list;
}

EvaluatorSettings cpu_settings(int batch = 16, const std::string& precision = "fp32") {
  EvaluatorSettings s;
  s.device = "cpu";
  s.precision = precision;
  s.batch = batch;
  return s;
}

/// A net whose outputs are far from even, as a trained one's: the heads' last layers are blown up.
const NetFile& lively_net() {
  static const NetFile net = [] {
    NetFile n = init_net(net_preset("nano"), 11, "lively", "checks_only");
    for (const char* name : {"policy.from.weight", "value.wdl.weight", "value.moves.weight"})
      for (float& v : n.tensors.at(name).values) v *= 10;
    n.checks.clear();
    return n;
  }();
  return net;
}

TEST(TorchEvaluator, AnswersAreProbabilities) {
  const auto evaluator = open_torch_net(lively_net(), cpu_settings()).make();
  EXPECT_EQ(evaluator->info().device, "cpu");
  EXPECT_EQ(evaluator->info().net_id, "lively");
  double spread = 0;
  for (const Answer& a : answers(*evaluator, random_cases(40, 1))) {
    EXPECT_NEAR(a.win + a.draw + a.loss, 1, 1e-5);
    double sum = 0;
    for (float p : a.priors) sum += p;
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_GT(a.moves_left, 0);
    spread = std::max(spread, double(std::abs(a.win - a.loss)));
  }
  EXPECT_GT(spread, 0.1);
}

TEST(TorchEvaluator, ARowsResultDependsOnNeitherItsIndexNorItsNeighbours) {
  for (const char* precision : {"fp32", "bf16"}) {
    const auto evaluator = open_torch_net(lively_net(), cpu_settings(16, precision)).make();
    const auto cases = random_cases(64, 2);
    const auto alone = [&](size_t i) { return answers(*evaluator, {cases[i]})[0]; };
    std::vector<Answer> expected;
    for (size_t i = 0; i < 16; ++i) expected.push_back(alone(i));
    // The same sixteen, turned by k and among other neighbours, in batches of odd sizes and in pieces.
    for (size_t k : {1u, 5u, 15u}) {
      std::vector<Case> turned;
      for (size_t i = 0; i < 16; ++i) turned.push_back(cases[(i + k) % 16]);
      turned.insert(turned.begin() + 7, cases.begin() + 16, cases.begin() + 16 + int(k));
      const auto got = answers(*evaluator, turned);
      for (size_t i = 0; i < 16; ++i)
        EXPECT_TRUE(got[i < 7 ? i : i + k] == expected[(i + k) % 16])
            << precision << " row " << i << " turned " << k;
    }
  }
}

TEST(TorchEvaluator, WorkersOnThreadsAgreeBitByBit) {
  const NetHandle handle = open_torch_net(lively_net(), cpu_settings());
  const auto cases = random_cases(48, 3);
  const auto expected = answers(*handle.make(), cases);
  std::vector<std::vector<Answer>> got(3);
  {
    std::vector<std::jthread> workers;
    for (auto& g : got)
      workers.emplace_back([&] {
        const auto evaluator = handle.make();
        for (int i = 0; i < 3; ++i) g = answers(*evaluator, cases);
      });
  }
  for (const auto& g : got) EXPECT_TRUE(g == expected);
}

TEST(TorchEvaluator, AgreesWithTheTorchFreeForwardPass) {
  const auto torch = open_torch_net(lively_net(), cpu_settings()).make();
  const auto eigen = make_eigen_evaluator(std::make_shared<const NetFile>(lively_net()));
  const auto cases = random_cases(200, 4);
  const auto a = answers(*torch, cases), b = answers(*eigen, cases);
  double value = 0, prior = 0, left = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    value = std::max({value, std::abs(double(a[i].win) - b[i].win), std::abs(double(a[i].loss) - b[i].loss)});
    left = std::max(left, std::abs(double(a[i].moves_left) - b[i].moves_left));
    for (size_t k = 0; k < a[i].priors.size(); ++k)
      prior = std::max(prior, std::abs(double(a[i].priors[k]) - b[i].priors[k]));
  }
  EXPECT_LT(value, 1e-4);
  EXPECT_LT(prior, 1e-4);
  EXPECT_LT(left, 1e-2);
}

template <class Function>
std::string error_of(Function f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(TorchEvaluator, RefusesWhatItCannotDo) {
  EvaluatorSettings s = cpu_settings();
  s.device = "cuda:99";
  EXPECT_NE(error_of([&] { open_torch_net(lively_net(), s); }).find("cuda:99"), std::string::npos);
  s.device = "gpu";
  EXPECT_NE(error_of([&] { open_torch_net(lively_net(), s); }).find("expected auto, cpu, cuda"),
            std::string::npos);
  s = cpu_settings(16, "fp16");
  EXPECT_NE(error_of([&] { open_torch_net(lively_net(), s); }).find("fp16"), std::string::npos);
  NetFile net = lively_net();
  net.tensors.at("stem.conv.bias").values[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(error_of([&] { open_torch_net(net, cpu_settings()); }).find("stem.conv.bias"), std::string::npos);
  NetFile other = init_net(net_preset("nano"), 12, "other", "checks_only");
  other.checks = init_net(net_preset("nano"), 13, "x", "checks_only").checks;
  EXPECT_NE(error_of([&] { open_torch_net(other, cpu_settings()); }).find("self-check"), std::string::npos);
}

TEST(TorchEvaluator, ANonFiniteOutputNamesNetAndRow) {
  NetFile net = lively_net();
  for (float& v : net.tensors.at("stem.conv.weight").values) v *= 1e36f;  // finite, but overflows on the way
  for (float& v : net.tensors.at("blocks.0.conv1.weight").values) v *= 1e10f;
  const auto evaluator = open_torch_net(net, cpu_settings()).make();
  const auto cases = random_cases(3, 5);
  const std::string what = error_of([&] { answers(*evaluator, cases); });
  EXPECT_NE(what.find("lively"), std::string::npos) << what;
  EXPECT_NE(what.find(fmt::format("{:016x}", digest(cases[0].row))), std::string::npos) << what;
}

TEST(TorchEvaluator, AutoSaysWhatItTook) {
  EvaluatorSettings s;
  const NetHandle handle = open_torch_net(lively_net(), s);
  EXPECT_TRUE(handle.device.starts_with("cpu") || handle.device.starts_with("cuda:0 ")) << handle.device;
  EXPECT_NE(describe_torch().find("LibTorch 2."), std::string::npos) << describe_torch();
}

}  // namespace
}  // namespace chuhe::nn
