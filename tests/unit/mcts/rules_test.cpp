// The rules as a search sees them: repetitions, perpetual check, mates.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "mcts/search/search.h"
#include "nn/api/doubles.h"
#include "nn/api/inline_evaluator.h"
#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"
#include "positions.h"
#include "tempting.h"
#include "tests/support/paths.h"

namespace chuhe::test {
namespace {

using mcts::Search;
using mcts::SearchParams;
using xiangqi::Color;
using xiangqi::EndReason;
using xiangqi::GameHistory;
using xiangqi::Move;

const xiangqi::RuleSet& rules() {
  return xiangqi::rule_set("checks_only");
}

// Red has two rooks against horse and pawns, and a perpetual check that would lose. Its other moves keep an
// edge.
constexpr std::string_view kPerpetual = "4R4/3k5/5R3/9/9/2B6/n8/3pB4/4p4/3K5 w";

struct Ending {
  std::optional<xiangqi::GameEnd> end;
  GameHistory history;
  int most_occurrences = 1;
};

// Both sides search; the game stops at an end or after `plies`.
Ending self_play(const SearchParams& params, GameHistory history, uint64_t seed, int plies) {
  Ending out;
  Tempting evaluator(seed);
  for (int ply = 0; ply < plies && !out.end; ++ply) {
    Search search(params, rules());
    history.push(search.run(evaluator, history, Random(seed, "rules", uint64_t(ply))).best);
    out.most_occurrences = std::max(out.most_occurrences, history.occurrences());
    out.end = xiangqi::game_end(history, history.current().legal_moves(), rules());
  }
  out.history = history;
  return out;
}

std::vector<SearchParams> all_kinds(int visits) {
  std::vector<SearchParams> kinds;
  for (const char* algorithm : {"puct", "gumbel"})
    for (const char* repetition : {"first", "draw", "rule"}) {
      SearchParams params;
      params.algorithm = algorithm;
      params.tree_repetition = repetition;
      params.visits = visits;
      params.gumbel_moves = 64;
      params.noise_share = 0.25;
      kinds.push_back(params);
    }
  return kinds;
}

// U069: an engine that did not see that its own perpetual check loses steered into it. Red has checked all
// the way to the second occurrence; one more round loses.
TEST(PerpetualCheck, IsLeftBeforeTheThirdOccurrence) {
  const GameHistory twice =
      play(from_fen(kPerpetual), {"e9d9", "d8e8", "d9e9", "e8d8", "e9d9", "d8e8", "d9e9"});
  ASSERT_EQ(twice.occurrences(), 2);
  for (const SearchParams& params : all_kinds(200))
    for (uint64_t seed = 0; seed < 25; ++seed) {
      // Black walks back into the check; then Red must not close the third round.
      GameHistory history = play(twice, {"e8d8"});
      const auto ending = self_play(params, history, seed, 9);
      if (ending.end) {
        EXPECT_FALSE(ending.end->reason == EndReason::PerpetualCheck &&
                     ending.end->outcome == xiangqi::Outcome::BlackWins)
            << params.algorithm << " " << params.tree_repetition << " seed " << seed;
      }
    }
}

// The test above can fail: a player that trusts the priors alone does run into it.
TEST(PerpetualCheck, ThePriorsAloneLose) {
  const GameHistory twice =
      play(from_fen(kPerpetual), {"e9d9", "d8e8", "d9e9", "e8d8", "e9d9", "d8e8", "d9e9", "e8d8"});
  int lost = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SearchParams params;
    params.visits = 0;
    Tempting evaluator(seed);
    Search search(params, rules());
    GameHistory history = twice;
    history.push(search.run(evaluator, history, Random(seed)).best);
    const auto end = xiangqi::game_end(history, history.current().legal_moves(), rules());
    lost += end && end->reason == EndReason::PerpetualCheck;
  }
  EXPECT_GT(lost, 0);
}

// U014: the winning side walked into a repetition that the cached value knew nothing of. Red is two rooks up;
// shuffling draws at the third occurrence.
TEST(Repetition, IsAvoidedByTheWinningSide) {
  const GameHistory start = play(from_fen("3ak4/4a4/9/9/9/9/9/R3B4/4A4/R3KA3 w"),
                                 {"a0b0", "e9f9", "b0a0", "f9e9", "a0b0", "e9f9", "b0a0"});
  ASSERT_EQ(start.occurrences(), 2);
  for (const SearchParams& params : all_kinds(150))
    for (uint64_t seed = 0; seed < 25; ++seed) {
      const auto ending = self_play(params, play(start, {"f9e9"}), seed, 20);
      EXPECT_FALSE(ending.end && ending.end->outcome == xiangqi::Outcome::Draw)
          << params.algorithm << " " << params.tree_repetition << " seed " << seed;
    }
}

TEST(Repetition, IsSoughtByTheLosingSide) {
  // Black to move is two rooks down and can complete the third occurrence: worth far more than anything else.
  const GameHistory history = play(from_fen("3ak4/4a4/9/9/9/9/9/R3B4/4A4/R3KA3 w"),
                                   {"a0b0", "e9f9", "b0a0", "f9e9", "a0b0", "e9f9", "b0a0"});
  for (const SearchParams& params : all_kinds(300)) {
    const auto evaluator = nn::make_material_evaluator();
    Search search(params, rules());
    const auto result = search.run(*evaluator, history, Random(1));
    EXPECT_EQ(to_uci(result.best), "f9e9") << params.algorithm << " " << params.tree_repetition;
    for (const auto& m : result.moves)
      if (m.move == result.best) {
        EXPECT_EQ(m.value, 0);
      }
  }
}

// With "first" and "draw" a position that comes back below the root is decided there; with "rule" the tree
// goes on.
TEST(Repetition, PolicyDecidesWithinTheTree) {
  const auto evaluator = nn::make_material_evaluator();
  const auto judged = [&](const char* policy, const GameHistory& history) {
    SearchParams params;
    params.tree_repetition = policy;
    params.visits = 3000;
    Search search(params, rules());
    search.run(*evaluator, history, Random(1));
    return search.counters().judged_repetitions;
  };
  const GameHistory pawns = from_fen(kSmallEndings[2]);
  EXPECT_GT(judged("first", pawns), 2 * judged("rule", pawns));
  EXPECT_GT(judged("draw", pawns), 2 * judged("rule", pawns));
  EXPECT_GT(judged("first", pawns), 0u);
}

// All values 0; nearly all of the prior on the moves of Red's perpetual check and the replies to it.
class RoundAndRound : public nn::InlineEvaluator {
 public:
  nn::EvaluatorInfo info() const override { return {.net_id = "round", .device = "cpu"}; }

 protected:
  void evaluate_now(nn::EvalBatch& batch) override {
    for (int i = 0; i < batch.size(); ++i) {
      batch.mutable_wdl()[i] = {0.5f, 0, 0.5f};
      batch.mutable_moves_left()[i] = 60;
      float* priors = batch.mutable_priors() + batch.offsets()[i];
      const auto moves = batch.indices(i);
      for (const uint16_t index : moves)
        *priors++ = line_.contains(index) ? 0.99f : 0.01f / float(moves.size());
    }
  }

 private:
  static uint16_t index_of(std::string_view move, Color mover) {
    return uint16_t(nn::policy_index(nn::oriented(xiangqi::parse_uci(move), mover)));
  }
  const std::set<uint16_t> line_ = {index_of("e9d9", Color::Red), index_of("d9e9", Color::Red),
                                    index_of("d8e8", Color::Black), index_of("e8d8", Color::Black)};
};

// Four simulations run down the perpetual check to the root's second occurrence; a lost one among five visits
// is worth -0.2.
TEST(Repetition, PoliciesDifferWhereAPerpetualCheckCloses) {
  const std::map<std::string, std::pair<float, uint64_t>> expected = {
      {"first", {-0.2f, 1}}, {"draw", {0.0f, 1}}, {"rule", {0.0f, 0}}};
  for (const auto& [policy, outcome] : expected) {
    SearchParams params;
    params.tree_repetition = policy;
    params.visits = 4;
    Search search(params, rules());
    RoundAndRound evaluator;
    const auto result = search.run(evaluator, from_fen(kPerpetual), Random(1));
    ASSERT_EQ(result.pv.size(), 4u) << policy;
    EXPECT_EQ(result.value, outcome.first) << policy;
    EXPECT_EQ(search.counters().judged_repetitions, outcome.second) << policy;
    EXPECT_EQ(search.counters().rows, policy == "rule" ? 5u : 4u) << policy;
  }
}

// What a memory holds from other searches changes nothing but the work.
TEST(JudgeMemory, ChangesNoSearch) {
  const auto evaluator = nn::make_hash_evaluator();
  for (const auto name : {"cxa2007", "cxa1999", "axf"}) {
    const auto& set = xiangqi::rule_set(name);
    xiangqi::JudgeMemory shared;
    for (const SearchParams& params : all_kinds(800))
      for (const auto& fen : kSmallEndings) {
        const GameHistory history = from_fen(fen);
        Search with(params, set, &shared), without(params, set);
        const auto a = with.run(*evaluator, history, Random(3)),
                   b = without.run(*evaluator, history, Random(3));
        EXPECT_EQ(a.best, b.best);
        EXPECT_EQ(a.value, b.value);
        ASSERT_EQ(a.moves.size(), b.moves.size());
        for (size_t i = 0; i < a.moves.size(); ++i) {
          EXPECT_EQ(a.moves[i].visits, b.moves[i].visits);
          EXPECT_EQ(a.moves[i].value, b.moves[i].value);
        }
        EXPECT_EQ(with.counters().judged_repetitions, without.counters().judged_repetitions);
      }
    EXPECT_GT(shared.counts().verdicts, 0) << name;
    EXPECT_GT(shared.counts().cycles_known, 0) << name;
  }
}

TEST(DrawValue, MovesTheChoiceBetweenDrawAndPlay) {
  // As above, but for the side that is ahead or behind by a little the sign of draw_value decides.
  const GameHistory history = play(from_fen("3ak4/4a4/9/9/9/9/9/4B4/4A4/R3KA2r w"),
                                   {"a0b0", "i0h0", "b0a0", "h0i0", "a0b0", "i0h0", "b0a0"});
  const auto evaluator = nn::make_uniform_evaluator();
  const auto value_of_repeating = [&](double draw_value) {
    SearchParams params;
    params.visits = 400;
    params.draw_value = draw_value;
    Search search(params, rules());
    const auto result = search.run(*evaluator, history, Random(1));
    for (const auto& m : result.moves)
      if (to_uci(m.move) == "h0i0") return std::pair(m.visits, double(m.value));
    return std::pair(0u, 0.0);
  };
  EXPECT_NEAR(value_of_repeating(0.5).second, 0.5, 1e-6);
  EXPECT_NEAR(value_of_repeating(-0.5).second, -0.5, 1e-6);
  EXPECT_GT(value_of_repeating(0.5).first, value_of_repeating(-0.5).first);
}

// Does the mover mate in at most n moves, whatever is played? Any moves, not only checks.
bool mates_in(const xiangqi::Position& position, int n);

bool refuted_in(const xiangqi::Position& position, int n) {
  const auto replies = position.legal_moves();
  if (replies.empty()) return true;
  if (n == 0) return false;
  return std::all_of(replies.begin(), replies.end(), [&](Move m) {
    auto next = position;
    next.play(m);
    return mates_in(next, n);
  });
}

bool mates_in(const xiangqi::Position& position, int n) {
  const auto moves = position.legal_moves();
  return std::any_of(moves.begin(), moves.end(), [&](Move m) {
    auto next = position;
    next.play(m);
    // All but the last two moves must check, to keep this fast; it may then miss a mate, never invent one.
    return (n <= 2 || next.in_check()) && refuted_in(next, n - 1);
  });
}

// With uniform priors and Material the way to a mate leads through sacrifices that look bad, so the search is
// made to look everywhere (cpuct_init 5, unvisited moves are worth what their parent is).
TEST(Mates, UpToThreeMovesAreFoundIn200000Visits) {
  std::ifstream file(golden_dir() / "mates.tsv");
  const auto evaluator = nn::make_material_evaluator();
  SearchParams params;
  params.visits = 200'000;
  params.cpuct_init = 5;
  params.fpu_reduction = params.root_fpu_reduction = 0;
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("id\t")) continue;
    std::istringstream fields(line);
    std::string id, fen, first;
    int mate_in = 0;
    std::getline(fields, id, '\t');
    std::getline(fields, fen, '\t');
    fields >> mate_in >> first;
    ++cases;
    const GameHistory history = from_fen(fen);
    Search search(params, rules());
    const auto result = search.run(*evaluator, history, Random(1));
    EXPECT_EQ(result.value, 1) << id << ": " << to_uci(result.best);
    GameHistory after = history;
    after.push(result.best);
    if (to_uci(result.best) != first) {
      EXPECT_TRUE(refuted_in(after.current(), mate_in - 1)) << id << ": " << to_uci(result.best);
    }
  }
  EXPECT_EQ(cases, 10);
}

// Gumbel with all moves considered finds mates in one at few visits.
TEST(Mates, InOneByBothAlgorithms) {
  const GameHistory history = play(from_fen("3aka3/9/9/5N2C/9/9/4c2n1/4B4/4A4/3AK4 w"), {"f6g8", "e9e8"});
  const auto evaluator = nn::make_material_evaluator();
  for (SearchParams params : all_kinds(100)) {
    params.noise_share = 0;
    Search search(params, rules());
    const auto result = search.run(*evaluator, history, Random(1));
    EXPECT_EQ(to_uci(result.best), "i6i8");
    EXPECT_EQ(result.value, 1);
  }
}

// A side that is mated whatever it plays knows it.
TEST(Mates, LossIsProven) {
  const GameHistory history = play(from_fen("3aka3/9/9/5N2C/9/9/4c2n1/4B4/4A4/3AK4 w"), {"f6g8"});
  const auto evaluator = nn::make_material_evaluator();
  SearchParams params;
  params.visits = 2000;
  Search search(params, rules());
  EXPECT_EQ(search.run(*evaluator, history, Random(1)).value, -1);
}

}  // namespace
}  // namespace chuhe::test
