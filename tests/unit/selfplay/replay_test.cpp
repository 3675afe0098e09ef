#include "selfplay/replay.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "nn/api/doubles.h"
#include "small_settings.h"

namespace chuhe::selfplay {
namespace {

const auto kDoubles = [](const std::string& name) { return nn::make_double(name); };

std::vector<shards::GameRecord> farm_games(const GameMaker& maker, int n) {
  std::vector<shards::GameRecord> games;
  FarmSettings farm;
  farm.workers = 2;
  farm.slots = 6;
  play_games(farm, {[] { return nn::make_hash_evaluator(); }}, games_of(maker, uint64_t(n)),
             [&](shards::GameRecord&& record) { games.push_back(std::move(record)); }, {});
  return games;
}

TEST(Replay, GamesOfTheFarmComeOutTheSame) {
  SelfplaySettings settings = small_settings();
  settings.openings = "default";
  settings.adjudication.resign_threshold = 0.3;
  const GameMaker maker(settings, 9, "main");
  for (const auto& record : farm_games(maker, 20)) {
    const auto again = play_again(record, maker.make(record.id), kDoubles, 3);
    EXPECT_EQ(again, record);
    EXPECT_FALSE(first_difference(record, again).has_value());
  }
}

TEST(Replay, OtherSettingsOrNetsShow) {
  const GameMaker maker(small_settings(), 9, "main");
  auto record = farm_games(maker, 1).at(0);
  SelfplaySettings other = small_settings();
  other.search.visits = 7;
  EXPECT_NE(GameMaker(other, 9, "main").params_hash(), maker.params_hash());
  EXPECT_TRUE(first_difference(record, play_again(record, GameMaker(other, 9, "main").make(0), kDoubles, 3))
                  .has_value());
  record.nets[0].net_id = "material";
  EXPECT_TRUE(first_difference(record, play_again(record, maker.make(0), kDoubles, 3)).has_value());
  record.nets.clear();
  EXPECT_THROW(play_again(record, maker.make(0), kDoubles, 3), Error);
}

TEST(Replay, NetsChangeAtTheirPlies) {
  const GameMaker maker(small_settings(), 9, "main");
  auto record = farm_games(maker, 1).at(0);
  const uint32_t at = record.nets[0].ply + 6;
  record.nets.push_back({at, "material"});
  const auto mixed = play_again(record, maker.make(0), kDoubles, 3);
  EXPECT_EQ(mixed.nets, record.nets);
  for (uint32_t i = 0; i < at; ++i) EXPECT_EQ(mixed.plies[i], record.plies[i]);
  EXPECT_EQ(play_again(mixed, maker.make(0), kDoubles, 3), mixed);
}

TEST(GameMaker, HashCoversWhatShapesGamesOnly) {
  const auto hash_of = [](const SelfplaySettings& s) { return GameMaker(s, 1, "main").params_hash(); };
  SelfplaySettings a = small_settings(), b = a;
  b.farm.workers = 7;
  b.farm.slots = 128;
  EXPECT_EQ(hash_of(a), hash_of(b));
  b.choice.temperature = 0.7;
  EXPECT_NE(hash_of(a), hash_of(b));
  b = a;
  b.openings = "default";
  EXPECT_NE(hash_of(a), hash_of(b));
  b.openings = "/nonexistent.epd";
  EXPECT_THROW(hash_of(b), Error);
  b = a;
  b.rule_set = "nonsense";
  EXPECT_THROW(hash_of(b), Error);
}

}  // namespace
}  // namespace chuhe::selfplay
