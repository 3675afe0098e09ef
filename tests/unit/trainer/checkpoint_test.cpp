#include "trainer/checkpoint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "tests/support/temp_folder.h"

namespace chuhe::trainer {
namespace {

namespace fs = std::filesystem;

class CheckpointTest : public ::testing::Test {
 protected:
  static Checkpoint sample(int64_t steps) {
    Checkpoint c;
    c.state.steps = steps;
    c.state.arrays = {{"weights", {1.5f, -2, 3e-20f, float(steps)}}, {"adam.m", {0.25f}}, {"empty", {}}};
    c.seed = 0xfedcba9876543210;
    c.net.blocks = 3;
    c.settings = "batch = 8\n";
    c.generated = {77, {{"a", 12}, {"b", 3}}};
    c.device = "cpu";
    c.revision = "abc";
    return c;
  }
  /// Newest sound checkpoint's step, -1 if none; counts the complaints.
  int64_t newest() {
    complaints_.clear();
    const auto c = newest_checkpoint(dir_, [&](const std::string& why) { complaints_.push_back(why); });
    return c ? c->state.steps : -1;
  }

  const test::TempFolder temp_;
  const fs::path dir_ = temp_ / "checkpoints";
  std::vector<std::string> complaints_;
};

TEST_F(CheckpointTest, ComesBackAsItWas) {
  write_checkpoint(sample(12), dir_, 3);
  const auto c = newest_checkpoint(dir_, [](const std::string&) { FAIL(); });
  ASSERT_TRUE(c);
  EXPECT_EQ(c->state, sample(12).state);
  EXPECT_EQ(c->seed, sample(12).seed);
  EXPECT_EQ(c->net, sample(12).net);
  EXPECT_EQ(c->settings, "batch = 8\n");
  EXPECT_EQ(c->generated, sample(12).generated);
}

TEST_F(CheckpointTest, KeepsTheNewestAndCleansUp) {
  make_folder(dir_ / "step-0000000099.tmp");
  for (int64_t step : {1, 2, 3, 10}) write_checkpoint(sample(step), dir_, 2);
  const auto list = list_checkpoints(dir_);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].steps, 10);
  EXPECT_EQ(list[1].steps, 3);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_), fs::directory_iterator()), 2);
  write_checkpoint(sample(10), dir_, 2);  // again, as after a kill
  EXPECT_EQ(newest(), 10);
}

TEST_F(CheckpointTest, DamageFallsBackToTheOneBeforeAndIsNamed) {
  const auto damage = [&](const char* file, auto&& how) {
    fs::remove_all(dir_);
    write_checkpoint(sample(1), dir_, 3);
    write_checkpoint(sample(2), dir_, 3);
    const fs::path path = dir_ / "step-0000000002" / file;
    std::string bytes = read_file(path);
    how(bytes);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(newest(), 1) << file;
    ASSERT_EQ(complaints_.size(), 1u);
    EXPECT_NE(complaints_[0].find("step-0000000002"), std::string::npos) << complaints_[0];
    EXPECT_NE(complaints_[0].find(file), std::string::npos) << complaints_[0];
  };
  for (const char* file : {"state.bin", "manifest.json"}) {
    damage(file, [](std::string& bytes) { bytes.clear(); });
    damage(file, [](std::string& bytes) {
      bytes.pop_back();
      bytes.pop_back();
    });
  }
  damage("state.bin", [](std::string& bytes) { bytes[3] ^= 1; });
  damage("manifest.json",
         [](std::string& bytes) { bytes.replace(bytes.find("\"steps\": 2"), 10, "\"steps\": 3"); });
}

TEST_F(CheckpointTest, OnesBeyondTheStepAreNamedAndPassedOver) {
  for (int64_t step : {1, 2, 5}) write_checkpoint(sample(step), dir_, 3);
  std::vector<std::string> passed;
  const auto c = newest_checkpoint(
      dir_, [&](const std::string& why) { passed.push_back(why); }, 4);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->state.steps, 2);
  ASSERT_EQ(passed.size(), 1u);
  EXPECT_NE(passed[0].find("step-0000000005"), std::string::npos) << passed[0];
}

TEST_F(CheckpointTest, AllDamagedIsNone) {
  write_checkpoint(sample(1), dir_, 3);
  fs::remove(dir_ / "step-0000000001" / "state.bin");
  EXPECT_EQ(newest(), -1);
  EXPECT_EQ(complaints_.size(), 1u);
  fs::remove_all(dir_);
  EXPECT_EQ(newest(), -1);
  EXPECT_TRUE(complaints_.empty());
}

}  // namespace
}  // namespace chuhe::trainer
