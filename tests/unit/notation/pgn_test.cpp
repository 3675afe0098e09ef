#include "xiangqi/notation/pgn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/random.h"
#include "tests/unit/xiangqi/golden.h"

namespace chuhe::xiangqi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kGame = R"([Game "Chinese Chess"]
[Event "第一届“友谊”赛"]
[Red "甲"]
[Black "乙"]
[Result "1-0"]
[Format "Chinese"]

1. 炮二平五 马8进7
2. 马二进三 车9平8 {好}
 1-0
============================
 欢迎访问象棋网 http://www.example.com/
 1998年 车一平二
============================
)";

std::string moves_of(const PgnGame& game) {
  std::vector<std::string> moves;
  for (Move m : game.moves) moves.push_back(to_uci(m));
  return fmt::format("{}", fmt::join(moves, " "));
}

PgnGame only_game(const std::string& text) {
  const PgnFile file = read_pgn(text, "test.pgn");
  EXPECT_THAT(file.faults, IsEmpty()) << file.faults[0].message;
  EXPECT_EQ(file.games.size(), 1u);
  return file.games.empty() ? PgnGame() : file.games[0];
}

std::string fault_of(const std::string& text) {
  const PgnFile file = read_pgn(text, "test.pgn");
  EXPECT_EQ(file.faults.size(), 1u);
  EXPECT_THAT(file.games, IsEmpty());
  return file.faults.empty() ? "" : file.faults[0].message;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

TEST(PgnReader, ThreeEncodingsGiveOneGame) {
  const PgnGame game = only_game(kGame);
  EXPECT_EQ(moves_of(game), "h2e2 h9g7 h0g2 i9h9");
  EXPECT_EQ(game.result, "1-0");
  EXPECT_EQ(game.notation, Notation::Chinese);
  EXPECT_THAT(game.comments, ElementsAre("", "", "", "", "好"));
  EXPECT_EQ(game.tag("Event"), "第一届“友谊”赛");
  EXPECT_EQ(game.tags.size(), 3u);  // Game, Result and Format are members
  const std::string gb = from_utf8(kGame, Encoding::Gb18030);
  EXPECT_FALSE(is_valid_utf8(gb));
  EXPECT_EQ(only_game(gb), game);
  EXPECT_EQ(read_pgn(gb, "", {Encoding::Gb18030, false}).games.at(0), game);
  EXPECT_EQ(only_game("\xEF\xBB\xBF" + std::string(kGame)), game);
  EXPECT_EQ(only_game(replaced(kGame, "1. 炮二平五 马8进7\n2.", "１．炮２平５　馬８進７\r\n　２．")), game);
  EXPECT_THROW(read_pgn(gb, "", {Encoding::Utf8, false}), Error);
}

TEST(PgnReader, FormatsAndDialects) {
  const std::string head = "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n";
  const char* moves = "h2e2 h9g7 h0g2 i9h9";
  for (const char* body :
       {"[Format \"ICCS\"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 *",
        "[Format \"ICCS\"]\n1. h2e2 h9g7 2. h0g2 i9h9", "[Format \"WXF\"]\n\n1. C2=5 H8+7 2. H2+3 R9=8",
        "1. C2.5 h8+7 2. N2+3 r9.8", "1.C2.5 H8+7 2.H2+3 R9.8", "1. 炮25 马87 2. 马23 车9平8",
        "[Format \"Chinese\"]\n炮25 马87\n马23 车9平8", "h2e2 h9g7 h0g2 i9h9",
        "[Format \"UCI1\"]\n h3e3 h10g8 h1g3 i10h10"})
    EXPECT_EQ(moves_of(only_game(head + body)), moves) << body;
  EXPECT_EQ(only_game(head + "1. C2.5").notation, Notation::Wxf);
}

TEST(PgnReader, WukongStyle) {
  const PgnGame game = only_game(
      "[White \"Red player\"]\n[Black \"Black player\"]\n[FEN "
      "\"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/"
      "RHEAKAEHR r - - 0 1\"]\n\n1. h2e2 h9g7 2. h0g2");
  EXPECT_EQ(moves_of(game), "h2e2 h9g7 h0g2");
  EXPECT_EQ(game.tag("Red"), "Red player");
  EXPECT_EQ(game.result, "*");
  EXPECT_EQ(game.start, Position());
}

TEST(PgnReader, BlackFirst) {
  const std::string fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
  for (const char* body : {"1. ... 马8进7 2. 马二进三", "1... 马8进7 2. 马二进三", "1. …… 马8进7 马二进三",
                           "1. 马8进7 2. 马二进三"}) {
    const PgnGame game = only_game("[Game \"Chinese Chess\"]\n[FEN \"" + fen + "\"]\n\n" + body + " *\n");
    EXPECT_EQ(moves_of(game), "h9g7 h0g2") << body;
    EXPECT_EQ(game.start.to_fen(), fen);
    EXPECT_THAT(write_pgn(game), HasSubstr("\n1. ... 马8进7 2. 马二进三 *\n"));
  }
  // Without a FEN the moves themselves say so.
  EXPECT_EQ(only_game("1. ... 马8进7 2. 炮二平五").start.side_to_move(), Color::Black);
  EXPECT_THAT(fault_of("1. 炮二平五 马8进7 2. ... 车9平8"),
              HasSubstr("ply 3: an ellipsis, but Red is to move"));
}

TEST(PgnReader, ManyGamesOneOfThemFaulty) {
  const std::string text = std::string(kGame) + "\n" + replaced(kGame, "马二进三", "马二进四") +
                           "[Game \"Chinese Chess\"]\n\n" +
                           "[Game \"Chinese Chess\"]\n1. H2-E2 *\n\n1. C2=5 H8+7 1-0\n1. C8=5 *\n";
  const PgnFile file = read_pgn(text, "a.pgn");
  ASSERT_EQ(file.faults.size(), 1u);
  EXPECT_EQ(file.games_read, 6);
  ASSERT_EQ(file.games.size(), 5u);
  EXPECT_EQ(file.faults[0].line, 24);
  EXPECT_EQ(file.faults[0].game, 2);
  EXPECT_EQ(file.faults[0].ply, 3);
  EXPECT_THAT(file.faults[0].message,
              testing::AllOf(HasSubstr("a.pgn:24: game 2, ply 3: '马二进四' is no legal move in "),
                             HasSubstr("马二进三 (h0g2)"), Not(HasSubstr("\n"))));
  EXPECT_THAT(file.games[1].moves, IsEmpty());
  EXPECT_EQ(moves_of(file.games[3]), "h2e2 h9g7");
  EXPECT_EQ(moves_of(file.games[4]), "b2e2");

  const PgnFile kept = read_pgn(text, "a.pgn", {std::nullopt, true});
  ASSERT_EQ(kept.games.size(), 6u);
  EXPECT_EQ(moves_of(kept.games[1]), "h2e2 h9g7");
  EXPECT_EQ(kept.games[1].comments.size(), 3u);
}

TEST(PgnReader, AmbiguousMoveIsAFault) {
  EXPECT_THAT(fault_of("[FEN \"2b3b2/4k4/9/p1n4Pp/4P4/8P/P3P4/B8/9/3AKAB2 w\"]\n\n1. 兵五进一"),
              testing::AllOf(HasSubstr("test.pgn:3: game 1, ply 1: '兵五进一' is ambiguous"),
                             HasSubstr("后兵进一 (e3e4)"), HasSubstr("前兵进一 (e5e6)")));
}

TEST(PgnReader, FaultsSayWhatWasExpected) {
  EXPECT_THAT(fault_of("[Game \"Chinese Chess\"]\n[FEN \"9/9 w\"]\n\n1. 炮二平五"),
              HasSubstr("test.pgn:2: game 1: FEN '9/9 w': "));
  EXPECT_THAT(fault_of("[Game \"Chess\"]\n1. e4 e5"),
              HasSubstr("test.pgn:1: game 1: Game is 'Chess': expected Chinese Chess"));
  EXPECT_THAT(fault_of("[Event \"a\n1. 炮二平五"),
              HasSubstr("test.pgn:1: game 1: '[Event \"a': expected a tag such as [Event \"text\"]"));
  EXPECT_THAT(fault_of("[Format \"SGF\"]\n1. 炮二平五"), HasSubstr("expected Chinese, WXF, ICCS or UCI"));
  EXPECT_THAT(fault_of("[Result \"win\"]\n1. 炮二平五"), HasSubstr("Result is 'win': expected 1-0"));
  EXPECT_THAT(fault_of("[Result \"1-0\"]\n1. 炮二平五 0-1"),
              HasSubstr("test.pgn:2: game 1: the moves end in 0-1: expected 1-0"));
  EXPECT_THAT(fault_of("1. 炮二平五 {comment\n马8进7"), HasSubstr("the comment has no end: expected }"));
  EXPECT_THAT(fault_of("1. 炮二平五 马8退7"), HasSubstr("game 1, ply 2: '马8退7' is no legal move"));
  EXPECT_THAT(fault_of("1. 炮二平五 马8X7"),
              HasSubstr("game 1, ply 2: '马8X7' is no move: expected piece, file"));
  EXPECT_THAT(fault_of("[Format \"ICCS\"]\n1. 炮二平五"), HasSubstr("expected two squares, such as H2-E2"));
  EXPECT_THAT(fault_of("1. 炮二平五\n马8X进7\n"), HasSubstr("test.pgn:2: game 1, ply 2"));  // no advertising
}

TEST(PgnReader, OneForgottenBraceSparesTheNextGame) {
  const PgnFile file = read_pgn(
      "[Game \"Chinese Chess\"]\n1. 炮二平五 {no end\n\n[Game \"Chinese Chess\"]\n1. 炮八平五\n", "a");
  EXPECT_EQ(file.faults.size(), 1u);
  ASSERT_EQ(file.games.size(), 1u);
  EXPECT_EQ(moves_of(file.games[0]), "b2e2");
}

TEST(PgnReader, CommentsVariationsMarksAndAdvertising) {
  const PgnGame game = only_game(
      "棋谱一则\n"
      "[Game \"Chinese Chess\"] [Event \"a \\\"b\\\" \\\\ c\"]\n"
      "{before} 1. 炮二平五! $1 ; a line (of text\n"
      "马8进7?? (1... 马2进3 {other} (2. 马八进七) ) {two\nlines} {more}\n"
      "% passed over\n"
      "\n"
      "本棋谱由某软件生成\n"
      "http://www.example.com\n");
  EXPECT_EQ(moves_of(game), "h2e2 h9g7");
  EXPECT_THAT(game.comments, ElementsAre("before", "a line (of text", "two lines more"));
  EXPECT_EQ(game.tag("Event"), "a \"b\" \\ c");
  EXPECT_EQ(only_game("1. 炮二平五 红先胜").result, "1-0");
  EXPECT_EQ(only_game("[Event \"the \"big\" one\"]\n1. C2=5").tag("Event"), "the \"big\" one");
}

/// Whatever is in a file, reading ends in games of legal moves and in faults of one line.
TEST(PgnReader, DamagedFilesAreNoSurprise) {
  const std::string clean =
      std::string(kGame) + "\n" + write_pgn(only_game("{a} 1. 炮25 马87 (2. C2=5 {x}) *"));
  Random random(1, "damaged pgn", 0);
  int faulty = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = i % 2 == 0 ? clean : from_utf8(clean, Encoding::Gb18030);
    for (uint64_t n = 1 + random.below(3); n > 0; --n) {
      const size_t at = random.below(text.size());
      constexpr std::string_view kLikely = "[]\"{}();\n.*=-19\\ ";
      if (random.below(2) == 0)
        text[at] = kLikely[random.below(kLikely.size())];
      else if (random.below(2) == 0)
        text[at] = char(random.below(256));
      else
        text.erase(at, 1 + random.below(4));
    }
    try {
      const PgnFile file = read_pgn(text, "f", {std::nullopt, true});
      faulty += !file.faults.empty();
      for (const PgnFault& fault : file.faults)
        EXPECT_EQ(fault.message.find('\n'), std::string::npos) << fault.message;
      for (const PgnGame& game : file.games) {
        Position p = game.start;
        for (Move m : game.moves) {
          ASSERT_TRUE(p.is_legal(m));
          p.play(m);
        }
        ASSERT_EQ(game.comments.size(), game.moves.size() + 1);
      }
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), HasSubstr("not valid"));
    }
  }
  EXPECT_GT(faulty, 400);
}

TEST(PgnReader, NumberAndPawnIndexAreNotConfused) {
  const std::string head = "[FEN \"3k5/4P4/9/4P4/4P4/9/9/9/9/4K4 w\"]\n[Format \"WXF\"]\n\n";
  EXPECT_EQ(moves_of(only_game(head + "1. 25.6")), "e6d6");
  EXPECT_EQ(moves_of(only_game(head + "1.25.6")), "e6d6");
  EXPECT_EQ(moves_of(only_game(head + "15. 15.4")), "e8f8");
}

PgnGame sample() {
  PgnGame game;
  game.set_tag("Event", "Test");
  game.set_tag("Red", "chuhe-12");
  game.set_tag("Black", "chuhe-11");
  game.set_tag(kRuleSetTag, "cxa2007");
  game.set_tag(kEndReasonTag, "perpetual_check");
  game.set_tag(kEndArticleTag, "26.1");
  game.set_tag(kTerminationTag, "rules infraction");
  game.result = "0-1";
  game.comments[0] = "opening 12";
  game.add_move(parse_uci("h2e2"));
  game.add_move(parse_uci("h9g7"), "+0.12 马");
  game.add_move(parse_uci("h0g2"));
  return game;
}

TEST(PgnReader, LinesOfOldMacs) {
  std::string text = kGame;
  std::ranges::replace(text, '\n', '\r');
  EXPECT_EQ(only_game(text), only_game(kGame));
}

/// Each line of a preface asks what follows; were it to read on each time, this would take a minute.
TEST(PgnReader, LongPrefacesTakeLinearTime) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += "words of a preface\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(only_game(text + kGame), only_game(kGame));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(PgnWriter, WritesTagsAndMoves) {
  EXPECT_EQ(write_pgn(sample()),
            "[Game \"Chinese Chess\"]\n[Event \"Test\"]\n[Red \"chuhe-12\"]\n[Black \"chuhe-11\"]\n[Result "
            "\"0-1\"]\n"
            "[RuleSet \"cxa2007\"]\n[EndReason \"perpetual_check\"]\n[EndArticle \"26.1\"]\n"
            "[Termination \"rules infraction\"]\n[White \"chuhe-12\"]\n[Variant \"xiangqi\"]\n[Format "
            "\"Chinese\"]\n"
            "[PlyCount \"3\"]\n\n{opening 12} 1. 炮二平五 马8进7 {+0.12 马} 2. 马二进三 0-1\n\n");
}

TEST(PgnWriter, ComesBackInEveryFormatAndEncoding) {
  PgnGame game = sample();
  game.start = position("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 5 9");
  for (Notation notation : {Notation::Chinese, Notation::ChineseShort, Notation::Wxf, Notation::Iccs,
                            Notation::Uci, Notation::UciFromOne})
    for (Encoding encoding : {Encoding::Utf8, Encoding::Gb18030}) {
      game.notation = notation;
      EXPECT_EQ(only_game(write_pgn(game, encoding)), game) << write_pgn(game);
    }
}

TEST(PgnWriter, WrapsAtEightyColumns) {
  PgnGame game;
  Position p;
  for (int i = 0; i < 60; ++i) {
    const MoveList legal = p.legal_moves();
    const Move m = legal[i * 7 % legal.size()];
    game.add_move(m, i % 7 == 0 ? "一二三四五 六七八九十 and so on and on" : "");
    p.play(m);
  }
  std::istringstream lines(write_pgn(game));
  int longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, columns_of(line));
  EXPECT_LE(longest, 80);
  EXPECT_GT(longest, 70);
  EXPECT_EQ(only_game(write_pgn(game)), game);
}

TEST(PgnWriter, AmbiguousShortTextIsWrittenInFull) {
  PgnGame game;
  game.start = position("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w");
  game.notation = Notation::ChineseShort;
  game.add_move(parse_uci("i0h0"));
  EXPECT_THAT(write_pgn(game), HasSubstr("1. 车一平二 *"));
  EXPECT_EQ(only_game(write_pgn(game)), game);
}

TEST(PgnWriter, CommentsThatCannotComeBackAsTheyAre) {
  PgnGame game;
  game.comments[0] = " a}b\nc ";
  EXPECT_EQ(only_game(write_pgn(game)).comments[0], "a)b c");
}

}  // namespace
}  // namespace chuhe::xiangqi
