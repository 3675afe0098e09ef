// The whole job on shards: what it leaves in its folder, and how it ends.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "shards/shard_writer.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/trainer/synthetic_games.h"
#include "trainer/checkpoint.h"
#include "trainer/trainer.h"

namespace chuhe::trainer {
namespace {

namespace fs = std::filesystem;

class TrainJob : public ::testing::Test {
 protected:
  void SetUp() override {
    shards::ShardWriter writer(root_ / "shards", "test", {}, {10, 1e9});
    for (uint64_t id = 0; id < 40; ++id) writer.add(testing::synthetic_game(9, id, 40), 0);
    writer.flush();
  }

  TrainRequest request(int64_t steps) const {
    TrainRequest r;
    r.shards = {root_ / "shards"};
    r.folder = root_ / "train";
    r.target_step = steps;
    r.net_out = root_ / "net.safetensors";
    r.net_id = "job";
    r.parent = "before";
    r.rule_set = "checks_only";
    r.net.blocks = 1;
    r.net.channels = 16;
    r.settings.batch = 16;
    r.settings.device = "cpu";
    r.settings.threads = 1;
    r.settings.report_every = 2;
    r.settings.validate_every = 4;
    r.settings.checkpoint_every = 3;
    r.settings.validation_share = 0.1;
    return r;
  }
  std::vector<int64_t> reported_steps() const {
    std::vector<int64_t> steps;
    for (const std::string& line : read_lines(root_ / "train" / "metrics.jsonl"))
      steps.push_back(nlohmann::json::parse(line).at("step").get<int64_t>());
    return steps;
  }
  std::string error_of(const TrainRequest& r) {
    try {
      train(r, log_, {});
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }

  const test::TempFolder root_;
  Log log_;
};

TEST_F(TrainJob, LeavesANetCheckpointsAndFigures) {
  const TrainReport report = train(request(10), log_, {});
  EXPECT_EQ(report.first_step, 0);
  EXPECT_EQ(report.steps, 10);
  EXPECT_FALSE(report.stopped);
  EXPECT_EQ(report.window_games, 40);
  const nn::NetFile net = nn::read_net_file(root_ / "net.safetensors");
  EXPECT_EQ(net.id, "job");
  EXPECT_EQ(net.parent, "before");
  EXPECT_EQ(net.step, 10);
  EXPECT_EQ(net.checks.size(), 8u);
  EXPECT_EQ(list_checkpoints(root_ / "train" / "checkpoints").front().steps, 10);
  EXPECT_THAT(reported_steps(), ::testing::ElementsAre(2, 4, 6, 8, 10));
  const auto last = nlohmann::json::parse(read_lines(root_ / "train" / "metrics.jsonl").back());
  for (const char* name : {"train/loss", "train/reuse_ratio", "train/policy_entropy", "held_out/loss",
                           "held_out/win_calibration_error"})
    EXPECT_TRUE(last.contains(name)) << name;
}

TEST_F(TrainJob, GoesOnAndReportsNoStepTwice) {
  train(request(6), log_, {});
  // As after a kill past the last checkpoint: rows of steps that will be taken again, the last one cut.
  append_line(root_ / "train" / "metrics.jsonl", R"({"step":8,"time":0,"train/loss":1})");
  append_line(root_ / "train" / "metrics.jsonl", R"({"step":10,"ti)");
  const TrainReport report = train(request(10), log_, {});
  EXPECT_EQ(report.first_step, 6);
  EXPECT_THAT(reported_steps(), ::testing::ElementsAre(2, 4, 6, 8, 10));
}

TEST_F(TrainJob, ADoneJobWritesTheSameNetAgain) {
  train(request(4), log_, {});
  const std::string net = read_file(root_ / "net.safetensors");
  fs::remove(root_ / "net.safetensors");
  EXPECT_EQ(train(request(4), log_, {}).first_step, 4);
  EXPECT_EQ(read_file(root_ / "net.safetensors"), net);
}

TEST_F(TrainJob, CheckpointsBeyondTheTargetArePassedOver) {
  // As when a net of the middle was lost: it comes again, and what lies beyond stays.
  train(request(3), log_, {});
  const std::string net = read_file(root_ / "net.safetensors");
  train(request(6), log_, {});
  EXPECT_EQ(train(request(3), log_, {}).first_step, 3);
  EXPECT_EQ(read_file(root_ / "net.safetensors"), net);
  EXPECT_EQ(train(request(2), log_, {}).first_step, 0);
  EXPECT_EQ(train(request(7), log_, {}).first_step, 6);
}

TEST_F(TrainJob, TheReuseRatioCountsGamesThatLeftTheWindow) {
  // The cause: a fresh process reads only the window's shards, and took their rows for all that were played.
  const auto ratios = [&](Window* keep) {
    std::vector<double> list;
    for (uint64_t g = 0; g < 3; ++g) {
      TrainRequest r = request(int64_t(3 * (g + 1)));
      r.first_game = 10 * g;
      r.end_game = 20 + 10 * g;
      const TrainReport report = train(r, log_, {}, keep);
      for (const auto& [name, value] : report.last)
        if (name == "train/reuse_ratio") list.push_back(value);
    }
    fs::remove_all(root_ / "train");
    return list;
  };
  Window window(request(1).settings.validation_share, true), all(request(1).settings.validation_share, true);
  const auto uninterrupted = ratios(&window);
  EXPECT_EQ(uninterrupted, ratios(nullptr));
  all.load(root_ / "shards");
  ASSERT_EQ(uninterrupted.size(), 3u);
  EXPECT_DOUBLE_EQ(uninterrupted.back(), 9.0 * 16 / double(all.select({}).train.size()));
}

TEST_F(TrainJob, AStopLeavesACheckpointAndNoNet) {
  std::stop_source stop;
  stop.request_stop();
  const TrainReport report = train(request(10), log_, stop.get_token());
  EXPECT_TRUE(report.stopped);
  EXPECT_FALSE(fs::exists(root_ / "net.safetensors"));
  EXPECT_EQ(list_checkpoints(root_ / "train" / "checkpoints").size(), 1u);
}

TEST_F(TrainJob, AKeptWindowGivesTheSameNetsAsAFreshOne) {
  // Two generations over a sliding window, with and without games kept in memory between them.
  const auto generations = [&](Window* keep) {
    std::string nets;
    for (uint64_t g = 0; g < 2; ++g) {
      TrainRequest r = request(int64_t(3 * (g + 1)));
      r.first_game = 10 * g;
      r.end_game = 20 + 20 * g;
      train(r, log_, {}, keep);
      nets += read_file(root_ / "net.safetensors");
    }
    fs::remove_all(root_ / "train");
    return nets;
  };
  Window window(request(1).settings.validation_share, true);
  EXPECT_EQ(generations(&window), generations(nullptr));
}

TEST_F(TrainJob, SaysWhatIsMissing) {
  TrainRequest r = request(4);
  r.first_game = 1000;
  EXPECT_THAT(error_of(r),
              ::testing::AllOf(::testing::HasSubstr("nothing to train on"), ::testing::HasSubstr("1000")));
  r = request(4);
  r.shards = {root_ / "nowhere"};
  EXPECT_THAT(error_of(r), ::testing::HasSubstr("nowhere"));
  r = request(0);
  EXPECT_THAT(error_of(r), ::testing::HasSubstr("steps"));
}

// A run whose checkpoints were removed trained on from fresh weights, and its net named a parent that it did
// not have.
TEST_F(TrainJob, LostCheckpointsAreNoNewStartWhereThereIsAParent) {
  TrainRequest r = request(10);
  r.must_resume = true;
  EXPECT_NE(error_of(r).find("checkpoints"), std::string::npos) << error_of(r);
  EXPECT_FALSE(fs::exists(r.net_out));
  r.must_resume = false;
  train(r, log_, {});
  r.must_resume = true;
  r.target_step = 12;
  EXPECT_EQ(train(r, log_, {}).first_step, 10);
}

TEST_F(TrainJob, ACorruptCheckpointFallsBackToTheOneBefore) {
  train(request(6), log_, {});
  const std::string whole = read_file(root_ / "net.safetensors");
  write_file_atomically(root_ / "train" / "checkpoints" / "step-0000000006" / "state.bin", "");
  const TrainReport report = train(request(6), log_, {});
  EXPECT_EQ(report.first_step, 3);
  EXPECT_EQ(read_file(root_ / "net.safetensors"), whole);
}

}  // namespace
}  // namespace chuhe::trainer
