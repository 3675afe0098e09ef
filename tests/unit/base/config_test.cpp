#include "base/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"

namespace chuhe {
namespace {

using testing::HasSubstr;

struct Inner {
  double learning_rate = 0.002;
  int batch = 256;
  void describe(Fields& f) {
    f("learning_rate", learning_rate, "peak learning rate", {1e-6, 10});
    f("batch", batch, "rows per step", {1, 65536});
  }
};

struct Settings {
  bool verbose = false;
  Inner train;
  int64_t games = 100;
  uint64_t seed = 1;
  std::string name = "quick";
  std::string mode = "lockstep";
  void describe(Fields& f) {
    f("verbose", verbose, "say more");
    f.table("train", train, "the trainer");
    f("games", games, "games per generation", {1, 1e12});
    f("seed", seed, "run seed");
    f("name", name, "of the run");
    f("mode", mode, "how the loop runs", {"lockstep", "free"});
  }
};

std::string toml_error(const std::string& text) {
  Settings settings;
  try {
    apply_toml(fields_of(settings), text, "my.toml");
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

std::string override_error(const std::string& text) {
  Settings settings;
  try {
    apply_override(fields_of(settings), text);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(ConfigTest, ReadsEveryType) {
  Settings s;
  apply_toml(fields_of(s),
             "verbose = true\ngames = 7\nseed = 9\nname = \"a \\\"b\\\"\"\nmode = "
             "\"free\"\n[train]\nlearning_rate = 1\nbatch = 64\n",
             "x");
  EXPECT_TRUE(s.verbose);
  EXPECT_EQ(s.games, 7);
  EXPECT_EQ(s.seed, 9u);
  EXPECT_EQ(s.name, "a \"b\"");
  EXPECT_EQ(s.mode, "free");
  EXPECT_EQ(s.train.learning_rate, 1.0);
  EXPECT_EQ(s.train.batch, 64);
  apply_toml(fields_of(s), "train.batch = 32", "x");
  EXPECT_EQ(s.train.batch, 32);
}

TEST(ConfigTest, AnUnknownKeyNamesLineAndNearest) {
  EXPECT_EQ(toml_error("verbose = true\ngame = 3\n"),
            "my.toml:2: unknown key 'game'; the nearest known one is 'games'");
  EXPECT_EQ(toml_error("\n[train]\nlerning_rate = 1.0\n"),
            "my.toml:3: unknown key 'train.lerning_rate'; the nearest known one is 'train.learning_rate'");
  EXPECT_EQ(toml_error("learning_rate = 1.0\n"),
            "my.toml:1: unknown key 'learning_rate'; the nearest known one is 'train.learning_rate'");
  EXPECT_EQ(toml_error("[trian]\nbatch = 1\n"),
            "my.toml:1: unknown key 'trian'; the nearest known one is 'train'");
}

TEST(ConfigTest, ValuesOutOfRangeOrOfAnotherType) {
  EXPECT_EQ(toml_error("games = 0"),
            "my.toml:1: games: expected a whole number in [1, 1000000000000], got 0");
  EXPECT_EQ(toml_error("games = 1.5"),
            "my.toml:1: games: expected a whole number in [1, 1000000000000], got 1.5");
  EXPECT_EQ(toml_error("[train]\n\nlearning_rate = 11.0"),
            "my.toml:3: train.learning_rate: expected a number in [1e-06, 10], got 11.0");
  EXPECT_EQ(toml_error("train.learning_rate = nan"),
            "my.toml:1: train.learning_rate: expected a number in [1e-06, 10], got nan");
  EXPECT_EQ(toml_error("verbose = 1"), "my.toml:1: verbose: expected true or false, got 1");
  EXPECT_EQ(toml_error("name = 3"), "my.toml:1: name: expected a text in quotes, got 3");
  EXPECT_EQ(toml_error("mode = \"fre\""), "my.toml:1: mode: expected one of lockstep, free, got \"fre\"");
  EXPECT_EQ(
      toml_error("seed = -1"),
      "my.toml:1: seed: expected a whole number from 0 to 2^64 - 1 (in quotes beyond 2^63 - 1), got -1");
  EXPECT_EQ(toml_error("train = 3"), "my.toml:1: train: expected a table, got 3");
  EXPECT_EQ(toml_error("games = [1]"),
            "my.toml:1: games: expected a whole number in [1, 1000000000000], got an array");
  EXPECT_EQ(toml_error("[games]\nx = 1"), "my.toml:1: games: expected a value, got a table");
}

TEST(ConfigTest, BadSyntaxNamesTheLine) {
  EXPECT_THAT(toml_error("games = 1\nname = \n"), HasSubstr("my.toml:2: not TOML: "));
  EXPECT_THAT(toml_error("games = 1\ngames = 2\n"), HasSubstr("my.toml:2: not TOML: "));
}

TEST(ConfigTest, Overrides) {
  Settings s;
  const Fields f = fields_of(s);
  apply_override(f, "train.batch=8");
  apply_override(f, "name=bare-word");
  apply_override(f, " mode = free ");
  apply_override(f, "train.learning_rate=1e-3");
  EXPECT_EQ(s.train.batch, 8);
  EXPECT_EQ(s.name, "bare-word");
  EXPECT_EQ(s.mode, "free");
  EXPECT_EQ(s.train.learning_rate, 1e-3);
  apply_override(f, "name=12");
  EXPECT_EQ(s.name, "12");
  apply_override(f, "name=\"quoted\"");
  EXPECT_EQ(s.name, "quoted");
  apply_override(f, "name=");
  EXPECT_EQ(s.name, "");
  apply_override(f, "seed=18446744073709551615");
  EXPECT_EQ(s.seed, std::numeric_limits<uint64_t>::max());
}

TEST(ConfigTest, OverrideErrors) {
  EXPECT_THAT(override_error("games"), HasSubstr("--set games: expected key=value"));
  EXPECT_EQ(override_error("gmaes=3"),
            "--set gmaes=3: unknown key 'gmaes'; the nearest known one is 'games'");
  EXPECT_EQ(override_error("games=0"),
            "--set games=0: games: expected a whole number in [1, 1000000000000], got 0");
  EXPECT_EQ(override_error("mode=slow"),
            "--set mode=slow: mode: expected one of lockstep, free, got \"slow\"");
  EXPECT_THAT(override_error("train=3"), HasSubstr("train is a table"));
  EXPECT_NE(override_error("games=1\nseed=2"), "no error");
}

TEST(ConfigTest, WhatIsWrittenReadsBack) {
  Settings s;
  s.seed = std::numeric_limits<uint64_t>::max();
  s.name = "tab\t \"quotes\" \\ 楚河";
  s.train.learning_rate = 0.1 + 0.2;
  for (bool with_docs : {false, true}) {
    const std::string text = to_toml(fields_of(s), with_docs);
    Settings back;
    apply_toml(fields_of(back), text, "back");
    EXPECT_EQ(back.seed, s.seed);
    EXPECT_EQ(back.name, s.name);
    EXPECT_EQ(back.train.learning_rate, s.train.learning_rate);
    EXPECT_EQ(to_toml(fields_of(back), with_docs), text);
  }
}

TEST(ConfigTest, DocsCarryTheRange) {
  Settings s;
  EXPECT_EQ(
      to_toml(fields_of(s), true),
      "# say more\nverbose = false\n# games per generation; [1, 1000000000000]\ngames = 100\n# run "
      "seed\nseed = 1\n"
      "# of the run\nname = \"quick\"\n# how the loop runs; one of lockstep, free\nmode = \"lockstep\"\n"
      "\n# the trainer\n[train]\n# peak learning rate; [1e-06, 10]\nlearning_rate = 0.002\n"
      "# rows per step; [1, 65536]\nbatch = 256\n");
}

TEST(ConfigTest, DifferencesNameKeysAndBothValues) {
  Settings a, b;
  EXPECT_TRUE(differences(fields_of(a), fields_of(b)).empty());
  b.train.batch = 64;
  b.name = "slow";
  const auto list = differences(fields_of(a), fields_of(b));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name + " " + list[0].before + " " + list[0].now, "train.batch 256 64");
  EXPECT_EQ(list[1].name + " " + list[1].before + " " + list[1].now, "name \"quick\" \"slow\"");
}

TEST(ConfigTest, KeysOfAText) {
  EXPECT_THAT(toml_keys("games = 7\n[train]\nbatch = 1\n[train.more]\nx = 2\n", "x"),
              testing::ElementsAre("games", "train.batch", "train.more.x"));
  EXPECT_THROW(toml_keys("games =", "x"), Error);
}

}  // namespace
}  // namespace chuhe
