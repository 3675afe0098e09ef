#include "selfplay/continued.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "nn/api/doubles.h"
#include "shards/shard_writer.h"
#include "small_settings.h"
#include "tests/support/temp_folder.h"

namespace chuhe::selfplay {
namespace {

using testing::HasSubstr;

class Continued : public testing::Test {
 protected:
  Continued() { write(to_toml(fields_of(stored_), false)); }
  // Two games by the settings in stored_, which their shard tells in the words of `params`.
  void write(const std::string& params, std::optional<uint64_t> hash = {}, uint64_t openings = 0) {
    std::filesystem::remove_all(folder_.path());
    shards::ShardWriter writer(folder_, "main", {params, "test", openings});
    const GameMaker maker(stored_.selfplay, 1, "main");
    play_games({.workers = 1, .slots = 2}, {[] { return nn::make_hash_evaluator(); }}, games_of(maker, 2),
               [&](shards::GameRecord&& record) {
                 record.params_hash = hash.value_or(record.params_hash);
                 writer.add(std::move(record), 0);
               },
               {});
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
  const test::TempFolder folder_, lists_;
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
  EXPECT_THAT(refusal(other, 1), HasSubstr("(search.visits is 7, they were played with 6)"));
  other.random_opening_plies = 5;
  EXPECT_THAT(refusal(other, 1),
              HasSubstr("(random_opening_plies is 5, they were played with 4; search.visits "
                        "is 7, they were played with 6)"));
}

constexpr uint64_t kHashOfAnOlderProgram = 12345;

// The cause: the texts of all settings were compared by their hash, so that one more key in them stranded
// every older folder, with a guess about the openings file.
TEST_F(Continued, ASettingThatTheShardDoesNotKnowCountsAsItsDefault) {
  std::string older = to_toml(fields_of(stored_), false);
  const size_t key = older.find("max_value_loss");
  ASSERT_NE(key, std::string::npos);
  older.erase(key, older.find('\n', key) + 1 - key);
  write(older, kHashOfAnOlderProgram);
  EXPECT_EQ(refusal(stored_.selfplay, 1), "none");
  SelfplaySettings other = stored_.selfplay;
  other.choice.max_value_loss = 0.25;
  EXPECT_THAT(refusal(other, 1), HasSubstr("(choice.max_value_loss is 0.25, they were played with 1.0, the "
                                           "default: it is not stored)"));
}

TEST_F(Continued, ASettingThatIsNotKnownHereIsNamed) {
  write(to_toml(fields_of(stored_), false) + "\n[selfplay.future]\nkey = 1\n", kHashOfAnOlderProgram);
  EXPECT_THAT(refusal(stored_.selfplay, 1), HasSubstr("unknown key 'selfplay.future'"));
  write("", kHashOfAnOlderProgram);
  EXPECT_THAT(refusal(stored_.selfplay, 1), HasSubstr("the shard does not say by which settings"));
}

// What an older program stored: the hash of the text of all settings, and no digest of the openings.
uint64_t hash_of_all_settings(SelfplaySettings settings, uint64_t openings) {
  Fields f;
  settings.describe_games(f);
  return hash_text(to_toml(f, false), openings);
}

TEST_F(Continued, OpeningsAreComparedByWhatIsInThem) {
  const std::filesystem::path list = lists_ / "a.epd", moved = lists_ / "b.epd";
  write_file_atomically(list, "startpos moves h2e2\n");
  stored_.selfplay.openings = list.string();
  const std::string params = to_toml(fields_of(stored_), false);
  const uint64_t digest = GameMaker(stored_.selfplay, 1, "main").openings_digest();
  SelfplaySettings other_place = stored_.selfplay;
  other_place.openings = moved.string();
  const std::string changed = "openings file '" + list.string() + "' is not what it was";

  write(params, {}, digest);
  write_file_atomically(moved, read_file(list));
  EXPECT_EQ(refusal(stored_.selfplay, 1), "none");
  EXPECT_EQ(refusal(other_place, 1), "none");
  write_file_atomically(list, "startpos moves b2e2\n");
  EXPECT_THAT(refusal(stored_.selfplay, 1), HasSubstr(changed + ")"));

  write(params, hash_of_all_settings(stored_.selfplay, digest));
  EXPECT_THAT(refusal(stored_.selfplay, 1), HasSubstr(changed + ", or the hash in the shard is wrong"));
  write_file_atomically(list, read_file(moved));
  EXPECT_EQ(refusal(stored_.selfplay, 1), "none");
}

}  // namespace
}  // namespace chuhe::selfplay
