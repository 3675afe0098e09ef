#include "match/openings.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "match/player.h"

namespace chuhe::match {
namespace {

std::string error_of(std::string_view text) {
  try {
    parse_openings(text, "list.epd");
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(Openings, ReadsAllForms) {
  const OpeningBook book = parse_openings(
      "# comment\n"
      "\n"
      "startpos moves h2e2 h9g7\n"
      "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2\r\n"
      "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b\n"
      "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - acd 6; c0 \"startpos moves h2e2 "
      "h9g7 h0g2\";\n"
      "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/2C4C1/9/RNBAKABNR b - - id \"bare\";\n",
      "list.epd");
  ASSERT_EQ(book.openings.size(), 5u);
  EXPECT_EQ(book.duplicates, 0);
  EXPECT_TRUE(book.openings[0].start_fen.empty());
  EXPECT_EQ(book.openings[0].moves.size(), 2u);
  EXPECT_EQ(book.openings[1].moves.size(), 1u);
  EXPECT_EQ(book.openings[3].moves.size(), 3u) << "the history comes from c0";
  EXPECT_TRUE(book.openings[3].start_fen.empty());
  EXPECT_TRUE(book.openings[4].moves.empty());
  EXPECT_FALSE(book.openings[4].start_fen.empty());
}

TEST(Openings, LeavesDuplicatesOut) {
  const OpeningBook book =
      parse_openings("startpos moves h2e2 h9g7\nstartpos moves h2e2 h9g7\nstartpos\n", "x");
  EXPECT_EQ(book.openings.size(), 2u);
  EXPECT_EQ(book.duplicates, 1);
}

TEST(Openings, NamesTheLineThatIsWrong) {
  EXPECT_EQ(error_of("startpos\n\nstartpos moves h2e2 e0e9\n"),
            "list.epd:3: move 'e0e9' is not legal there, expected a legal move such as h2e2");
  EXPECT_EQ(error_of("startpos\nrnbakabnr/9/1c5c1 w\n").substr(0, 12), "list.epd:2: ");
  EXPECT_EQ(error_of("nonsense\n").substr(0, 12), "list.epd:1: ");
  EXPECT_EQ(error_of("# nothing\n"), "list.epd: no opening in it, expected one FEN or EPD line per opening");
  // Stalemated Black: nothing to play.
  EXPECT_EQ(error_of("3k5/4P4/9/9/9/9/9/9/9/4K4 b\n"), "list.epd:1: the game is over in this position");
  EXPECT_EQ(
      error_of(
          "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/2C4C1/9/RNBAKABNR b - - c0 \"startpos moves h2e2\";\n"),
      "list.epd:1: the moves in c0 do not lead to the position");
  EXPECT_THROW(load_openings("/nonexistent.epd"), Error);
}

TEST(Openings, TheBuiltInListIsSoundAndEven) {
  const OpeningBook book = default_openings();
  EXPECT_GE(book.openings.size(), 200u);
  EXPECT_EQ(book.duplicates, 0);
  for (size_t i = 0; i < book.openings.size(); i += 40) {
    xiangqi::GameHistory history;
    for (const xiangqi::Move m : book.openings[i].moves) history.push(m);
    EXPECT_GE(history.plies(), 4);
    EXPECT_LE(history.plies(), 8);
    EXPECT_LE(std::abs(alpha_beta_value(history, xiangqi::rule_set("checks_only"), 4)), 0.5);
  }
}

TEST(Openings, EpdReadsBack) {
  Opening opening;
  for (const char* m : {"h2e2", "h9g7", "h0g2"}) opening.moves.push_back(xiangqi::parse_uci(m));
  const std::string line = to_epd(opening, -0.5, 6);
  EXPECT_EQ(line,
            "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - acd 6; ce -50; "
            "c0 \"startpos moves h2e2 h9g7 h0g2\";");
  EXPECT_EQ(parse_openings(line, "x").openings.at(0).moves, opening.moves);
}

}  // namespace
}  // namespace chuhe::match
