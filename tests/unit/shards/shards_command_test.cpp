#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "shards/shard_file.h"
#include "shards/shard_folder.h"
#include "shards/shard_writer.h"
#include "tests/support/sample_games.h"
#include "tests/support/temp_folder.h"
#include "xiangqi/notation/pgn.h"

namespace chuhe::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
namespace fs = std::filesystem;

class ShardsCommandTest : public testing::Test {
 protected:
  struct Answer {
    int status;
    std::string text;
  };
  static Answer call(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "shards");
    std::vector<char*> argv;
    for (auto& a : arguments) argv.push_back(a.data());
    testing::internal::CaptureStdout();
    int status = 2;
    std::string error;
    try {
      status = shards_command(int(argv.size()), argv.data());
    } catch (const Error& e) {
      error = e.what();
    }
    return {status, testing::internal::GetCapturedStdout() + error};
  }
  fs::path write(const std::string& name, uint64_t seed, uint64_t first, int count,
                 const std::string& writer = "main") const {
    shards::ShardWriter out(folder_ / name, writer, {});
    for (auto& game : test::sample_games(seed, first, count, {.ply_cap = 40})) {
      game.writer = writer;
      out.add(std::move(game), 0);
    }
    out.flush();
    return folder_ / name;
  }

  const test::TempFolder temp_;
  const fs::path folder_ = temp_ / "games";
};

TEST_F(ShardsCommandTest, Info) {
  const auto a = write("a", 1, 0, 5);
  const auto answer = call({"info", a.string()});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.text, AllOf(HasSubstr("format 1, writer main, 5 games"), HasSubstr("ids 0-4"),
                                 HasSubstr("SHARDS files=1 games=5 positions=")));
}

TEST_F(ShardsCommandTest, VerifyFindsNothingWrong) {
  write("a", 1, 0, 5);
  write("a", 1, 7, 2);
  const auto answer = call({"verify", folder_.string()});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.text, AllOf(HasSubstr("VERIFY ok games=7 "),
                                 EndsWith("corrupt=0 faults=0 duplicates=0 missing_ids=2 unfinished=0\n")));
}

// Games that began at --first-id: those below it were never asked for. Without it a lost beginning must show.
TEST_F(ShardsCommandTest, VerifyCountsMissingIdsFromTheFirst) {
  const auto a = write("a", 1, 100, 5).string();
  write("a", 1, 106, 1);
  EXPECT_THAT(call({"verify", a}).text, HasSubstr("missing_ids=101 "));
  EXPECT_THAT(call({"verify", a, "--first-id", "100"}).text, HasSubstr("missing_ids=1 "));
  EXPECT_THAT(call({"verify", a, "--first-id", "98"}).text, HasSubstr("missing_ids=3 "));
  EXPECT_THAT(call({"verify", a, "--first-id", "200"}).text, HasSubstr("missing_ids=0 "));
}

TEST_F(ShardsCommandTest, VerifyNamesEveryFault) {
  write("a", 1, 0, 5);
  write("b", 1, 4, 1);  // game 4 twice
  // A game that breaks the rules, in a sound file.
  auto game = test::sample_game(1, 9, {.ply_cap = 40});
  game.plies[5].move = xiangqi::Move(0, 89);
  const auto bad = folder_ / "a" / shards::to_file_name({9, "main", 1, game.plies.size()});
  write_file_atomically(bad, shards::encode_shard({&game, 1}, {}));
  // A damaged file.
  const auto cut = write("c", 1, 20, 1);
  const auto path = shards::find_shards(cut).shards[0].path;
  std::string bytes = read_file(path);
  bytes[bytes.size() - 30] ^= 1;
  write_file_atomically(path, bytes);
  std::ofstream(folder_ / "c" / "x.tmp") << "half";

  const auto answer = call({"verify", folder_.string()});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.text, HasSubstr("game main/4 is in another shard as well"));
  EXPECT_THAT(answer.text, HasSubstr("game main/9: ply 5: illegal move a0i9"));
  EXPECT_THAT(answer.text, HasSubstr(path.string() + ": damaged or cut short"));
  EXPECT_THAT(answer.text, AllOf(HasSubstr("VERIFY FAIL games=7 "),
                                 EndsWith("corrupt=1 faults=1 duplicates=1 missing_ids=4 unfinished=1\n")));
}

TEST_F(ShardsCommandTest, StatsRequire) {
  const auto a = write("a", 1, 0, 20).string();
  const auto pass = call({"stats", a, "--require", "bytes_per_position<=120", "--require", "games==20"});
  EXPECT_EQ(pass.status, 0);
  const std::string last = pass.text.substr(pass.text.rfind('\n', pass.text.size() - 2) + 1);
  EXPECT_THAT(last, AllOf(HasSubstr("PASS bytes_per_position="), EndsWith(" games=20\n")));
  const auto fail = call({"stats", a, "--require", "games>20"});
  EXPECT_EQ(fail.status, 1);
  EXPECT_THAT(fail.text, EndsWith("FAIL games=20 (required >20)\n"));
  EXPECT_EQ(call({"stats", a}).status, 0);
  EXPECT_THAT(call({"stats", a, "--require", "gmaes>2"}).text, HasSubstr("unknown figure 'gmaes'"));
  for (const char* bad : {"games", "games=>2", "games>", "games>x", "games>2x"})
    EXPECT_THAT(call({"stats", a, "--require", bad}).text, HasSubstr("expected NAME<=NUMBER")) << bad;
}

TEST_F(ShardsCommandTest, Diff) {
  const auto a = write("a", 1, 0, 5).string(), b = write("b", 1, 0, 5).string(),
             c = write("c", 2, 1, 5).string();
  const auto same = call({"diff", a, b});
  EXPECT_EQ(same.status, 0);
  EXPECT_EQ(same.text, "EQUAL games=5\n");
  const auto other = call({"diff", a, c});
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.text, AllOf(HasSubstr("game main/1: seed 1, 2"), HasSubstr("game main/0 only in " + a),
                                HasSubstr("game main/5 only in " + c),
                                EndsWith("DIFFERENT games=5 differing=4 only_a=1 only_b=1\n")));
}

// user case U066: a game file tells by which rules a game was played and why it ended.
TEST_F(ShardsCommandTest, PgnKeepsMovesRulesAndReasons) {
  const auto a = write("a", 1, 0, 5);
  const auto games = shards::read_shard(shards::list_shards(a).front().path).games;
  for (const char* notation : {"chinese", "wxf", "iccs"}) {
    const auto answer = call({"pgn", a.string(), "--to", notation});
    EXPECT_EQ(answer.status, 0);
    const auto file = xiangqi::read_pgn(answer.text, "test");
    ASSERT_TRUE(file.faults.empty()) << file.faults.front().message;
    ASSERT_EQ(file.games.size(), games.size());
    for (size_t i = 0; i < games.size(); ++i) {
      const xiangqi::PgnGame& g = file.games[i];
      EXPECT_EQ(g.tag(xiangqi::kRuleSetTag), games[i].rule_set);
      EXPECT_EQ(g.tag(xiangqi::kEndReasonTag), name_of(games[i].reason));
      EXPECT_EQ(g.result == "1-0", games[i].outcome == xiangqi::Outcome::RedWins);
      EXPECT_EQ(g.result == "0-1", games[i].outcome == xiangqi::Outcome::BlackWins);
      ASSERT_EQ(g.moves.size(), games[i].plies.size());
      for (size_t ply = 0; ply < g.moves.size(); ++ply) EXPECT_EQ(g.moves[ply], games[i].plies[ply].move);
    }
  }
  EXPECT_EQ(xiangqi::read_pgn(call({"pgn", a.string(), "--games", "2"}).text, "test").games.size(), 2u);
  EXPECT_THAT(call({"pgn", a.string(), "--to", "morse"}).text, HasSubstr("morse"));
}

TEST_F(ShardsCommandTest, BadInput) {
  EXPECT_THAT(call({"info", "/nope"}).text, HasSubstr("/nope: no such folder, expected one with shards"));
  EXPECT_THAT(call({"look", "/nope"}).text, HasSubstr("shards: "));
  EXPECT_THAT(call({"diff", "/nope"}).text, HasSubstr("shards: "));
  fs::create_directories(folder_);
  EXPECT_THAT(call({"verify", folder_.string()}).text, HasSubstr("no shards: 0 files match"));
}

}  // namespace
}  // namespace chuhe::cli
