#include "trainer/batch.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/encoding/policy_index.h"
#include "tests/unit/trainer/synthetic_games.h"

namespace chuhe::trainer {
namespace {

using testing::synthetic_game;

/// What a batch's row asks of a net, free of order.
struct Asked {
  nn::PackedRow packed;
  std::map<int64_t, float> policy;  // of all legal moves
  std::array<float, 3> wdl;
  float moves_left, policy_weight, moves_weight;
  bool operator==(const Asked&) const = default;
};

Asked asked(const TrainBatch& b, int i) {
  Asked a;
  const auto n = size_t(i);
  a.packed = b.packed[n];
  for (size_t k = n * TrainBatch::kWidth; k < (n + 1) * TrainBatch::kWidth; ++k)
    if (b.legal[k] > 0) a.policy[b.moves[k]] = b.policy[k];
  for (size_t k = 0; k < 3; ++k) a.wdl[k] = b.wdl[3 * n + k];
  a.moves_left = b.moves_left[n];
  a.policy_weight = b.policy_weight[n];
  a.moves_weight = b.moves_weight[n];
  return a;
}

Asked asked(const WindowGame& game, size_t row, Augment augment = {}, double share = 0) {
  TrainBatch batch;
  batch.resize(1, true);
  fill_row(game, game.rows[row], augment, share, batch, 0);
  return asked(batch, 0);
}

TEST(Batch, AsksForTheSearchsPolicyOverTheLegalMoves) {
  const auto record = synthetic_game(2, 1, 60);
  const WindowGame game = compact(record, 0, true);
  xiangqi::Position position;
  for (size_t r = 0; r < game.rows.size(); ++r) {
    const auto& ply = record.plies[r];
    const Asked a = asked(game, r);
    const auto legal = position.legal_moves();
    ASSERT_EQ(int(a.policy.size()), legal.size());
    float sum = 0;
    for (const auto move : legal) {
      const int index = nn::policy_index(nn::oriented(move, position.side_to_move()));
      ASSERT_TRUE(a.policy.contains(index));
      sum += a.policy.at(index);
    }
    EXPECT_EQ(a.policy_weight, ply.search == shards::SearchKind::Full ? 1 : 0);
    EXPECT_NEAR(sum, a.policy_weight, 1e-5);
    for (const auto& e : ply.policy)
      EXPECT_NEAR(a.policy.at(nn::policy_index(nn::oriented(e.move, position.side_to_move()))),
                  e.weight / 65535.0, 1e-3);
    position.play(ply.move);
  }
}

TEST(Batch, MirroredRowsAreRowsOfTheMirroredGame) {
  const auto record = synthetic_game(2, 2, 60);
  const WindowGame game = compact(record, 0, true);
  const WindowGame mirror = compact(testing::mirrored_game(record), 0, true);
  bool different = false;
  for (size_t r = 0; r < game.rows.size(); ++r) {
    const Asked a = asked(game, r, {.mirror = true}), b = asked(mirror, r);
    EXPECT_TRUE(a == b) << "row " << r;
    different |= !(a == asked(game, r));
  }
  EXPECT_TRUE(different);
}

TEST(Batch, AColorSwappedGameAsksTheSame) {
  const auto record = synthetic_game(2, 3, 60);
  const WindowGame game = compact(record, 0, true);
  const WindowGame swapped = compact(testing::color_swapped_game(record), 0, true);
  for (size_t r = 0; r < game.rows.size(); ++r)
    EXPECT_TRUE(asked(game, r) == asked(swapped, r)) << "row " << r;
}

TEST(Batch, DroppedHistoryIsWhatABareFenShows) {
  const auto record = synthetic_game(2, 4, 60);
  const WindowGame game = compact(record, 0, true);
  const auto& rules = xiangqi::rule_set(record.rule_set);
  xiangqi::GameHistory history(xiangqi::Position(), rules.natural_limit_checks);
  for (size_t r = 0; r < game.rows.size(); ++r) {
    EXPECT_EQ(asked(game, r).packed, nn::pack(history, rules, true));
    EXPECT_EQ(asked(game, r, {.drop_history = true}).packed, nn::pack(history, rules, false));
    history.push(record.plies[r].move);
  }
}

TEST(Batch, ValueTargetMixesResultAndSearch) {
  auto record = synthetic_game(2, 5, 20);
  record.outcome = xiangqi::Outcome::RedWins;
  record.plies[0].root_value = -0.5f;
  const WindowGame game = compact(record, 0, true);
  EXPECT_EQ(asked(game, 0, {}, 0).wdl, (std::array<float, 3>{1, 0, 0}));
  EXPECT_EQ(asked(game, 1, {}, 0).wdl, (std::array<float, 3>{0, 0, 1}));
  const auto mixed = asked(game, 0, {}, 0.2).wdl;  // 0.8 win + 0.2 (half loss, half draw)
  EXPECT_NEAR(mixed[0], 0.8, 1e-4);
  EXPECT_NEAR(mixed[1], 0.1, 1e-4);
  EXPECT_NEAR(mixed[2], 0.1, 1e-4);
}

TEST(Batch, PlanesAreThoseOfThePackedRow) {
  const WindowGame game = compact(synthetic_game(2, 6, 40), 0, true);
  TrainBatch batch;
  batch.resize(2, true);
  fill_row(game, game.rows[20], {.mirror = true}, 0, batch, 1);
  std::vector<float> expected(90 * nn::kPlanes);
  nn::expand_planes(batch.packed[1], expected.data());
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), batch.planes.begin() + 90 * nn::kPlanes));
}

TEST(Batch, AnIllegalPolicyMoveIsAnError) {
  WindowGame game = compact(synthetic_game(2, 7, 40), 0, true);
  for (WindowRow& r : game.rows)
    if (r.policy_count) {
      game.policy[r.policy_begin].index = nn::kPolicySize - 1;
      TrainBatch batch;
      batch.resize(1, false);
      EXPECT_THROW(fill_row(game, r, {}, 0, batch, 0), Error);
      return;
    }
}

}  // namespace
}  // namespace chuhe::trainer
