// Suites: the files, the built-in rows, and scores with doubles.

#include "gauntlet/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "gauntlet/suite_score.h"
#include "mcts/search/search.h"
#include "nn/api/doubles.h"

namespace chuhe::gauntlet {
namespace {

using testing::HasSubstr;
using xiangqi::Move;
using xiangqi::Position;

const std::string kHead = "# a comment\n\nid\tfen\ttheme\tbest\talso\tresult\tproof\n";
// Red's rook mates on d1; a8 shortens nothing.
const std::string kMate = "a\t3k5/9/9/8p/9/9/9/9/R8/4K4 w\tface\ta1d1\ta1a8\twin\tchecks=1\n";
const std::string kDraw = "b\t3k5/9/9/9/9/9/9/9/9/5K3 w\tbare\t-\t-\tdraw\ttable=0\n";

std::string fault_of(const std::string& text) {
  try {
    parse_suite(text, "s.tsv");
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(Suite, ReadsRows) {
  const Suite suite = parse_suite(kHead + kMate + kDraw, "folder/s.tsv");
  EXPECT_EQ(suite.name, "s");
  ASSERT_EQ(suite.positions.size(), 2u);
  EXPECT_EQ(suite.positions[0].best, std::vector<Move>{xiangqi::parse_uci("a1d1")});
  EXPECT_EQ(suite.positions[0].also, std::vector<Move>{xiangqi::parse_uci("a1a8")});
  EXPECT_EQ(suite.positions[0].result, KnownResult::Win);
  EXPECT_TRUE(suite.positions[1].best.empty());
  EXPECT_EQ(themes_of(suite), (std::vector<std::string>{"face", "bare"}));
}

TEST(Suite, TakesTheMarkThatEditorsOnWindowsWrite) {
  const Suite plain = parse_suite(kHead + kMate, "s.tsv"),
              marked = parse_suite("\xef\xbb\xbf" + kHead + kMate, "s.tsv");
  EXPECT_EQ(marked.positions.size(), 1u);
  EXPECT_EQ(marked.digest, plain.digest);
}

TEST(Suite, NamesFileLineAndFault) {
  const auto row = [](const char* fen, const char* best, const char* also, const char* result) {
    return kHead + fmt::format("a\t{}\tt\t{}\t{}\t{}\tp\n", fen, best, also, result);
  };
  const char* fen = "3k5/9/9/8p/9/9/9/9/R8/4K4 w";
  EXPECT_THAT(fault_of(kMate), HasSubstr("s.tsv:1: expected the names of the columns"));
  EXPECT_THAT(fault_of(kHead), HasSubstr("s.tsv: no position"));
  EXPECT_THAT(fault_of(kHead + "a\tb\n"), HasSubstr("s.tsv:4: 2 columns, expected 7"));
  EXPECT_THAT(fault_of(row("9/9 w", "-", "-", "draw")), HasSubstr("s.tsv:4: "));
  EXPECT_THAT(fault_of(row(fen, "a1b2", "-", "win")), HasSubstr("column best: 'a1b2' is not legal"));
  EXPECT_THAT(fault_of(row(fen, "a1b1", "a1b1", "win")), HasSubstr("in best and in also"));
  EXPECT_THAT(fault_of(row(fen, "a1b1 a1b1", "-", "win")), HasSubstr("'a1b1' is there twice"));
  EXPECT_THAT(fault_of(row(fen, "-", "a1b1", "win")), HasSubstr("none in best"));
  EXPECT_THAT(fault_of(row(fen, "-", "-", "won")), HasSubstr("column result: 'won'"));
  EXPECT_THAT(fault_of(row(fen, "-", "-", "-")), HasSubstr("neither a best move nor a result"));
  EXPECT_THAT(fault_of(row("3k5/9/9/9/9/9/9/9/3R5/4K4 b", "-", "-", "loss")), HasSubstr("the game is over"));
  EXPECT_THAT(fault_of(kHead + kMate + kMate), HasSubstr("s.tsv:5: the id 'a' is there twice"));
  EXPECT_THROW(open_suite("nosuch"), Error);
}

/// No table, no order of moves: what a mate by consecutive checks is.
bool mates(const Position& p, int checks) {
  for (const Move m : p.legal_moves()) {
    Position q = p;
    q.play(m);
    if (!q.in_check()) continue;
    const xiangqi::MoveList replies = q.legal_moves();
    const bool forced = std::all_of(replies.begin(), replies.end(), [&](Move r) {
      Position next = q;
      next.play(r);
      return checks > 1 && mates(next, checks - 1);
    });
    if (forced) return true;
  }
  return false;
}

// tests/property/suites proves all rows; this one is plainer, and sees the short mates only.
TEST(Suite, ShortMatesAreAsTheRowsSay) {
  int seen = 0;
  for (const char* name : {"patterns", "mates"}) {
    for (const SuitePosition& p : open_suite(name).positions) {
      const int checks = p.proof.size() == 8 ? p.proof.back() - '0' : 9;
      if (checks > 3) continue;
      ++seen;
      for (const Move m : p.position.legal_moves()) {
        Position q = p.position;
        q.play(m);
        const xiangqi::MoveList replies = q.legal_moves();
        const bool forced = std::all_of(replies.begin(), replies.end(), [&](Move r) {
          Position next = q;
          next.play(r);
          return checks > 1 && mates(next, checks - 1);
        });
        const bool best = std::find(p.best.begin(), p.best.end(), m) != p.best.end();
        EXPECT_EQ((q.in_check() || replies.empty()) && forced, best) << p.id << ' ' << to_uci(m);
      }
    }
  }
  EXPECT_GE(seen, 70);
}

TEST(Suite, BuiltInOnesAreThere) {
  EXPECT_GE(open_suite("patterns").positions.size(), 70u);
  EXPECT_GE(open_suite("mates").positions.size(), 200u);
  EXPECT_GE(open_suite("endings").positions.size(), 200u);
  const auto themes = themes_of(open_suite("compositions"));
  for (const char* great : {"qixingjuhui", "qianliduxing", "qiuyinxianglong", "yemacaotian"})
    EXPECT_THAT(themes, testing::Contains(great));
}

// Where all priors are equal, the policy knows as much as chance does.
TEST(SuiteScore, EqualPriorsGiveAShare) {
  const Suite suite = parse_suite(kHead + kMate + kDraw, "s");
  const auto evaluator = nn::make_double("uniform");
  const auto levels = ask_suite(*evaluator, suite, {0}, xiangqi::rule_set("none"));
  const double n = suite.positions[0].position.count_legal_moves();
  const SuiteTally t = tally(suite, levels[0]);
  EXPECT_NEAR(*t.best, 1 / n, 1e-12);
  EXPECT_NEAR(*t.sound, 2 / n, 1e-12);
  EXPECT_NEAR(*t.mass, 1 / n, 1e-6);
  EXPECT_EQ(*t.sign, 0);  // a value of 0 has no sign
  EXPECT_EQ(*t.result, 0.5);
  EXPECT_EQ(*t.error, 0.5);
  EXPECT_FALSE(tally(suite, levels[0], "bare").best.has_value());
  EXPECT_FALSE(tally(suite, levels[0], "bare").sign.has_value());
}

TEST(SuiteScore, TalliesWhatWasAnswered) {
  const std::string lost = "c\t4k4/9/9/9/9/9/9/9/9/3K1r3 w\tlost\t-\t-\tloss\tp\n";
  const Suite suite = parse_suite(kHead + kMate + kDraw + lost, "s");
  SuiteAnswers answers{0, {{Move{}, 1, 1, 0.25, 0.4}, {Move{}, 0, 0, 0, -0.6}, {Move{}, 0, 0, 0, -0.9}}};
  const SuiteTally t = tally(suite, answers);
  EXPECT_EQ(t.positions, 3);
  EXPECT_EQ(*t.best, 1);
  EXPECT_EQ(*t.mass, 0.25);
  EXPECT_EQ(*t.sign, 1);                   // +0.4 for a win, -0.9 for a loss
  EXPECT_NEAR(*t.result, 1.0 / 3, 1e-12);  // 0.4 is nearer to a draw, -0.6 to a loss
  EXPECT_NEAR(*t.error, (0.6 + 0.6 + 0.1) / 3, 1e-12);
  EXPECT_EQ(summary_of(suite, {answers}),
            "suite=s policy=1.000 mass=0.250 sign=1.000 error=0.433 positions=3");
}

// Searches share batches; each must go as if it were alone.
TEST(SuiteScore, SearchesInABatchAreThoseOfASearchAlone) {
  const Suite suite = open_suite("mates");
  const auto evaluator = nn::make_double("hash");
  const xiangqi::RuleSet& rules = xiangqi::rule_set("none");
  for (const char* algorithm : {"gumbel", "puct"}) {
    mcts::SearchParams params = suite_search();
    params.algorithm = algorithm;
    const auto levels = ask_suite(*evaluator, suite, {24}, rules, params);
    ASSERT_EQ(levels[0].answers.size(), suite.positions.size());
    params.visits = 24;
    for (size_t i = 0; i < suite.positions.size(); i += 17) {
      mcts::Search search(params, rules);
      const auto alone = search.run(
          *evaluator, xiangqi::GameHistory(suite.positions[i].position, rules.natural_limit_checks),
          Random(9));
      EXPECT_EQ(levels[0].answers[i].move, alone.best) << algorithm << ' ' << suite.positions[i].id;
      EXPECT_EQ(levels[0].answers[i].value, double(alone.value)) << algorithm << ' ' << suite.positions[i].id;
    }
  }
}

TEST(SuiteScore, ASearchFindsMatesInOne) {
  const Suite suite = open_suite("patterns");
  const auto evaluator = nn::make_double("uniform");
  mcts::SearchParams params = suite_search();
  params.algorithm = "puct";  // looks at every move of the root; Gumbel at 16
  const auto levels = ask_suite(*evaluator, suite, {0, 400}, xiangqi::rule_set("none"), params);
  EXPECT_LT(*tally(suite, levels[0]).best, 0.2);
  EXPECT_GT(*tally(suite, levels[1]).best, 0.8);
}

TEST(SuiteSettings, ReadsNamesAndVisits) {
  SuiteSettings s;
  EXPECT_TRUE(s.open().empty());
  s.names = "mates,patterns";
  EXPECT_EQ(s.open().size(), 2u);
  EXPECT_EQ(s.visit_counts(), (std::vector<int>{0, 16}));
  s.names = "mates,mates";
  EXPECT_THROW(s.open(), Error);
  for (const char* bad : {"", "x", "1,,2", "-1", "0,0", "1.5"})
    EXPECT_THROW(parse_visits(bad, "v"), Error) << bad;
}

}  // namespace
}  // namespace chuhe::gauntlet
