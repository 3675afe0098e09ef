// Whole matches with doubles and built-in players.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "gauntlet/gauntlet.h"
#include "nn/api/doubles.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/nn/nn_support.h"

namespace chuhe::gauntlet {
namespace {

MatchRequest small_match(const char* a, const char* b) {
  const auto contender = [](const char* name) {
    Contender c{name, {}};
    if (!match::is_builtin(name)) c.evaluator = [name = std::string(name)] { return nn::make_double(name); };
    return c;
  };
  MatchRequest request;
  request.a = contender(a);
  request.b = contender(b);
  request.games = 12;
  request.visits = 4;
  request.settings.farm.workers = 2;
  request.settings.farm.slots = 4;
  request.settings.adjudication.ply_cap = 60;  // for speed alone
  return request;
}

void expect_equal(const MatchResult& x, const MatchResult& y) {
  EXPECT_EQ(x.wins, y.wins);
  EXPECT_EQ(x.draws, y.draws);
  EXPECT_EQ(x.losses, y.losses);
  EXPECT_EQ(x.pairs, y.pairs);
  EXPECT_EQ(x.reasons, y.reasons);
  EXPECT_EQ(x.distinct, y.distinct);
  EXPECT_EQ(x.plies, y.plies);
}

TEST(Match, ResultsAreColourSwappedPairs) {
  const MatchResult r = play_match(small_match("material", "hash"), {});
  EXPECT_EQ(r.games(), 12);
  EXPECT_EQ(pairs(r.pairs), 6);
  EXPECT_EQ(r.unpaired, 0);
  int64_t half_points = 0;
  for (size_t i = 0; i < 5; ++i) half_points += int64_t(i) * r.pairs[i];
  EXPECT_EQ(half_points, 2 * r.wins + r.draws);
}

TEST(Match, SwappingThePlayersMirrorsTheResult) {
  // Both sides without chance of their own: a pair's two games change places.
  const MatchResult ab = play_match(small_match("material", "hash"), {});
  const MatchResult ba = play_match(small_match("hash", "material"), {});
  EXPECT_EQ(ab.wins, ba.losses);
  EXPECT_EQ(ab.losses, ba.wins);
}

TEST(Match, APlayerAgainstItselfScoresHalf) {
  const MatchResult r = play_match(small_match("hash", "hash"), {});
  EXPECT_EQ(score(r.pairs).value, 0.5);
}

TEST(Match, ABuiltinPlayerNeedsNoEvaluator) {
  EXPECT_EQ(play_match(small_match("greedy", "random"), {}).games(), 12);
  EXPECT_EQ(play_match(small_match("random", "material"), {}).games(), 12);
}

TEST(Match, PolicyAloneIsPlayedWithoutSearch) {
  MatchRequest request = small_match("uniform", "random");
  request.visits = 0;
  EXPECT_EQ(play_match(request, {}).games(), 12);
}

// U109: a match that was killed goes on with the next game and ends with the same totals.
TEST(Match, ResumedFromItsJournalEqualsTheUnbrokenOne) {
  MatchRequest request = small_match("material", "random");
  const MatchResult unbroken = play_match(request, {});
  const test::TempFolder folder;
  request.journal = folder / "match_resume.jsonl";
  play_match(request, {});
  const std::string whole = read_file(request.journal);
  // Every cut of the file: after so many lines, and in the middle of the next one.
  const auto lines = read_lines(request.journal);
  std::string kept;
  for (size_t n = 0; n < lines.size(); n += 3) {
    kept.clear();
    for (size_t i = 0; i < n; ++i) kept += lines[i] + "\n";
    if (n > 0) kept += lines[n].substr(0, lines[n].size() / 2);
    std::ofstream(request.journal, std::ios::trunc) << kept;
    expect_equal(play_match(request, {}), unbroken);
    EXPECT_EQ(read_lines(request.journal).size(), lines.size()) << "a game was played twice";
  }
  expect_equal(read_match(request.journal), unbroken);
}

TEST(Match, JournalOfAnotherMatchIsRefused) {
  MatchRequest request = small_match("greedy", "random");
  request.games = 2;
  const test::TempFolder folder;
  request.journal = folder / "match_other.jsonl";
  play_match(request, {});
  request.seed = 2;
  EXPECT_THROW(play_match(request, {}), Error);
  request.seed = 1;
  request.settings.adjudication.ply_cap = 61;
  EXPECT_THROW(play_match(request, {}), Error);
  request.settings.adjudication.ply_cap = 60;
  request.games = 4;  // more games of the same match are welcome
  EXPECT_EQ(play_match(request, {}).games(), 4);
}

// Nets of two runs may have the same id, such as quickstart-2: their files tell them apart.
TEST(Match, JournalOfAnotherNetOfTheSameNameIsRefused) {
  MatchRequest request = small_match("hash", "random");
  request.games = 2;
  request.a.file = "0001";
  const test::TempFolder folder;
  request.journal = folder / "match_other_net.jsonl";
  play_match(request, {});
  EXPECT_EQ(play_match(request, {}).games(), 2);
  request.a.file = "0002";
  try {
    play_match(request, {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("another net named hash (file digest 0001, now 0002)"),
              std::string::npos)
        << e.what();
  }
}

// The file's digest is what open_contender takes; a name alone has none.
TEST(Match, ContendersOfFilesAreKnownByTheFile) {
  const test::TempFolder folder;
  const auto save = [&](const char* name, int64_t step) {
    nn::NetFile net = nn::test::random_net({.blocks = 1, .channels = 16}, 1);
    net.id = "same";
    net.step = step;
    const auto path = folder / name;
    nn::write_net_file(net, path);
    return path.string();
  };
  const nn::EvaluatorSettings settings{.device = "cpu", .backend = "eigen"};
  const std::string one = save("one.safetensors", 1), two = save("two.safetensors", 2);
  const Contender a = open_contender(one, settings), again = open_contender(one, settings),
                  b = open_contender(two, settings);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.file, again.file);
  EXPECT_NE(a.file, b.file);
  EXPECT_EQ(a.file.size(), 16u);
  EXPECT_TRUE(open_contender("random", settings).file.empty());
  EXPECT_TRUE(open_contender("hash", settings).file.empty());
}

TEST(Match, GamesAreRoundedUpToPairs) {
  MatchRequest request = small_match("greedy", "random");
  request.games = 3;
  EXPECT_EQ(whole_pairs(request.games), 4);
  EXPECT_EQ(whole_pairs(4), 4);
  EXPECT_EQ(play_match(request, {}).games(), 4);
}

TEST(Match, DamagedJournalNamesItsLine) {
  MatchRequest request = small_match("greedy", "random");
  request.games = 2;
  const test::TempFolder folder;
  request.journal = folder / "match_damaged.jsonl";
  play_match(request, {});
  auto lines = read_lines(request.journal);
  lines[1][0] = '#';
  write_file_atomically(request.journal, lines[0] + "\n" + lines[1] + "\n");
  try {
    play_match(request, {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("match_damaged.jsonl:2"), std::string::npos) << e.what();
  }
}

// A finished game whose partner was cut off says nothing yet.
TEST(Match, OddGamesAreLeftOut) {
  MatchRequest request = small_match("greedy", "random");
  const test::TempFolder folder;
  request.journal = folder / "match_odd.jsonl";
  play_match(request, {});
  const auto lines = read_lines(request.journal);
  std::string kept = lines[0] + "\n";
  for (size_t i = 1; i < lines.size(); ++i)
    if (lines[i].find("\"id\":0,") != std::string::npos || lines[i].find("\"id\":2,") != std::string::npos ||
        lines[i].find("\"id\":3,") != std::string::npos)
      kept += lines[i] + "\n";
  write_file_atomically(request.journal, kept);
  const MatchResult r = read_match(request.journal);
  EXPECT_EQ(r.games(), 2);
  EXPECT_EQ(r.unpaired, 1);
}

// U042, U101: two games that went the same way count as one.
TEST(Match, CopiesAreCountedAndReported) {
  MatchRequest request = small_match("material", "hash");
  const test::TempFolder folder;
  const auto openings = folder / "one.epd";
  write_file_atomically(openings, "startpos\n");
  request.settings.openings = openings.string();
  const MatchResult r = play_match(request, {});
  EXPECT_EQ(r.games(), 12);
  EXPECT_EQ(r.distinct, 2);
  const auto lines = report(r);
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(),
                          [](const std::string& l) { return l.starts_with("warning:"); }));
}

}  // namespace
}  // namespace chuhe::gauntlet
