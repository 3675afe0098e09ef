#include "selfplay/continued.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "nn/api/doubles.h"
#include "shards/shard_writer.h"
#include "small_settings.h"
#include "tests/support/temp_folder.h"

namespace chuhe::selfplay {
namespace {

using testing::HasSubstr;

class Continued : public testing::Test {
 protected:
  Continued() {
    shards::ShardWriter writer(folder_, "main", {to_toml(fields_of(stored_), false), "test"});
    const GameMaker maker(stored_.selfplay, 1, "main");
    play_games({.workers = 1, .slots = 2}, {[] { return nn::make_hash_evaluator(); }}, games_of(maker, 2),
               [&](shards::GameRecord&& record) { writer.add(std::move(record), 0); }, {});
    writer.flush();
  }

  std::string refusal(const SelfplaySettings& settings, uint64_t seed, const std::string& writer = "main") {
    try {
      check_continued(folder_, writer, settings, seed);
    } catch (const Error& e) {
      return e.what();
    }
    return "none";
  }

  StoredConfig stored_{.selfplay = small_settings(), .evaluator = {}};
  const test::TempFolder folder_;
};

TEST_F(Continued, TheSameGamesGoOn) {
  EXPECT_EQ(refusal(stored_.selfplay, 1), "none");
  SelfplaySettings other_farm = stored_.selfplay;
  other_farm.farm.slots = 7;
  EXPECT_EQ(refusal(other_farm, 1), "none") << "it shapes no game";
  EXPECT_EQ(refusal(stored_.selfplay, 2, "other"), "none") << "nothing of that writer is there";
  EXPECT_NO_THROW(check_continued(folder_ / "missing", "main", stored_.selfplay, 2));
}

// It used to say done, without a word about the seed that was asked for.
TEST_F(Continued, AnotherSeedIsRefused) {
  EXPECT_THAT(refusal(stored_.selfplay, 2), HasSubstr("its games were played with seed 1, not 2"));
}

TEST_F(Continued, OtherSettingsAreRefusedByName) {
  SelfplaySettings other = stored_.selfplay;
  other.search.visits = 7;
  EXPECT_THAT(refusal(other, 1), HasSubstr("(search.visits = 6 there, visits = 7 now)"));
  other = stored_.selfplay;
  other.random_opening_plies = 5;
  EXPECT_THAT(refusal(other, 1), HasSubstr("(random_opening_plies = 4 there, random_opening_plies = 5 now)"));
}

}  // namespace
}  // namespace chuhe::selfplay
