// How a search is driven: batches, budgets, stopping, reuse.

#include "mcts/search/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nn/api/decorators.h"
#include "nn/api/doubles.h"
#include "positions.h"
#include "tempting.h"

namespace chuhe::test {
namespace {

using mcts::Search;
using mcts::SearchParams;
using mcts::SearchResult;
using xiangqi::GameHistory;
using xiangqi::Move;

const xiangqi::RuleSet& rules() {
  return xiangqi::rule_set("checks_only");
}

SearchParams params_of(std::string algorithm, int visits) {
  SearchParams params;
  params.algorithm = std::move(algorithm);
  params.visits = visits;
  return params;
}

std::vector<uint32_t> visits_of(const SearchResult& result) {
  std::vector<uint32_t> visits;
  for (const auto& m : result.moves) visits.push_back(m.visits);
  return visits;
}

SearchResult finish(Search& search, nn::Evaluator& evaluator, int leaves = 1) {
  const auto batch = evaluator.make_batch(leaves);
  while (!search.done()) {
    batch->clear();
    search.gather(*batch, leaves);
    if (batch->size() > 0) evaluator.evaluate(*batch);
    search.absorb(*batch);
  }
  return search.result();
}

TEST(SearchParams, UnknownNamesAreRefused) {
  SearchParams params;
  params.algorithm = "alphabeta";
  EXPECT_THROW(Search(params, rules()), Error);
  params = {};
  params.tree_repetition = "never";
  EXPECT_THROW(Search(params, rules()), Error);
  EXPECT_THROW(apply_override(fields_of(params), "algorithm=alphabeta"), Error);
}

class Algorithms : public testing::TestWithParam<const char*> {};

TEST_P(Algorithms, LeavesInOneTreeKeepTheBudgetAndTheTree) {
  const auto evaluator = nn::make_hash_evaluator();
  for (const int leaves : {1, 2, 7, 32}) {
    Search search(params_of(GetParam(), 500), rules());
    search.start(random_game(3, 30), Random(1));
    const auto batch = evaluator->make_batch(leaves);
    uint64_t rows = 0;
    while (!search.done()) {
      batch->clear();
      const int added = search.gather(*batch, leaves);
      EXPECT_EQ(added, batch->size());
      EXPECT_LE(added, leaves);
      search.audit();
      if (batch->size() > 0) evaluator->evaluate(*batch);
      search.absorb(*batch);
      search.audit();
      rows += uint64_t(batch->size());
    }
    const auto result = search.result();
    EXPECT_EQ(result.visits, 500u);
    EXPECT_EQ(search.counters().simulations, 500u);
    EXPECT_EQ(search.counters().rows, rows);
    EXPECT_EQ(search.counters().terminals + rows, 501u);
    EXPECT_EQ(search.gather(*batch, leaves), 0);
  }
}

// Rows of several searches in one batch: each finds its own again.
TEST_P(Algorithms, SharedBatchesChangeNothing) {
  const auto evaluator = nn::make_hash_evaluator();
  const SearchParams params = params_of(GetParam(), 200);
  std::vector<Search> searches;
  std::vector<GameHistory> histories;
  for (int i = 0; i < 5; ++i) {
    histories.push_back(random_game(uint64_t(i), 10 * i));
    searches.emplace_back(params, rules());
    searches.back().start(histories.back(), Random(uint64_t(i)), 200 - 30 * i);
  }
  const auto batch = evaluator->make_batch(8);
  const auto any_left = [&] {
    return std::any_of(searches.begin(), searches.end(), [](const Search& s) { return !s.done(); });
  };
  while (any_left()) {
    batch->clear();
    for (Search& s : searches) s.gather(*batch, 1);
    evaluator->evaluate(*batch);
    for (Search& s : searches) s.absorb(*batch);
  }
  for (int i = 0; i < 5; ++i) {
    Search alone(params, rules());
    alone.start(histories[size_t(i)], Random(uint64_t(i)), 200 - 30 * i);
    EXPECT_EQ(visits_of(finish(alone, *evaluator)), visits_of(searches[size_t(i)].result())) << i;
  }
}

// The cache's key covers all that the net sees: lc0's covered less, and positions with different pasts were
// mixed up.
TEST_P(Algorithms, CacheChangesNothing) {
  const auto plain = nn::make_hash_evaluator();
  nn::CacheCounters counters;
  const auto cached = nn::make_cached(nn::make_hash_evaluator(), 1 << 14, &counters);
  for (const auto& history : {from_fen(kSmallEndings[0]), from_fen(kSmallEndings[1]), random_game(5, 40)})
    for (const int leaves : {1, 4}) {
      Search a(params_of(GetParam(), 1500), rules()), b(params_of(GetParam(), 1500), rules());
      EXPECT_EQ(visits_of(a.run(*plain, history, Random(1), leaves)),
                visits_of(b.run(*cached, history, Random(1), leaves)));
      EXPECT_EQ(visits_of(a.result()), visits_of(b.run(*cached, history, Random(1), leaves)));
    }
  EXPECT_GT(counters.hits, 1000u);
}

TEST_P(Algorithms, FullArenaEndsTheSearch) {
  SearchParams params = params_of(GetParam(), 1'000'000);
  params.max_nodes = 2000;
  const auto evaluator = nn::make_hash_evaluator();
  for (const int leaves : {1, 16}) {
    Search search(params, rules());
    const auto result = search.run(*evaluator, GameHistory(), Random(1), leaves);
    search.audit();
    EXPECT_TRUE(search.done());
    EXPECT_GT(result.visits, 500u);
    EXPECT_LE(search.counters().nodes, 2000u);
    EXPECT_LT(search.counters().bytes, 2000u * 400);
  }
}

TEST_P(Algorithms, StopsAtAnyMoment) {
  const auto evaluator = nn::make_hash_evaluator();
  const auto batch = evaluator->make_batch(4);
  for (int rounds = 0; rounds < 20; ++rounds) {
    Search search(params_of(GetParam(), 1000), rules());
    search.start(GameHistory(), Random(1));
    for (int i = 0; i < rounds; ++i) {
      batch->clear();
      search.gather(*batch, 4);
      evaluator->evaluate(*batch);
      search.absorb(*batch);
    }
    batch->clear();
    const int out = search.gather(*batch, 4);
    search.stop();
    EXPECT_EQ(search.done(), out == 0);
    evaluator->evaluate(*batch);
    search.absorb(*batch);
    EXPECT_TRUE(search.done());
    const auto result = search.result();
    search.audit();
    EXPECT_TRUE(GameHistory().current().is_legal(result.best));
    double sum = 0;
    for (const auto& m : result.moves) sum += m.target;
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST_P(Algorithms, StoppedBeforeItsFirstEvaluation) {
  Search search(params_of(GetParam(), 10), rules());
  search.start(GameHistory(), Random(1));
  search.stop();
  EXPECT_TRUE(search.done());
  const auto result = search.result();
  EXPECT_TRUE(GameHistory().current().is_legal(result.best));
  EXPECT_EQ(result.moves.size(), 44u);
  EXPECT_EQ(result.visits, 0u);
}

TEST_P(Algorithms, NoVisitsPlayThePolicy) {
  SearchParams params = params_of(GetParam(), 0);
  params.gumbel_scale = 0;
  Search search(params, rules());
  Tempting evaluator(4);
  const auto result = search.run(evaluator, GameHistory(), Random(1));
  const auto highest = std::max_element(result.moves.begin(), result.moves.end(),
                                        [](const auto& a, const auto& b) { return a.prior < b.prior; });
  EXPECT_EQ(result.best, highest->move);
  EXPECT_EQ(search.counters().rows, 1u);
}

TEST_P(Algorithms, NetOutputsOfTheRootAreKept) {
  const auto evaluator = nn::make_hash_evaluator();
  const GameHistory history = random_game(8, 20);
  SearchParams params = params_of(GetParam(), 20);
  for (const double draw_value : {0.0, 0.3}) {
    params.draw_value = draw_value;
    Search search(params, rules());
    const auto result = search.run(*evaluator, history, Random(1));
    const auto batch = evaluator->make_batch(1);
    Search again(params, rules());
    again.start(history, Random(1));
    again.gather(*batch, 1);
    evaluator->evaluate(*batch);
    EXPECT_NEAR(result.net_value, batch->wdl(0).value(), draw_value == 0 ? 0 : 1e-5);
    EXPECT_NEAR(result.net_wdl[0], batch->wdl(0).win, 1e-4);
    EXPECT_NEAR(result.net_wdl[1], batch->wdl(0).draw, 1e-4);
    EXPECT_NEAR(result.net_wdl[2], batch->wdl(0).loss, 1e-4);
    EXPECT_NEAR(result.net_moves_left, batch->moves_left(0), 0.01);
    for (size_t i = 0; i < result.moves.size(); ++i)
      EXPECT_NEAR(result.moves[i].prior / batch->priors(0)[i], 1, 1e-3);
  }
}

// The subtree of the moves played is the new tree; what it held is as it was.
TEST_P(Algorithms, ReuseKeepsTheSubtree) {
  const auto evaluator = nn::make_hash_evaluator();
  Search search(params_of(GetParam(), 400), rules());
  GameHistory history;
  search.start(history, Random(1));
  auto result = finish(search, *evaluator);
  for (int ply = 0; ply < 12; ++ply) {
    uint32_t kept = 0;
    for (const auto& m : result.moves)
      if (m.move == result.best) kept = m.visits;
    history.push(result.best);
    search.start(history, Random(uint64_t(ply)), 300, true);
    search.audit();
    // Less by what ended through the policy of repetitions, which knows only positions below the root.
    EXPECT_LE(search.result().visits, kept - 1);
    EXPECT_GE(search.result().visits, (kept - 1) * 9 / 10);
    const uint32_t before = search.result().visits;
    result = finish(search, *evaluator);
    search.audit();
    EXPECT_EQ(result.visits, before + 300);
    EXPECT_EQ(search.counters().simulations, 300u);
  }
}

TEST_P(Algorithms, ReuseNeedsAContinuation) {
  const auto evaluator = nn::make_hash_evaluator();
  const GameHistory base = play(GameHistory(), {"h2e2", "h9g7"});
  Search search(params_of(GetParam(), 2000), rules());
  const auto reused = [&](const GameHistory& next) {
    search.start(base, Random(1));
    finish(search, *evaluator);
    search.start(next, Random(1), 10, true);
    search.audit();
    const bool kept = search.result().visits > 0;
    EXPECT_EQ(finish(search, *evaluator).visits > 10, kept);
    return kept;
  };
  EXPECT_TRUE(reused(base));
  const auto best = [&] {
    search.start(base, Random(1));
    return finish(search, *evaluator).best;
  }();
  GameHistory next = base;
  next.push(best);
  EXPECT_TRUE(reused(next));
  EXPECT_FALSE(reused(GameHistory()));                                  // shorter
  EXPECT_FALSE(reused(play(GameHistory(), {"h2e2", "b9c7", "h0g2"})));  // other moves
  EXPECT_FALSE(reused(GameHistory(base.current())));                    // the position without its past
  search.start(base, Random(1));
  finish(search, *evaluator);
  search.forget();
  search.start(base, Random(1), 10, true);
  EXPECT_EQ(finish(search, *evaluator).visits, 10u);
}

// U088: any switch of positions between and within searches.
TEST_P(Algorithms, RandomSwitchesOfPosition) {
  const auto evaluator = nn::make_hash_evaluator();
  const auto batch = evaluator->make_batch(3);
  Random random(5);
  Search search(params_of(GetParam(), 60), rules());
  GameHistory history;
  for (int i = 0; i < 1000; ++i) {
    if (random.below(3) == 0) history = random_game(random.next(), int(random.below(80)));
    const auto legal = history.current().legal_moves();
    search.start(history, Random(uint64_t(i)), 0, true);
    for (uint64_t rounds = random.below(20); rounds > 0 && !search.done(); --rounds) {
      batch->clear();
      search.gather(*batch, 3);
      evaluator->evaluate(*batch);
      search.absorb(*batch);
    }
    search.stop();
    const auto result = search.result();
    ASSERT_TRUE(legal.contains(result.best));
    ASSERT_EQ(result.moves.size(), size_t(legal.size()));
    if (i % 10 == 0) search.audit();
    history.push(result.best);
    if (xiangqi::game_end(history, history.current().legal_moves(), rules())) history = GameHistory();
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Algorithms, testing::Values("puct", "gumbel"),
                         [](const auto& instance) { return std::string(instance.param); });

// U019: leela-zero's noise drowned in the visits of earlier searches.
TEST(Reuse, NoiseIsMixedInAgain) {
  const auto evaluator = nn::make_hash_evaluator();
  const auto second_search = [&](double share, uint64_t seed) {
    SearchParams params = params_of("puct", 300);
    params.noise_share = share;
    Search search(params, rules());
    GameHistory history;
    search.start(history, Random(1));
    history.push(finish(search, *evaluator).best);
    search.start(history, Random(seed), 0, true);
    EXPECT_GT(search.result().visits, 50u);
    return visits_of(finish(search, *evaluator));
  };
  EXPECT_EQ(second_search(0, 2), second_search(0, 3));
  EXPECT_NE(second_search(0.25, 2), second_search(0.25, 3));
  EXPECT_EQ(second_search(0.25, 2), second_search(0.25, 2));
}

TEST(Reuse, ExplorationStaysInItsBand) {
  // Share of the visits that do not go to the most visited move, by ply, over games with reuse and without.
  const auto shares = [](bool reuse, double noise) {
    std::vector<double> by_ply(10, 0);
    constexpr int kGames = 20;
    for (uint64_t seed = 0; seed < kGames; ++seed) {
      Tempting evaluator(seed);
      SearchParams params = params_of("puct", 200);
      params.noise_share = noise;
      Search search(params, rules());
      GameHistory history;
      for (size_t ply = 0; ply < by_ply.size(); ++ply) {
        search.start(history, Random(seed, "ply", ply), 0, reuse);
        const auto result = finish(search, evaluator);
        const auto visits = visits_of(result);
        by_ply[ply] += (1 - *std::max_element(visits.begin(), visits.end()) / double(result.visits)) / kGames;
        history.push(result.best);
      }
    }
    return by_ply;
  };
  const auto with = shares(true, 0.25), without = shares(false, 0.25), quiet = shares(true, 0);
  double sum_with = 0, sum_quiet = 0;
  for (size_t ply = 0; ply < with.size(); ++ply) {
    EXPECT_GT(with[ply], 0.6 * without[ply]) << ply;
    EXPECT_LT(with[ply], 1.4 * without[ply]) << ply;
    sum_with += with[ply];
    sum_quiet += quiet[ply];
  }
  EXPECT_GT(sum_with, 1.1 * sum_quiet);
}

// Draws are counted from the root's side; a tree made for the other side is of no use.
TEST(Reuse, DrawValueNeedsTheSameSide) {
  const auto evaluator = nn::make_hash_evaluator();
  SearchParams params = params_of("puct", 3000);
  params.draw_value = -0.2;
  Search search(params, rules());
  GameHistory history;
  search.start(history, Random(1));
  auto result = finish(search, *evaluator);
  GameHistory one = history, two = history;
  one.push(result.pv[0]);
  two.push(result.pv[0]);
  two.push(result.pv[1]);
  search.start(two, Random(1), 1, true);
  EXPECT_GT(finish(search, *evaluator).visits, 1u);
  search.start(history, Random(1));
  finish(search, *evaluator);
  search.start(one, Random(1), 1, true);
  EXPECT_EQ(finish(search, *evaluator).visits, 1u);
}

}  // namespace
}  // namespace chuhe::test
