#include "shards/shard_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "shards/shard_folder.h"
#include "shards/shard_header.h"
#include "tests/support/paths.h"
#include "tests/support/sample_games.h"
#include "tests/support/temp_folder.h"

// HDF5 1.10 itself leaks when it gives up on damaged metadata (ResealedDamageNeverCrashes).
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:H5FL_";
}

namespace chuhe::shards {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Provenance kProvenance{"[search]\nvisits = 16\n", "abc123"};

template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// Everything that a record can hold, in odd places too.
std::vector<GameRecord> rich_games() {
  auto games = test::sample_games(7, 100, 30);
  games[3].players[0] = "net-a";
  games[3].players[1] = "ab:4";
  games[5].article = "楚河 26.1";
  games[6].plies.clear();
  games[7].nets.clear();
  games[8].id = 0xfffffffffffffff0ULL;
  games[9].seed = 0xffffffffffffffffULL;
  games[9].plies[2].visits = 4000000000u;
  games[9].plies[3].root_value = -1;
  games[9].plies[3].net_value = 1;
  return games;
}

TEST(RangesTest, Merge) {
  EXPECT_THAT(ranges_of({5, 1, 2, 3, 9, 4, 4}), ElementsAre(IdRange{1, 5}, IdRange{9, 9}));
  EXPECT_THAT(ranges_of({}), ElementsAre());
}

TEST(ShardFileTest, RoundTrip) {
  const auto games = rich_games();
  auto shuffled = games;
  Random random(1);
  random.shuffle(std::span<GameRecord>(shuffled));
  const std::string bytes = encode_shard(shuffled, kProvenance);
  const Shard shard = decode_shard(bytes, "x");
  EXPECT_EQ(shard.provenance, kProvenance);
  EXPECT_EQ(shard.header.writer, "main");
  EXPECT_EQ(shard.header.games, 30u);
  ASSERT_EQ(shard.games.size(), games.size());
  EXPECT_EQ(shard.games.back().id, 0xfffffffffffffff0ULL);
  for (const GameRecord& game : games) {
    const auto same_id = [&](const GameRecord& g) { return g.id == game.id; };
    const auto read = std::find_if(shard.games.begin(), shard.games.end(), same_id);
    ASSERT_NE(read, shard.games.end());
    EXPECT_EQ(first_difference(game, *read).value_or("none"), "none");
    EXPECT_EQ(game, *read);
  }
}

TEST(ShardFileTest, SmallestShards) {
  GameRecord empty = test::sample_game(1, 5);
  empty.plies.clear();
  empty.nets.clear();
  for (const Provenance& provenance : {Provenance{}, kProvenance}) {
    const Shard shard = decode_shard(encode_shard({&empty, 1}, provenance), "x");
    EXPECT_THAT(shard.games, ElementsAre(empty));
    EXPECT_EQ(shard.header.rows, 0u);
    EXPECT_EQ(shard.provenance, provenance);
  }
  const GameRecord cheap = test::sample_game(1, 6, {.full_share = 0});
  EXPECT_THAT(decode_shard(encode_shard({&cheap, 1}, {}), "x").games, ElementsAre(cheap));
}

TEST(ShardFileTest, EqualGamesGiveEqualBytes) {
  const auto games = test::sample_games(7, 0, 40);
  EXPECT_EQ(encode_shard(games, kProvenance), encode_shard(games, kProvenance));
  auto other = games;
  other[0].plies[3].visits += 1;
  EXPECT_NE(encode_shard(games, kProvenance), encode_shard(other, kProvenance));
}

TEST(ShardFileTest, ManyScatteredIdsFitTheHeader) {
  std::vector<GameRecord> games;
  for (uint64_t i = 0; i < 400; ++i) games.push_back(test::sample_game(1, 3000000 + 2 * i, {.ply_cap = 2}));
  const std::string bytes = encode_shard(games, {});
  const Shard shard = decode_shard(bytes, "x");
  EXPECT_EQ(shard.header.ids.size(), 400u);
  const test::TempFolder folder;
  const auto path = folder / "scattered.h5";
  write_file_atomically(path, bytes);
  EXPECT_EQ(read_header(path).ids, shard.header.ids);
}

TEST(ShardFileTest, ContractsAreChecked) {
  auto games = test::sample_games(1, 0, 2);
  EXPECT_DEATH(encode_shard({}, {}), "without games");
  games[1].id = games[0].id;
  EXPECT_DEATH(encode_shard(games, {}), "twice");
  games[1].id = 1;
  games[1].writer = "other";
  EXPECT_DEATH(encode_shard(games, {}), "writers");
}

// The worst case of the size that is promised (120 bytes): every search full, policies over all legal moves.
TEST(ShardFileTest, BytesPerPosition) {
  const auto bytes_per_row = [](const test::SampleSpec& spec) {
    const auto games = test::sample_games(2, 0, 100, spec);
    size_t rows = 0;
    for (const auto& game : games) rows += game.plies.size();
    return double(encode_shard(games, kProvenance).size()) / double(rows);
  };
  const double all_full = bytes_per_row({.full_share = 1});
  const double quarter_full = bytes_per_row({.full_share = 0.25});
  RecordProperty("bytes_per_row_all_full", std::to_string(all_full));
  RecordProperty("bytes_per_row_quarter_full", std::to_string(quarter_full));
  EXPECT_LT(all_full, 90);
  EXPECT_LT(quarter_full, 40);
}

class DamageTest : public testing::Test {
 protected:
  const std::vector<GameRecord> games_ = test::sample_games(7, 0, 6);
  const std::string bytes_ = encode_shard(games_, kProvenance);
};

TEST_F(DamageTest, EveryFlippedBitIsFound) {
  Random random(3);
  std::vector<size_t> places;
  for (size_t i = 0; i < 600; ++i) places.push_back(i);  // the header, and the start of HDF5
  for (int i = 0; i < 1500; ++i) places.push_back(random.below(bytes_.size()));
  for (const size_t place : places) {
    std::string bad = bytes_;
    bad[place] = char(bad[place] ^ (1 << random.below(8)));
    EXPECT_THAT(error_of([&] { decode_shard(bad, "bad.h5"); }), StartsWith("bad.h5: ")) << place;
  }
}

TEST_F(DamageTest, EveryCutIsFound) {
  for (size_t size = 0; size < bytes_.size(); size += size < 700 ? 7 : 97)
    EXPECT_THAT(error_of([&] { decode_shard(bytes_.substr(0, size), "bad.h5"); }), StartsWith("bad.h5: "))
        << size;
  EXPECT_THAT(error_of([&] { decode_shard(bytes_.substr(0, bytes_.size() - 1), "bad.h5"); }),
              HasSubstr("damaged or cut short"));
  EXPECT_THAT(error_of([&] { decode_shard(bytes_ + "x", "bad.h5"); }),
              HasSubstr("its checksum does not fit"));
}

TEST_F(DamageTest, OtherFiles) {
  EXPECT_THAT(error_of([&] { decode_shard("", "a"); }),
              HasSubstr("a: not a shard: it does not begin with 'chuhe shard '"));
  EXPECT_THAT(error_of([&] { decode_shard(std::string(5000, '\0'), "a"); }), HasSubstr("not a shard"));
  EXPECT_THAT(error_of([&] { decode_shard("\x89HDF\r\n\x1a\n" + std::string(5000, 'x'), "a"); }),
              HasSubstr("not a shard"));
  std::string junk = bytes_;
  const size_t block = parse_block(bytes_, "a").size;
  std::fill(junk.begin() + long(block), junk.end(), 'j');
  seal(junk, parse_block(bytes_, "a").header);
  EXPECT_THAT(error_of([&] { decode_shard(junk, "a"); }), HasSubstr("a: not an HDF5 file"));
}

TEST_F(DamageTest, AnotherVersionIsNamed) {
  std::string future = bytes_;
  future[std::string("chuhe shard ").size()] = '2';
  EXPECT_THAT(error_of([&] { decode_shard(future, "new.h5"); }),
              StartsWith("new.h5: shard format 2, this program reads format 1"));
}

// Damage that the seal does not see (a program that seals what it got wrong): HDF5's own checksums and the
// decoder's checks must end in an Error or in records, never in a crash.
TEST_F(DamageTest, ResealedDamageNeverCrashes) {
  Random random(4);
  const HeaderBlock block = parse_block(bytes_, "a");
  int errors = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bad = bytes_;
    const size_t place = block.size + random.below(bad.size() - block.size);
    bad[place] = char(bad[place] ^ (1 << random.below(8)));
    seal(bad, block.header);
    errors += error_of([&] { decode_shard(bad, "bad.h5"); }) != "no error";
  }
  EXPECT_GT(errors, 350);
}

TEST_F(DamageTest, AHeaderThatLiesIsFound) {
  HeaderBlock block = parse_block(bytes_, "a");
  std::string bad = bytes_;
  block.header.rows += 1;
  seal(bad, block.header);
  EXPECT_THAT(error_of([&] { decode_shard(bad, "bad.h5"); }), HasSubstr("its header says"));
}

TEST_F(DamageTest, TheNameMustTellTheContent) {
  const test::TempFolder folder;
  const auto path = folder / "g0000000000-main-7g-1r.h5";
  write_file_atomically(path, bytes_);
  EXPECT_THAT(error_of([&] { read_shard(path); }),
              HasSubstr("its name does not tell what it holds, expected g0000000000-main-6g-"));
  EXPECT_THAT(error_of([&] { read_shard(folder / "none.h5"); }), HasSubstr("none.h5: cannot open"));
}

TEST_F(DamageTest, ThreadsMayReadAndWriteAtOnce) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i)
        EXPECT_EQ(decode_shard(encode_shard(games_, kProvenance), "x").games, games_);
    });
}

// Everything in a record, by name and value.
uint64_t digest_of(const std::vector<GameRecord>& games) {
  std::string text;
  const auto put = [&text](const auto& value) { text += fmt::format("{};", value); };
  for (const GameRecord& g : games) {
    put(g.writer), put(g.id), put(g.seed), put(g.rule_set), put(g.params_hash), put(g.start_fen);
    put(name_of(g.outcome)), put(name_of(g.reason)), put(g.article), put(g.resign_disabled),
        put(g.resign_ply);
    put(g.players[0]), put(g.players[1]);
    for (const NetRun& run : g.nets) put(run.ply), put(run.net_id);
    for (const PlyRecord& p : g.plies) {
      put(to_uci(p.move)), put(int(p.search)), put(p.visits), put(p.root_value), put(p.net_value);
      for (const PolicyEntry& e : p.policy) put(to_uci(e.move)), put(e.weight);
    }
  }
  return hash_text(text);
}

// Written by the first version of this program; every later one must read the same games out of it.
TEST(GoldenShardTest, IsStillRead) {
  const auto path = golden_dir() / "shards" / "g0000000000-golden-8g-311r.h5";
  const Shard shard = read_shard(path);
  EXPECT_EQ(shard.provenance, (Provenance{"golden = true\n", "0"}));
  EXPECT_EQ(shard.games.size(), 8u);
  EXPECT_EQ(digest_of(shard.games), 1186071230404480964ULL);
  for (const auto& game : shard.games) EXPECT_EQ(find_fault(game).value_or("none"), "none");
}

}  // namespace
}  // namespace chuhe::shards
