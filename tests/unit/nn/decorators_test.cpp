#include "nn/api/decorators.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "nn/api/doubles.h"

#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

using test::fill;
using test::game;
using test::rules;
using test::Sample;

void expect_equal(const EvalBatch& a, const EvalBatch& b) {
  ASSERT_EQ(a.size(), b.size());
  for (int i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.wdl(i).win, b.wdl(i).win);
    EXPECT_EQ(a.wdl(i).draw, b.wdl(i).draw);
    EXPECT_EQ(a.wdl(i).loss, b.wdl(i).loss);
    EXPECT_EQ(a.moves_left(i), b.moves_left(i));
    EXPECT_TRUE(std::ranges::equal(a.priors(i), b.priors(i))) << i;
  }
}

void expect_as_without(Evaluator& cached, const std::vector<Sample>& samples) {
  const auto plain = make_hash_evaluator();
  EvalBatch expected(int(samples.size()));
  auto batch = cached.make_batch(int(samples.size()));
  fill(expected, samples);
  fill(*batch, samples);
  plain->evaluate(expected);
  cached.evaluate(*batch);
  expect_equal(*batch, expected);
}

TEST(Cache, SameResultsOnAndOff) {
  const auto samples = test::random_samples(200, 11);
  for (size_t entries : {size_t(1), size_t(7), size_t(4096)}) {
    CacheCounters counters;
    const auto cached = make_cached(make_hash_evaluator(), entries, &counters);
    for (int round = 0; round < 3; ++round)
      for (size_t first = 0; first < samples.size(); first += 50)
        expect_as_without(*cached,
                          {samples.begin() + ptrdiff_t(first), samples.begin() + ptrdiff_t(first) + 50});
    EXPECT_EQ(counters.hits + counters.misses, 600u);
    EXPECT_GE(counters.misses, entries > 1000 ? 100u : 400u);
    EXPECT_GE(counters.hits, entries > 1000 ? 380u : 0u);
  }
}

// U013: two ways to one board that differ in what has occurred before must not share an entry.
TEST(Cache, U013HistoryIsPartOfTheKey) {
  const auto once = game(xiangqi::kStartFen, "b0c2 b9c7 h0g2 h9g7");
  const auto again = game(xiangqi::kStartFen, "b0c2 b9c7 h0g2 h9g7 g2h0 g7h9 h0g2 h9g7");
  ASSERT_EQ(once.current().key(), again.current().key());
  const Sample a{pack(once, rules()), test::indices_of(once.current())};
  const Sample b{pack(again, rules()), test::indices_of(again.current())};
  CacheCounters counters;
  const auto cached = make_cached(make_hash_evaluator(), 1024, &counters);
  expect_as_without(*cached, {a});
  expect_as_without(*cached, {b});
  EXPECT_EQ(counters.misses, 2u);
  expect_as_without(*cached, {b, a});
  EXPECT_EQ(counters.hits, 2u);
}

// A position and its colour-swapped twin have one row, but list their moves in different orders.
TEST(Cache, TwinsWithOtherMoveOrderAreKeptApart) {
  const auto history = game(xiangqi::kStartFen, "h2e2");
  const xiangqi::GameHistory bare(history.current()), twin(test::twin_of(history.current()));
  const Sample a{pack(bare, rules()), test::indices_of(bare.current())};
  const Sample b{pack(twin, rules()), test::indices_of(twin.current())};
  ASSERT_EQ(a.row, b.row);
  ASSERT_NE(a.indices, b.indices) << "if they are equal now, this test has lost its point";
  const auto cached = make_cached(make_hash_evaluator(), 1024);
  expect_as_without(*cached, {a});
  expect_as_without(*cached, {b});
}

TEST(Cache, TicketsMayOverlapAndBatchesMayBeEmpty) {
  const auto samples = test::random_samples(90, 12);
  const auto cached = make_cached(make_device_model(1e6, 10), 64);
  std::vector<std::unique_ptr<EvalBatch>> batches;
  for (int b = 0; b < 3; ++b) {
    batches.push_back(cached->make_batch(30));
    fill(*batches.back(), {samples.begin() + b * 30, samples.begin() + b * 30 + 30});
  }
  const Ticket first = cached->submit(*batches[0]), second = cached->submit(*batches[1]);
  cached->collect(second);
  const Ticket third = cached->submit(*batches[2]);
  cached->collect(first);
  cached->collect(third);
  EXPECT_DEATH(cached->collect(third), "unknown ticket");
  const auto plain = make_hash_evaluator();
  for (int b = 0; b < 3; ++b) {
    EvalBatch expected(30);
    fill(expected, {samples.begin() + b * 30, samples.begin() + b * 30 + 30});
    plain->evaluate(expected);
    expect_equal(*batches[size_t(b)], expected);
  }
  auto empty = cached->make_batch(4);
  cached->evaluate(*empty);
  EXPECT_EQ(empty->size(), 0);
}

TEST(Checker, CountsDifferencesAndAnswersAsTheFirst) {
  const auto samples = test::random_samples(60, 13);
  Difference same, other;
  const auto equal = make_checked(make_hash_evaluator(), make_hash_evaluator(), &same);
  expect_as_without(*equal, samples);
  EXPECT_EQ(same.rows, 60);
  EXPECT_EQ(same.max_value, 0);
  EXPECT_EQ(same.max_policy_kl, 0);
  EXPECT_EQ(same.top_move_agreement, 1);
  const auto unequal = make_checked(make_hash_evaluator(), make_uniform_evaluator(), &other);
  expect_as_without(*unequal, samples);
  expect_as_without(*unequal, {samples[0]});
  EXPECT_EQ(other.rows, 61);
  EXPECT_GT(other.max_value, other.mean_value);
  EXPECT_GT(other.mean_value, 0.05);
  EXPECT_GT(other.max_policy_kl, other.mean_policy_kl);
  EXPECT_GT(other.mean_policy_kl, 0.1);
  EXPECT_LT(other.top_move_agreement, 0.5);
}

}  // namespace
}  // namespace chuhe::nn
