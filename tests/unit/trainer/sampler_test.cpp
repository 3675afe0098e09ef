#include "trainer/sampler.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"
#include "tests/unit/trainer/synthetic_games.h"
#include "trainer/batch_source.h"
#include "trainer/calibration.h"

namespace chuhe::trainer {
namespace {

Selection selection(int games) {
  Window window(0.1, true);
  for (int i = 0; i < games; ++i) window.add(testing::synthetic_game(4, uint64_t(i), 40));
  return window.select({});
}

TEST(Permutation, IsOne) {
  for (const uint64_t n : {1u, 2u, 3u, 10u, 1000u, 4096u, 4097u}) {
    const Permutation p(n, 7);
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < n; ++i) seen.insert(p(i));
    EXPECT_EQ(seen.size(), n);
    EXPECT_EQ(*seen.rbegin(), n - 1);
  }
  const Permutation a(1000, 7), b(1000, 8);
  int fixed = 0, same = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    fixed += a(i) == i;
    same += a(i) == b(i);
  }
  EXPECT_LT(fixed, 10);
  EXPECT_LT(same, 10);
}

TEST(Sampler, DrawsEveryRowOnceAPassInANewOrder) {
  const Selection s = selection(20);
  const Sampler sampler(s, TrainSettings{}, 5);
  const uint64_t n = s.train.size();
  std::vector<std::pair<uint32_t, uint32_t>> passes[2];
  for (uint64_t k = 0; k < 2 * n; ++k) {
    const auto row = sampler.at(k).row;
    passes[k / n].emplace_back(row.game, row.row);
  }
  EXPECT_NE(passes[0], passes[1]);
  for (auto& p : passes) EXPECT_EQ(std::set(p.begin(), p.end()).size(), n);
}

TEST(Sampler, ABatchMixesManyGames) {
  const Selection s = selection(200);
  const Sampler sampler(s, TrainSettings{}, 5);
  for (int step = 0; step < 3; ++step) {
    std::set<uint32_t> games;
    for (uint64_t i = 0; i < 256; ++i) games.insert(sampler.at(uint64_t(step) * 256 + i).row.game);
    EXPECT_GT(games.size(), 100u);  // of about 180; 256 draws leave a quarter out
  }
}

TEST(Sampler, AugmentsTheSharesThatWereAsked) {
  const Selection s = selection(5);
  TrainSettings settings;
  settings.drop_history = 0.2;
  const auto count = [&](auto&& which) {
    const Sampler sampler(s, settings, 5);
    int n = 0;
    for (uint64_t k = 0; k < 10000; ++k) n += which(sampler.at(k).augment);
    return n;
  };
  EXPECT_NEAR(count([](const Augment& a) { return a.mirror; }), 5000, 200);
  EXPECT_NEAR(count([](const Augment& a) { return a.drop_history; }), 2000, 200);
  EXPECT_NEAR(count([](const Augment& a) { return a.mirror && a.drop_history; }), 1000, 150);
  settings.mirror = false;
  settings.drop_history = 0;
  EXPECT_EQ(count([](const Augment& a) { return a.mirror || a.drop_history; }), 0);
}

uint64_t digest(const TrainBatch& b) {
  uint64_t h = 0;
  for (const auto& r : b.packed) h = h * 31 + nn::digest(r);
  for (const float p : b.policy) h = h * 31 + uint64_t(p * 1e6f);
  return h;
}

TEST(BatchSource, BatchesDoNotDependOnThreadsOrStart) {
  const Selection s = selection(30);
  TrainSettings settings;
  settings.batch = 32;
  const Sampler sampler(s, settings, 5);
  std::map<int, std::vector<uint64_t>> by_threads;
  for (const int threads : {1, 3}) {
    BatchSource source(sampler, 0, threads, false);
    for (int step = 0; step < 12; ++step) {
      auto batch = source.next();
      by_threads[threads].push_back(digest(*batch));
      source.recycle(std::move(batch));
    }
  }
  EXPECT_EQ(by_threads[1], by_threads[3]);
  EXPECT_EQ(std::set(by_threads[1].begin(), by_threads[1].end()).size(), 12u);
  BatchSource later(sampler, 7, 2, false);
  EXPECT_EQ(digest(*later.next()), by_threads[1][7]);
}

TEST(BatchSource, PassesOnWhatWentWrong) {
  Window window(0, true);
  window.add(testing::synthetic_game(4, 1, 40));
  Selection s = window.select({});
  WindowGame broken = *s.games[0];
  for (auto& p : broken.policy) p.index = 2061;
  s.games[0] = std::make_shared<const WindowGame>(broken);
  const Sampler sampler(s, TrainSettings{}, 5);
  BatchSource source(sampler, 0, 2, false);
  EXPECT_THROW(source.next(), Error);
}

TEST(Sampler, ValidationRowsAreTheSameEveryTimeAndNeverTrainedOn) {
  const Selection s = selection(60);
  ASSERT_FALSE(s.validation.empty());
  TrainBatch a, b;
  const int n = fill_validation(s, 0, 50, 0, false, a);
  EXPECT_EQ(fill_validation(s, 0, 50, 0, false, b), n);
  EXPECT_EQ(digest(a), digest(b));
  EXPECT_EQ(fill_validation(s, int(s.validation.size()), 50, 0, false, b), 0);
  std::set<uint64_t> held_out;
  for (const auto& r : a.packed) held_out.insert(nn::digest(r));
  EXPECT_GT(held_out.size(), 20u);
}

TEST(Calibration, IsZeroForFrequenciesAndNotForOverconfidence) {
  Calibration good, bad;
  for (int i = 0; i < 1000; ++i) {
    good.add(0.35, i % 100 < 35);
    bad.add(0.95, i % 100 < 35);
  }
  EXPECT_NEAR(good.expected_error(), 0, 1e-9);
  EXPECT_NEAR(bad.expected_error(), 0.6, 1e-9);
  EXPECT_EQ(Calibration().expected_error(), 0);
}

}  // namespace
}  // namespace chuhe::trainer
