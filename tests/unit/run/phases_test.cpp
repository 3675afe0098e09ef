// Self-play and rating of a run, with doubles and fresh nets: no training, so no LibTorch.

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "nn/model/net_file.h"
#include "nn/net/init_net.h"
#include "run/lease.h"
#include "run/play_phase.h"
#include "run/rate_phase.h"
#include "run/suite_phase.h"
#include "shards/shard_folder.h"
#include "tests/support/temp_folder.h"

namespace chuhe::run {
namespace {

namespace fs = std::filesystem;

double no_time() {
  return 0;
}

PlayPhase small_phase(const fs::path& shards) {
  PlayPhase phase;
  phase.settings.search.visits = 4;
  phase.settings.adjudication.ply_cap = 20;
  phase.settings.farm.workers = 2;
  phase.settings.farm.slots = 4;
  phase.evaluator.batch = 0;
  phase.net = "hash";
  phase.shards = shards;
  phase.end = 10;
  phase.shard_games = 3;
  return phase;
}

std::set<uint64_t> ids_below(uint64_t end) {
  std::set<uint64_t> ids;
  for (uint64_t i = 0; i < end; ++i) ids.insert(i);
  return ids;
}

TEST(PlayPhase, PlaysWhatIsMissingAndNothingTwice) {
  const test::TempFolder folder;
  const fs::path shards = folder / "shards";
  Log log;
  PlayPhase phase = small_phase(shards);
  play_phase(phase, log, {}, no_time);
  EXPECT_EQ(shards::stored_ids(shards / "main", "main"), ids_below(10));
  // A kill lost a shard.
  const auto files = shards::list_shards(shards);
  ASSERT_GE(files.size(), 3u);
  fs::remove(files[1].path);
  EXPECT_LT(shards::stored_ids(shards / "main", "main").size(), 10u);
  phase.end = 12;
  play_phase(phase, log, {}, no_time);
  EXPECT_EQ(shards::stored_ids(shards / "main", "main"), ids_below(12));
}

// A net that is refused must leave no folder of a writer behind.
TEST(PlayPhase, ARefusedNetLeavesNothingBehind) {
  const test::TempFolder folder;
  const fs::path shards = folder / "shards";
  Log log;
  PlayPhase phase = small_phase(shards);
  phase.net = shards / "none.safetensors";
  EXPECT_THROW(play_phase(phase, log, {}, no_time), Error);
  EXPECT_FALSE(fs::exists(shards));
}

// Two processes of one writer's name would use the same ids.
TEST(PlayPhase, AWriterIsOneProcess) {
  const test::TempFolder folder;
  const fs::path shards = folder / "shards";
  make_folder(shards / "main");
  const Lease other(shards / "main");
  Log log;
  EXPECT_THROW(play_phase(small_phase(shards), log, {}, no_time), Error);
  EXPECT_TRUE(shards::find_shards(shards).shards.empty());
}

// The ids of a range were counted one by one before the first game.
TEST(PlayPhase, AHugeRangeBeginsAtOnce) {
  const test::TempFolder folder;
  const fs::path shards = folder / "shards";
  Log log;
  PlayPhase phase = small_phase(shards);
  phase.end = uint64_t(1) << 62;
  std::stop_source stop;
  int calls = 0;
  play_phase(phase, log, stop.get_token(), [&] {
    if (++calls == 20) stop.request_stop();
    return 0.0;
  });
  EXPECT_GE(shards::stored_ids(shards / "main", "main").size(), 3u);
}

TEST(PlayPhase, AStopKeepsWhatHadFinished) {
  const test::TempFolder folder;
  const fs::path shards = folder / "shards";
  Log log;
  PlayPhase phase = small_phase(shards);
  phase.end = 100000;
  std::stop_source stop;
  int calls = 0;
  // The clock is asked once a game by the writer: the stop falls into the middle.
  play_phase(phase, log, stop.get_token(), [&] {
    if (++calls == 20) stop.request_stop();
    return 0.0;
  });
  const size_t stored = shards::stored_ids(shards / "main", "main").size();
  EXPECT_GE(stored, 10u);
  EXPECT_LT(stored, 100000u);
}

class RatePhase : public testing::Test {
 protected:
  RatePhase() {
    settings_.name = "r";
    settings_.rating.games = 4;
    settings_.rating.visits = 2;
    settings_.rating.opponents = "random,greedy";
    settings_.rating.suite.names = "";
    settings_.selfplay.farm.slots = 4;
    make_folder(folder_.nets());
    for (int n = 0; n < 3; ++n)
      nn::write_net_file(
          nn::init_net(settings_.net.config(), uint64_t(n), "r-" + std::to_string(n), "checks_only"),
          folder_.net(n));
  }
  void rate(int number) {
    Log log;
    rate_phase(folder_, settings_, number, log, {}, no_time);
  }
  std::set<std::string> journals() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.ratings()))
      if (entry.path().extension() == ".jsonl") names.insert(entry.path().filename().string());
    return names;
  }
  const test::TempFolder temp_;
  RunFolder folder_{temp_ / "rate"};
  RunSettings settings_;
};

TEST_F(RatePhase, ANetMeetsTheLadderItsPredecessorAndAnOlderNet) {
  settings_.rating.older = 2;
  rate(2);
  EXPECT_EQ(journals(), (std::set<std::string>{"2-vs-random-2v.jsonl", "2-vs-greedy-2v.jsonl",
                                               "2-vs-1-2v.jsonl", "2-vs-0-2v.jsonl"}));
  for (const char* report : {"table.txt", "ratings.json", "curve.svg"})
    EXPECT_TRUE(fs::exists(folder_.ratings() / report)) << report;
  const Standing standing = standing_of(folder_, settings_, 2);
  EXPECT_GE(standing.score, 0);
  EXPECT_GT(standing.elo_error, 0);
}

TEST_F(RatePhase, WhatIsRatedIsNotPlayedAgain) {
  rate(0);
  const std::string before = read_file(folder_.ratings() / "0-vs-random-2v.jsonl");
  const std::string table = read_file(folder_.ratings() / "table.txt");
  rate(0);
  EXPECT_EQ(read_file(folder_.ratings() / "0-vs-random-2v.jsonl"), before);
  EXPECT_EQ(read_file(folder_.ratings() / "table.txt"), table);
}

// Results at other visits are another scale's.
TEST_F(RatePhase, ChangedVisitsBeginNewJournals) {
  rate(0);
  settings_.rating.visits = 3;
  EXPECT_LT(standing_of(folder_, settings_, 0).score, 0);
  rate(0);
  EXPECT_EQ(journals().size(), 4u);
}

TEST_F(RatePhase, WhatNetsKnowStandsBesideTheirRatings) {
  settings_.rating.suite.names = "patterns";
  settings_.rating.suite.visits = "0,2";
  rate(0);
  rate(1);
  const MetricList scores = suite_scores(folder_, settings_, 1);
  ASSERT_EQ(scores.size(), 5u);
  EXPECT_EQ(scores.front().first, "suite/patterns/policy");
  const std::string table = read_file(folder_.ratings() / "table.txt");
  EXPECT_NE(table.find("patterns@0"), std::string::npos);
  const std::string knowledge = table.substr(table.find("Known positions"));
  EXPECT_NE(knowledge.find("r-0"), std::string::npos);
  EXPECT_NE(knowledge.find("r-1"), std::string::npos);
  // Asked once; and anew where the answers would be others.
  const fs::path file = folder_.ratings() / "1-suites.json";
  write_file_atomically(file, read_file(file) + "\n");
  const std::string before = read_file(file);
  rate(1);
  EXPECT_EQ(read_file(file), before);
  settings_.rating.suite.visits = "0";
  EXPECT_TRUE(suite_scores(folder_, settings_, 1).empty());
  rate(1);
  EXPECT_EQ(suite_scores(folder_, settings_, 1).size(), 4u);
}

TEST_F(RatePhase, ANetThatWasNotRatedHasNoStanding) {
  EXPECT_LT(standing_of(folder_, settings_, 1).score, 0);
}

}  // namespace
}  // namespace chuhe::run
