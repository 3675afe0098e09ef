#include "play/net_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "nn/api/doubles.h"
#include "tests/support/temp_folder.h"

namespace chuhe::play {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string fault(const std::string& net, const fs::path& folder) {
  try {
    find_net(net, folder);
  } catch (const Error& e) {
    return e.what();
  }
  return "found";
}

TEST(FindNet, LooksAsGivenThenBesideTheProgram) {
  const test::TempFolder folder;
  std::ofstream(folder / "a.net") << "x";
  EXPECT_EQ(find_net((folder / "a.net").string(), {}), (folder / "a.net").string());
  EXPECT_EQ(find_net("a.net", folder), (folder / "a.net").string());
  EXPECT_EQ(find_net("hash", folder), "hash");
  // A run's nets, as users name them.
  std::ofstream(folder / "3.safetensors") << "x";
  std::ofstream(folder / "latest") << "3.safetensors\n";
  EXPECT_EQ(find_net((folder / "3").string(), {}), (folder / "3.safetensors").string());
  EXPECT_EQ(find_net((folder / "latest").string(), {}), (folder / "3.safetensors").string());
  EXPECT_EQ(find_net("latest", folder), (folder / "3.safetensors").string());
  EXPECT_THAT(fault("b.net", folder), HasSubstr((folder / "b.net").string()));
  EXPECT_THAT(fault("b.net", folder), HasSubstr((fs::current_path() / "b.net").string()));
  EXPECT_THAT(fault(folder.path().string(), {}), HasSubstr("not a regular file"));
  EXPECT_THAT(fault("", folder), HasSubstr("no net"));
}

TEST(OpenForPlay, FitsTheBatchToTheDevice) {
  std::vector<int> batches;
  const auto loader = [&](std::string device) {
    return [&batches, device](const std::string&, const nn::EvaluatorSettings& s) {
      batches.push_back(s.batch);
      return nn::NetHandle{[] { return nn::make_hash_evaluator(); }, "hash", device};
    };
  };
  PlaySettings settings;
  settings.net = "hash";
  EXPECT_EQ(open_for_play(settings, loader("cpu")).batch, 8);
  EXPECT_EQ(open_for_play(settings, loader("cuda:0 (NVIDIA)")).batch, 64);
  settings.evaluator.batch = 3;
  EXPECT_EQ(open_for_play(settings, loader("cuda:0 (NVIDIA)")).batch, 3);
  EXPECT_THAT(batches, testing::ElementsAre(8, 8, 64, 3));
}

}  // namespace
}  // namespace chuhe::play
