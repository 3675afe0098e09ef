// The reader in Python, written from docs/shard_format.md, against ours.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "base/files.h"
#include "shards/shard_folder.h"
#include "shards/shard_writer.h"
#include "tests/support/paths.h"
#include "tests/support/sample_games.h"
#include "tests/support/temp_folder.h"

namespace chuhe::shards {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Finished {
  int status;
  std::string output;
};

Finished run(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (const size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

double letters(const std::string& text) {
  double sum = 0;
  for (unsigned char c : text) sum += c;
  return sum;
}

std::map<std::string, double> summary_of(const fs::path& folder) {
  std::map<std::string, double> total;
  for (const ShardFile& file : list_shards(folder))
    for (const GameRecord& game : read_shard(file.path).games) {
      total["games"] += 1;
      total["positions"] += double(game.plies.size());
      total["net_runs"] += double(game.nets.size());
      total["fen_letters"] += letters(game.start_fen);
      total[std::string(name_of(game.outcome))] += 1;
      for (const PlyRecord& ply : game.plies) {
        total["full_searches"] += ply.search == SearchKind::Full;
        total["visits"] += ply.visits;
        total["root_value"] += double(ply.root_value);
        total["net_value"] += double(ply.net_value);
        total["policy_entries"] += double(ply.policy.size());
        total["move_letters"] += letters(to_uci(ply.move));
        for (const PolicyEntry& entry : ply.policy) {
          total["policy_weight"] += entry.weight / 65535.0;
          total["policy_letters"] += letters(to_uci(entry.move));
        }
      }
    }
  return total;
}

class PythonReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(python_)) python_ = "python3";
    const Finished import = run(python_ + " -c 'import h5py, numpy'");
    if (import.status != 0) GTEST_SKIP() << python_ << " has no h5py: " << import.output;
  }

  Finished read(const fs::path& path) const {
    return run(python_ + " " + (source_dir() / "scripts/read_shard.py").string() + " " + path.string());
  }

  void expect_same(const fs::path& folder) const {
    const Finished python = read(folder);
    ASSERT_EQ(python.status, 0) << python.output;
    std::map<std::string, double> total;
    std::istringstream lines(python.output);
    std::string name;
    for (double value; lines >> name >> value;) total[name] = value;
    const auto expected = summary_of(folder);
    for (const auto& [key, value] : expected) {
      ASSERT_TRUE(total.contains(key)) << key;
      EXPECT_NEAR(total.at(key), value, 1e-6) << key;
    }
    EXPECT_EQ(total.size(), expected.size());
  }

  std::string python_ = (source_dir() / ".venv/bin/python3").string();
  const test::TempFolder folder_;
};

TEST_F(PythonReaderTest, ReadsTheSame) {
  ShardWriter writer(folder_, "main", {"a = 1\n", "rev"}, {.games = 16, .seconds = 60});
  for (auto& game : test::sample_games(4, 0, 40)) writer.add(std::move(game), 0);
  writer.flush();
  expect_same(folder_);
}

TEST_F(PythonReaderTest, ReadsTheGoldenShard) {
  expect_same(golden_dir() / "shards");
}

// The example on the page runs as printed.
TEST_F(PythonReaderTest, TheExampleOfTheDocumentation) {
  const std::string page = read_file(source_dir() / "docs/shard_format.md");
  const std::string opening = "```python\n";
  const size_t begin = page.find(opening) + opening.size();
  write_file_atomically(folder_ / "example.py", page.substr(begin, page.find("```", begin) - begin));
  const auto shard = find_shards(golden_dir() / "shards").shards[0];
  const Finished example = run(python_ + " " + (folder_ / "example.py").string() + " " + shard.path.string());
  EXPECT_EQ(example.status, 0) << example.output;
  EXPECT_EQ(std::count(example.output.begin(), example.output.end(), '\n'),
            long(shard.name.games + shard.name.rows));
  EXPECT_THAT(example.output, HasSubstr("\n(69, 76) 0.2330917"));
}

TEST_F(PythonReaderTest, RefusesDamageAndOtherVersions) {
  for (const auto& file : find_shards(golden_dir() / "shards").shards) {
    std::string bytes = read_file(file.path);
    bytes[bytes.size() / 2] ^= 1;
    const fs::path damaged = folder_ / "damaged.h5";
    write_file_atomically(damaged, bytes);
    const Finished run_damaged = read(damaged);
    EXPECT_EQ(run_damaged.status, 1);
    EXPECT_THAT(run_damaged.output, HasSubstr("damaged.h5: damaged or cut short"));
    bytes[std::string("chuhe shard ").size()] = '2';
    write_file_atomically(damaged, bytes);
    EXPECT_THAT(read(damaged).output, HasSubstr("damaged.h5: shard format 2, this reader knows format 1"));
  }
}

}  // namespace
}  // namespace chuhe::shards
