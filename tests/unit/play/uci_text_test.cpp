#include "play/uci_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace chuhe::play {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using xiangqi::Move;
using xiangqi::parse_uci;
using xiangqi::Position;

const xiangqi::RuleSet& rules() {
  return xiangqi::rule_set("checks_only");
}

Result<PositionText> position(std::string_view text, int rank_base = 0) {
  return parse_position(words_of(text), rules(), rank_base);
}

Result<Limits> go(std::string_view text) {
  return parse_go(words_of(text), Position(), 0);
}

TEST(Words, AreCutAtAnyBlank) {
  EXPECT_THAT(words_of("  go\tnodes   5\r"), ElementsAre("go", "nodes", "5"));
  EXPECT_TRUE(words_of(" \r").empty());
}

TEST(Printable, IsFitForAnInfoString) {
  EXPECT_EQ(printable("a\n\x01\xff z"), "a??? z");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

TEST(PositionText, AllDialectsOfTheStartAgree) {
  constexpr std::string_view kBoard = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
  for (const char* fields : {"w - - 0 1", "w", "r", "w - -", "r - - 0 1"}) {
    const auto parsed = position(fmt::format("fen {} {} moves h2e2", kBoard, fields));
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ(parsed->history.current().to_fen(),
              position("startpos moves h2e2")->history.current().to_fen());
  }
  EXPECT_TRUE(position(fmt::format("fen {} w - - moves", kBoard)));
  EXPECT_TRUE(position("startpos moves"));
  EXPECT_TRUE(position("startpos"));
}

TEST(PositionText, FaultsAreNamed) {
  EXPECT_THAT(position("").error(), HasSubstr("expected 'startpos' or 'fen"));
  EXPECT_THAT(position("startpos h2e2").error(), HasSubstr("expected 'startpos' or 'fen"));
  EXPECT_THAT(position("fen").error(), HasSubstr("fen"));
  EXPECT_THAT(position("fen 9/9 w").error(), HasSubstr("ranks"));
  EXPECT_THAT(position("startpos moves h2e2 h9g7 h2h3").error(),
              HasSubstr("move 3 of 3, 'h2h3', is not legal"));
  EXPECT_THAT(position("startpos moves h2e2 xyz").error(), HasSubstr("'xyz', is no move"));
  EXPECT_THAT(position("startpos moves h2e2 \x1b[2J").error(), HasSubstr("'?[2J'"));
}

TEST(PositionText, RanksFromOneAreFoundOut) {
  const auto parsed = position("startpos moves h3e3 h10g8");
  ASSERT_TRUE(parsed);
  EXPECT_THAT(parsed->note, HasSubstr("ranks from 1"));
  EXPECT_EQ(parsed->history.current(), position("startpos moves h2e2 h9g7")->history.current());
  EXPECT_EQ(position("startpos moves h3e3 h10g8", 1)->note, "");
}

TEST(PositionText, LongGames) {
  std::string line = "startpos moves";
  for (int i = 0; i < 500; ++i) line += " h0g2 h9g7 g2h0 g7h9";
  const auto parsed = position(line);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->history.plies(), 2000);
}

TEST(GoText, TakesAnyOrderAndSkipsUnknownWords) {
  const auto limits =
      go("btime 2000 wtime 1000 foo winc 10 binc 20 movestogo 5 searchmoves h2e2 b2e2 depth 7");
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->clock_ms[0], 1000);
  EXPECT_EQ(limits->clock_ms[1], 2000);
  EXPECT_EQ(limits->increment_ms[0], 10);
  EXPECT_EQ(limits->increment_ms[1], 20);
  EXPECT_EQ(limits->moves_to_go, 5);
  EXPECT_EQ(limits->depth, 7);
  EXPECT_THAT(limits->search_moves, ElementsAre(parse_uci("h2e2"), parse_uci("b2e2")));
  EXPECT_FALSE(limits->infinite);
}

TEST(GoText, NegativeAndHugeNumbersAreClamped) {
  EXPECT_EQ(go("wtime -20")->clock_ms[0], 0);
  EXPECT_EQ(go("depth 999999999999")->depth, 1'000'000);
  EXPECT_EQ(go("nodes 9000000000000000000")->nodes, int64_t{1} << 40);
}

TEST(GoText, NumberThatIsNoneIsAFault) {
  EXPECT_THAT(go("nodes abc").error(), HasSubstr("nodes wants a whole number, got 'abc'"));
  EXPECT_THAT(go("movetime").error(), HasSubstr("movetime wants"));
  EXPECT_THAT(go("depth 3x").error(), HasSubstr("got '3x'"));
}

TEST(InfoText, BlockOfLines) {
  SearchInfo info;
  info.depth = 3;
  info.deepest = 5;
  info.nodes = 9;
  info.nodes_per_second = 900;
  info.time_ms = 10;
  info.hash_full = 1;
  InfoLine first;
  first.centipawns = 42;
  first.wdl = {400, 300, 300};
  first.pv = {parse_uci("h2e2"), parse_uci("a9a8")};
  InfoLine second;
  second.mate = -2;
  second.pv = {parse_uci("a0a1")};
  info.lines = {first, second};
  EXPECT_THAT(
      info_lines(info, true, 0),
      ElementsAre("info depth 3 seldepth 5 multipv 1 score cp 42 wdl 400 300 300 nodes 9 nps 900 hashfull 1 "
                  "tbhits 0 time 10 pv h2e2 a9a8",
                  "info depth 3 seldepth 5 multipv 2 score mate -2 wdl 0 1000 0 nodes 9 nps 900 hashfull 1 "
                  "tbhits 0 time 10 pv a0a1"));
  EXPECT_THAT(info_lines(info, false, 1)[0], HasSubstr("cp 42 nodes"));
  EXPECT_THAT(info_lines(info, false, 1)[0], HasSubstr("pv h3e3 a10a9"));
}

TEST(InfoText, LostPositionAndBestMove) {
  SearchInfo lost;
  lost.lines.emplace_back().mate = 0;
  EXPECT_THAT(info_lines(lost, true, 0), ElementsAre("info depth 0 score mate 0"));
  EXPECT_EQ(best_move_line({}, 0), "bestmove (none)");
  EXPECT_EQ(best_move_line({parse_uci("h2e2"), {}}, 0), "bestmove h2e2");
  EXPECT_EQ(best_move_line({parse_uci("h2e2"), parse_uci("a9a8")}, 1), "bestmove h3e3 ponder a10a9");
}

TEST(Drawing, ShowsBoardAndEnd) {
  const auto lines = drawing(position("fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1")->history, rules());
  EXPECT_EQ(lines[0], "9  . . . k . . . . .");
  EXPECT_EQ(lines[9], "0  . . . . K . . . .");
  EXPECT_THAT(lines, testing::Contains(HasSubstr("fen: 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1")));
  EXPECT_THAT(lines.back(), HasSubstr("over by the rules checks_only: red_wins, no_legal_move"));
}

}  // namespace
}  // namespace chuhe::play
