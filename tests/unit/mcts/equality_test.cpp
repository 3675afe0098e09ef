// The search against the slow one: equal visit counts at every root move, one leaf at a time.

#include <gtest/gtest.h>

#include <string>

#include "mcts/search/search.h"
#include "nn/api/doubles.h"
#include "positions.h"
#include "slow_search.h"

namespace chuhe::test {
namespace {

using mcts::Search;
using mcts::SearchParams;
using xiangqi::GameHistory;

const xiangqi::RuleSet& rules() {
  return xiangqi::rule_set("checks_only");
}

void expect_equal(const SearchParams& params, std::string_view evaluator_name, const GameHistory& history,
                  uint64_t seed) {
  SCOPED_TRACE(params.algorithm + " " + std::string(evaluator_name) + " " + history.current().to_fen() +
               " after " + std::to_string(history.plies()) + " plies, seed " + std::to_string(seed));
  const auto evaluator = nn::make_double(evaluator_name);
  const Random random(seed, "equality", 0);
  Search search(params, rules());
  const auto result = search.run(*evaluator, history, random);
  search.audit();
  SlowSearch slow(params, *evaluator, history, random);
  slow.run(params.visits);
  EXPECT_EQ(result.visits, uint32_t(params.visits));
  size_t unvisited = 0;
  double target = 0;
  for (const auto& m : result.moves) {
    ASSERT_EQ(int(m.visits), slow.visits(m.move)) << to_uci(m.move);
    EXPECT_NEAR(double(m.value), slow.value(m.move), 1e-6) << to_uci(m.move);
    EXPECT_NEAR(m.target, slow.target(m.move), 1e-7) << to_uci(m.move);
    unvisited += m.visits == 0;
    target += m.target;
  }
  EXPECT_NEAR(target, 1, 1e-9);
  EXPECT_NEAR(double(result.value), slow.root_value(), 1e-6);
  EXPECT_EQ(to_uci(result.best), to_uci(slow.best()));
  EXPECT_EQ(result.best, result.pv.front());
  // Equal numbers of nodes: the trees below agree too, not only the counts at the root.
  EXPECT_EQ(search.counters().nodes - unvisited, slow.visited_nodes());
}

std::vector<GameHistory> positions() {
  std::vector<GameHistory> list;
  for (const auto fen : kSmallEndings) list.push_back(from_fen(fen));
  for (const int plies : {0, 7, 60, 121}) list.push_back(random_game(uint64_t(plies), plies));
  // Two occurrences before the root: the third is decided by the rules, whatever the policy.
  list.push_back(play(GameHistory(), {"b0c2", "b9c7", "c2b0", "c7b9", "b0c2", "b9c7", "c2b0"}));
  // Mates within reach, won and lost: proofs.
  list.push_back(from_fen("3aka3/9/9/5N2C/9/9/4c2n1/4B4/4A4/3AK4 w"));
  list.push_back(from_fen("4k4/9/9/9/9/9/8r/7r1/9/3K5 w"));
  list.push_back(from_fen("3k5/9/9/9/9/9/9/8r/r8/4K4 b"));
  list.push_back(play(from_fen(kSmallEndings[1]), {"e9d9", "d8e8", "d9e9", "e8d8", "e9d9", "d8e8"}));
  return list;
}

class Equality : public testing::TestWithParam<const char*> {};

TEST_P(Equality, DefaultParameters) {
  SearchParams params;
  params.algorithm = GetParam();
  params.visits = 300;
  uint64_t seed = 0;
  for (const GameHistory& history : positions())
    for (const char* evaluator : {"hash", "uniform", "material"})
      expect_equal(params, evaluator, history, ++seed);
}

TEST_P(Equality, OtherParameters) {
  std::vector<SearchParams> variants(7);
  variants[0].noise_share = 0.5;
  variants[1].tree_repetition = "rule";
  variants[2].draw_value = -0.4;
  variants[3].fpu_reduction = 0;
  variants[3].root_fpu_reduction = -0.5;
  variants[3].gumbel_scale = 0;
  variants[4].cpuct_base = 50;
  variants[4].cpuct_init = 0.5;
  variants[4].c_scale = 1;
  variants[4].gumbel_moves = 5;
  variants[5].c_visit = 1;
  variants[5].gumbel_moves = 1;
  variants[6].tree_repetition = "draw";
  uint64_t seed = 100;
  for (SearchParams& params : variants) {
    params.algorithm = GetParam();
    params.visits = 120;
    for (const GameHistory& history : positions()) expect_equal(params, "hash", history, ++seed);
  }
}

// Numbers of visits around the schedule's edges.
TEST_P(Equality, SmallNumbersOfVisits) {
  SearchParams params;
  params.algorithm = GetParam();
  for (const int visits : {1, 2, 3, 8, 15, 16, 17, 31, 47}) {
    params.visits = visits;
    expect_equal(params, "hash", GameHistory(), uint64_t(visits));
    expect_equal(params, "hash", from_fen(kSmallEndings[0]), uint64_t(visits));
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Equality, testing::Values("puct", "gumbel"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace chuhe::test
