#include "shards/shard_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "shards/shard_folder.h"
#include "tests/support/sample_games.h"
#include "tests/support/temp_folder.h"

namespace chuhe::shards {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
namespace fs = std::filesystem;

class ShardWriterTest : public testing::Test {
 protected:
  const test::TempFolder temp_;
  const fs::path folder_ = temp_ / "games";
};

GameRecord game(uint64_t id, const std::string& writer = "main", int ply_cap = 10) {
  GameRecord g = test::sample_game(1, id, {.ply_cap = ply_cap});
  g.writer = writer;
  return g;
}

template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

size_t games_in(const fs::path& folder) {
  size_t n = 0;
  for (const auto& shard : find_shards(folder).shards) n += read_shard(shard.path).games.size();
  return n;
}

TEST_F(ShardWriterTest, RollsByGamesAndByTime) {
  ShardWriter writer(folder_, "main", {"p", "r"}, {.games = 3, .seconds = 60});
  for (uint64_t id : {4, 2, 9}) writer.add(game(id), 100);
  EXPECT_THAT(writer.written(), SizeIs(1));
  EXPECT_THAT(writer.stored(), ElementsAre(2, 4, 9));
  writer.add(game(1), 200);
  writer.poll(259);
  EXPECT_EQ(writer.waiting(), 1u);
  writer.poll(260);
  EXPECT_EQ(writer.waiting(), 0u);
  writer.add(game(5), 300);
  writer.add(game(6), 361);
  EXPECT_THAT(writer.written(), SizeIs(3));
  writer.add(game(7), 362);
  writer.flush();
  writer.flush();
  EXPECT_THAT(writer.written(), SizeIs(4));
  EXPECT_EQ(games_in(folder_), 7u);
  EXPECT_EQ(read_shard(writer.written()[0]).provenance, (Provenance{"p", "r"}));
  EXPECT_THAT(writer.written()[0].filename().string(), HasSubstr("g0000000002-main-3g-30r.h5"));
}

TEST_F(ShardWriterTest, FinishedFilesAreReadOnly) {
  ShardWriter writer(folder_, "main", {});
  writer.add(game(1), 0);
  writer.flush();
  struct stat info {};
  ASSERT_EQ(stat(writer.written()[0].c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0222, 0u);
  EXPECT_THAT(find_shards(folder_).unfinished, SizeIs(0));
}

TEST_F(ShardWriterTest, GoesOnWhereItWas) {
  {
    ShardWriter writer(folder_, "main", {});
    writer.add(game(1), 0);
    writer.flush();
    writer.add(game(2), 0);  // lost: never flushed
  }
  ShardWriter writer(folder_, "main", {});
  EXPECT_THAT(writer.stored(), ElementsAre(1));
  writer.add(game(2), 0);
  writer.add(game(0), 0);
  writer.flush();
  EXPECT_THAT(stored_ids(folder_, "main"), ElementsAre(0, 1, 2));
}

TEST_F(ShardWriterTest, WritersShareAFolder) {
  ShardWriter a(folder_, "a", {}), b(folder_, "b", {});
  a.add(game(1, "a"), 0);
  b.add(game(1, "b"), 0);
  a.flush();
  b.flush();
  EXPECT_EQ(games_in(folder_), 2u);
  EXPECT_THAT(stored_ids(folder_, "b"), ElementsAre(1));
}

TEST_F(ShardWriterTest, CleansUpItsOwnLeftoversOnly) {
  make_folder(folder_);
  const fs::path mine = folder_ / "g0000000001-main-1g-1r.h5.tmp",
                 other = folder_ / "g0000000001-other-1g-1r.h5.tmp";
  std::ofstream(mine) << "half";
  fs::permissions(mine, fs::perms::owner_read);
  std::ofstream(other) << "half";
  ShardWriter writer(folder_, "main", {});
  EXPECT_FALSE(fs::exists(mine));
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(ShardWriterTest, BadGamesAreOurBug) {
  ShardWriter writer(folder_, "main", {});
  writer.add(game(1), 0);
  EXPECT_DEATH(writer.add(game(1), 0), "game main/1 twice");
  EXPECT_DEATH(writer.add(game(2, "other"), 0), "a game of other in the folder of main");
  GameRecord bad = game(3);
  bad.plies[2].move = {};
  EXPECT_DEATH(writer.add(bad, 0), "game main/3: ply 2: illegal move");
}

TEST_F(ShardWriterTest, BadNames) {
  for (const char* name : {"", "a/b", "..", ".x", "a b", "-x"})
    EXPECT_THAT(error_of([&] { ShardWriter(folder_, name, {}); }), HasSubstr("writer name '")) << name;
}

TEST_F(ShardWriterTest, NeverReplacesAShard) {
  ShardWriter first(folder_, "main", {}), second(folder_, "main", {});
  first.add(game(1), 0);
  second.add(game(1), 0);
  first.flush();
  EXPECT_THAT(error_of([&] { second.flush(); }),
              HasSubstr("exists already: do two processes write as 'main'?"));
}

// In a child whose files cannot grow: the games stay, nothing is left on disk, and later the shard is
// written.
TEST_F(ShardWriterTest, AFullDiskLosesNothing) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    ShardWriter writer(folder_, "main", {}, {.games = 2, .seconds = 60});
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{1000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    writer.add(game(1), 0);
    const std::string error = error_of([&] { writer.add(game(2), 0); });
    if (error.find("cannot write: File too large") == std::string::npos) _exit(1);
    if (writer.waiting() != 2 || !writer.stored().empty()) _exit(2);
    if (!fs::is_empty(folder_)) _exit(3);
    setrlimit(RLIMIT_FSIZE, &limit);
    writer.flush();
    _exit(writer.waiting() == 0 && games_in(folder_) == 2 ? 0 : 4);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(ShardWriterTest, AFullFileSystemLosesNothing) {
  make_folder(folder_);
  if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "cannot mount a small tmpfs (needs root): " << std::strerror(errno);
  {
    ShardWriter writer(folder_, "main", {});
    std::ofstream(folder_ / "ballast") << std::string(64 * 1024 - 4096, 'b') << std::flush;
    writer.add(game(1), 0);
    EXPECT_THAT(error_of([&] { writer.flush(); }), HasSubstr("cannot write: No space left on device"));
    EXPECT_THAT(find_shards(folder_).unfinished, SizeIs(0));
    fs::remove(folder_ / "ballast");
    writer.flush();
    EXPECT_EQ(games_in(folder_), 1u);
  }
  umount(folder_.c_str());
}

size_t shards_in(const fs::path& folder) {
  return fs::exists(folder) ? find_shards(folder).shards.size() : 0;
}

// kill -9 at random moments of a process that writes all the time.
TEST_F(ShardWriterTest, AKillLeavesWholeShardsOnly) {
  Random random(5);
  size_t last = 0;
  for (int round = 0; round < 12; ++round) {
    const size_t before = shards_in(folder_);
    const pid_t child = fork();
    if (child == 0) {
      ShardWriter writer(folder_, "main", {}, {.games = 2, .seconds = 60});
      for (uint64_t id = 0;; ++id)
        if (!writer.stored().contains(id)) writer.add(game(id, "main", 60), 0);
    }
    // A machine may be slow: each round first gets one shard done, then is killed somewhere in the next few.
    for (int wait = 0; wait < 30000 && shards_in(folder_) == before; ++wait) usleep(1000);
    usleep(useconds_t(random.below(20000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    size_t games = 0;
    for (const auto& shard : find_shards(folder_).shards) {
      for (const auto& g : read_shard(shard.path).games) EXPECT_EQ(find_fault(g).value_or("none"), "none");
      games += shard.name.games;
    }
    EXPECT_GT(games, last);
    last = games;
  }
  // A restart fills what is missing: no id is lost or doubled.
  ShardWriter writer(folder_, "main", {});
  EXPECT_EQ(writer.stored().size(), last);
  ASSERT_FALSE(writer.stored().empty());
  EXPECT_EQ(*writer.stored().rbegin() + 1, last);
  EXPECT_THAT(find_shards(folder_).unfinished, SizeIs(0));
}

}  // namespace
}  // namespace chuhe::shards
