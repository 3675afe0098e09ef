#include "run/stored_settings.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/temp_folder.h"

namespace chuhe::run {
namespace {

class StoredSettings : public testing::Test {
 protected:
  void adopt(const RunSettings& settings) {
    RunSettings copy = settings;
    Log log(folder_.log());
    adopt_settings(folder_, copy, log);
  }
  std::string error_of(const RunSettings& settings) {
    try {
      adopt(settings);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }
  const test::TempFolder temp_;
  RunFolder folder_{temp_};
};

TEST_F(StoredSettings, AreTheEffectiveOnesAndReadBackEqual) {
  RunSettings settings = quickstart_settings();
  adopt(settings);
  RunSettings read;
  apply_toml_file(fields_of(read), folder_.config().string());
  EXPECT_EQ(to_toml(fields_of(read), false), to_toml(fields_of(settings), false));
}

TEST_F(StoredSettings, ARunKeepsItsIdentity) {
  const RunSettings begun = quickstart_settings();
  adopt(begun);
  RunSettings changed = begun;
  changed.seed = 2;
  EXPECT_NE(error_of(changed).find("seed = 1, not 2"), std::string::npos) << error_of(changed);
  changed = begun;
  changed.net.preset = "tiny";
  EXPECT_NE(error_of(changed).find("net.preset"), std::string::npos);
  changed = begun;
  changed.games_per_generation += 1;
  EXPECT_NE(error_of(changed).find("games_per_generation"), std::string::npos);
  EXPECT_EQ(error_of(begun), "") << "a refused change left something behind";
}

// U045: an override of a resumed run holds, and the log tells of it.
TEST_F(StoredSettings, OtherChangesHoldAndAreLogged) {
  RunSettings settings = quickstart_settings();
  adopt(settings);
  settings.train.batch = 64;
  settings.generations = 50;
  adopt(settings);
  const std::string log = read_file(folder_.log());
  EXPECT_NE(log.find("train.batch = 64 (was 256)"), std::string::npos) << log;
  EXPECT_NE(read_file(folder_.config()).find("generations = 50"), std::string::npos);
}

TEST_F(StoredSettings, ADamagedConfigNamesItsLine) {
  write_file_atomically(folder_.config(), "seed = 1\ngenerations = \n");
  EXPECT_NE(error_of(quickstart_settings()).find("config.toml:2"), std::string::npos)
      << error_of(quickstart_settings());
}

TEST(RunSettingsCheck, NamesTheKey) {
  RunSettings settings = quickstart_settings();
  settings.name = "a/b";
  EXPECT_THROW(settings.check(), Error);
  settings = quickstart_settings();
  settings.rating.opponents = "random,stockfish";
  try {
    settings.check();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'stockfish'"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace chuhe::run
