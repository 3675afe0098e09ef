#include "trainer/window.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "shards/shard_writer.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/trainer/synthetic_games.h"

namespace chuhe::trainer {
namespace {

namespace fs = std::filesystem;
using testing::synthetic_game;

std::vector<shards::GameRecord> games(int n) {
  std::vector<shards::GameRecord> list;
  for (int i = 0; i < n; ++i) list.push_back(synthetic_game(1, uint64_t(i), 30));
  return list;
}

void write_shards(const fs::path& folder, const std::vector<shards::GameRecord>& list, size_t games_a_shard) {
  shards::ShardWriter writer(folder, "test", {}, {games_a_shard, 1e9});
  for (const auto& g : list) writer.add(g, 0);
  writer.flush();
}

TEST(Window, HoldsWhatCanBeLearnt) {
  const auto record = synthetic_game(1, 3);
  const WindowGame game = compact(record, 0, true), full = compact(record, 0, false);
  ASSERT_EQ(game.rows.size(), record.plies.size());  // all plies were searched
  const auto full_plies = std::count_if(record.plies.begin(), record.plies.end(),
                                        [](const auto& p) { return p.search == shards::SearchKind::Full; });
  EXPECT_EQ(int64_t(full.rows.size()), full_plies);
  for (const WindowRow& r : game.rows) {
    const auto& ply = record.plies[r.ply];
    EXPECT_EQ(r.policy_count, ply.policy.size());
    EXPECT_NEAR(r.root_value / 32767.0, ply.root_value, 1e-4);
    const bool red = r.ply % 2 == 0;
    const int red_result = record.outcome == xiangqi::Outcome::Draw      ? 0
                           : record.outcome == xiangqi::Outcome::RedWins ? 1
                                                                         : -1;
    EXPECT_EQ(r.outcome, red ? red_result : -red_result);
  }
}

TEST(Window, MovesLeftAreKnownOnlyOfGamesThatCameToTheirEnd) {
  auto record = synthetic_game(1, 3);
  record.reason = xiangqi::EndReason::Checkmate;
  const WindowGame ended = compact(record, 0, true);
  EXPECT_EQ(ended.rows.front().moves_left, float(record.plies.size()));
  EXPECT_EQ(ended.rows.back().moves_left, 1);
  for (const auto reason : {xiangqi::EndReason::PlyCapMaterial, xiangqi::EndReason::Resignation}) {
    record.reason = reason;
    EXPECT_LT(compact(record, 0, true).rows.front().moves_left, 0);
  }
}

TEST(Window, AnIllegalMoveIsAnError) {
  auto record = synthetic_game(1, 3);
  record.plies[4].move = xiangqi::Move(0, 89);
  EXPECT_THROW(compact(record, 0, true), Error);
}

TEST(Window, ContentDoesNotDependOnTheSplitIntoShards) {
  const auto list = games(40);
  std::vector<uint64_t> digests;
  for (const size_t size : {3u, 16u, 100u}) {
    const test::TempFolder folder;
    write_shards(folder, list, size);
    Window window(0.1, true);
    EXPECT_EQ(window.load(folder), 40);
    EXPECT_EQ(window.load(folder), 0);  // each shard once
    const Selection s = window.select({5, 35, 20, 1000000});
    EXPECT_EQ(s.games.size(), 20u);
    EXPECT_EQ(s.oldest_game, 15u);
    digests.push_back(s.digest());
  }
  Window reversed(0.1, true);
  for (auto it = list.rbegin(); it != list.rend(); ++it) reversed.add(*it);
  digests.push_back(reversed.select({5, 35, 20, 1000000}).digest());
  EXPECT_EQ(std::set(digests.begin(), digests.end()).size(), 1u);
}

TEST(Window, TakesTheNewestRowsAndDropsTheOld) {
  Window window(0, true);
  for (const auto& g : games(20)) window.add(g);
  Selection s = window.select({0, UINT64_MAX, INT64_MAX, 100});
  EXPECT_LE(s.train.size(), 100u);
  EXPECT_GT(s.train.size(), 60u);
  EXPECT_EQ(s.games.back()->id, 19u);
  const RowsGenerated generated = s.generated({});
  EXPECT_GT(generated.rows, int64_t(s.train.size()));  // those that no longer fit as well
  window.drop_before(15);
  EXPECT_EQ(window.games(), 5);
  window.add(synthetic_game(1, 3, 30));
  EXPECT_EQ(window.games(), 5);  // dropped for good
  window.add(synthetic_game(1, 20, 30));
  s = window.select({});
  const int64_t new_rows = s.on_offer.front().rows;
  EXPECT_EQ(s.generated(generated), (RowsGenerated{generated.rows + new_rows, {{"test", 21}}}));
}

TEST(Window, AGameIsNeverOnBothSidesOfTheSplit) {
  Window window(0.25, true);
  for (const auto& g : games(200)) window.add(g);
  const Selection s = window.select({});
  std::set<uint64_t> train, held_out;
  for (const auto r : s.train) train.insert(s.game(r).id);
  for (const auto r : s.validation) held_out.insert(s.game(r).id);
  EXPECT_EQ(train.size() + held_out.size(), 200u);
  for (const uint64_t id : held_out) {
    EXPECT_FALSE(train.contains(id));
    EXPECT_TRUE(is_validation_game("test", id, 0.25));
    EXPECT_TRUE(is_validation_game("test", id, 0.3));  // a larger share keeps those that were held out
  }
  EXPECT_GT(held_out.size(), 30u);
  EXPECT_LT(held_out.size(), 70u);
}

TEST(Window, MissingFolderIsAnError) {
  Window window(0, true);
  EXPECT_THROW(window.load("/nonexistent/shards"), Error);
}

}  // namespace
}  // namespace chuhe::trainer
