#include "shards/shard_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "shards/shard_file.h"
#include "tests/support/sample_games.h"
#include "tests/support/temp_folder.h"

namespace chuhe::shards {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class ShardFolderTest : public testing::Test {
 protected:
  fs::path write(const std::string& subfolder, const std::string& writer, uint64_t first, int count) const {
    auto games = test::sample_games(1, first, count, {.ply_cap = 5});
    size_t rows = 0;
    for (auto& game : games) {
      game.writer = writer;
      rows += game.plies.size();
    }
    make_folder(folder_ / subfolder);
    const fs::path path = folder_ / subfolder / to_file_name({first, writer, games.size(), rows});
    write_file_atomically(path, encode_shard(games, {}));
    return path;
  }

  const test::TempFolder folder_;
};

template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(ShardNameTest, ThereAndBack) {
  for (const ShardName& name :
       {ShardName{0, "main", 256, 25012}, ShardName{12345678901234, "node-3.gpu_1", 1, 0}})
    EXPECT_EQ(parse_file_name(to_file_name(name)), name);
  EXPECT_EQ(to_file_name({7, "a-b", 2, 30}), "g0000000007-a-b-2g-30r.h5");
  for (const char* other : {"", "g.h5", "g1-main-2g-3r.h5", "g0000000001-main-2g-3r.h5.tmp",
                            "g0000000001--2g-3r.h5", "g0000000001-main-2g-3.h5", "g0000000001-main-2-3r.h5",
                            "g0000000001-2g-3r.h5", "x0000000001-main-2g-3r.h5", "g0000000001-main-02g-3r.h5",
                            "g-000000001-main-2g-3r.h5", "g0000000001-.x-2g-3r.h5"})
    EXPECT_FALSE(parse_file_name(other)) << other;
}

TEST_F(ShardFolderTest, FindsShardsBelow) {
  const auto b = write("w2", "w2", 0, 2), c = write("w1", "w1", 10, 2), a = write("w1", "w1", 0, 3);
  std::ofstream(folder_ / "w1" / "g0000000020-w1-1g-1r.h5.tmp") << "half";
  std::ofstream(folder_ / "notes.txt") << "hello";
  const Listing listing = find_shards(folder_);
  ASSERT_EQ(listing.shards.size(), 3u);
  EXPECT_EQ(listing.shards[0].path, a);
  EXPECT_EQ(listing.shards[1].path, b);
  EXPECT_EQ(listing.shards[2].path, c);
  EXPECT_EQ(listing.shards[0].name.games, 3u);
  EXPECT_EQ(listing.unfinished.size(), 1u);
  EXPECT_EQ(listing.others.size(), 1u);
  EXPECT_EQ(list_shards(folder_).size(), 3u);
  EXPECT_EQ(list_shards(a).size(), 1u);
}

TEST_F(ShardFolderTest, ErrorsSayWhatWasLookedFor) {
  EXPECT_THAT(error_of([&] { list_shards(folder_ / "nope"); }),
              HasSubstr("nope: no such folder, expected one with shards"));
  EXPECT_THAT(error_of([&] { list_shards(folder_); }),
              HasSubstr("no shards: 0 files match g<id>-<writer>-<games>g-<rows>r.h5 in it and the folders "
                        "below, which hold no file"));
  std::ofstream(folder_ / "g0000000020-w1-1g-1r.h5.tmp") << "half";
  EXPECT_THAT(error_of([&] { list_shards(folder_); }),
              HasSubstr("rejected: 1 unfinished (such as g0000000020-w1-1g-1r.h5.tmp)"));
  std::ofstream(folder_ / "data.h5") << "x";
  EXPECT_THAT(error_of([&] { list_shards(folder_); }), HasSubstr("1 of another name (such as data.h5)"));
  EXPECT_THAT(error_of([&] { list_shards(folder_ / "data.h5"); }),
              HasSubstr("data.h5: not a shard's name, expected "));
}

TEST_F(ShardFolderTest, TwoVersionsInOneFolder) {
  write("", "w1", 0, 2);
  const auto path = write("", "w1", 10, 2);
  std::string bytes = read_file(path);
  bytes[std::string("chuhe shard ").size()] = '2';
  write_file_atomically(path, bytes);
  EXPECT_THAT(error_of([&] { list_shards(folder_); }),
              AllOf(HasSubstr(path.string()), HasSubstr("shard format 2"), HasSubstr("reads format 1"),
                    HasSubstr("move the file away")));
}

TEST_F(ShardFolderTest, StoredIds) {
  write("a", "w1", 0, 3);
  write("b", "w1", 7, 2);
  write("b", "w2", 3, 2);
  EXPECT_THAT(stored_ids(folder_, "w1"), ElementsAre(0, 1, 2, 7, 8));
  EXPECT_THAT(stored_ids(folder_, "w3"), ElementsAre());
  write("b", "w1", 2, 1);
  EXPECT_THAT(error_of([&] { stored_ids(folder_, "w1"); }),
              HasSubstr("game 2 of w1 is in another shard as well"));
}

// Counting up to the last id of a range never ended where that was the highest number of all.
TEST_F(ShardFolderTest, TheHighestIdsAreIdsAsAnyOther) {
  constexpr uint64_t kHighest = UINT64_MAX;
  const auto path = write("a", "w1", kHighest - 2, 3);
  write("b", "w1", 5, 1);
  EXPECT_EQ(read_header(path).ids, (std::vector{IdRange{kHighest - 2, kHighest}}));
  EXPECT_THAT(stored_ids(folder_, "w1"), ElementsAre(5, kHighest - 2, kHighest - 1, kHighest));
  EXPECT_EQ(read_shard(path).games.back().id, kHighest);
  EXPECT_THAT(ranges_of({kHighest, 0, kHighest}), ElementsAre(IdRange{0, 0}, IdRange{kHighest, kHighest}));
}

// A header is read without its seal: no number in it may keep a reader busy for hours.
TEST_F(ShardFolderTest, AHeaderThatClaimsCountlessGamesIsDamaged) {
  const auto path = write("a", "w1", 0, 1);
  for (const char* claim : {"games 18446744073709551615\nrows 1\nids 0-18446744073709551614\n",
                            "games 0\nrows 1\nids 0-18446744073709551615\n"}) {
    std::string text = "chuhe shard 1\nblock 512\nwriter w1\n" + std::string(claim) + "crc32 00000000\n";
    text.resize(600, '\0');
    write_file_atomically(path, text);
    EXPECT_THAT(error_of([&] { stored_ids(folder_, "w1"); }), HasSubstr("damaged header: "));
  }
}

}  // namespace
}  // namespace chuhe::shards
