#include "xiangqi/cases/case_check.h"

#include <gmock/gmock.h>

#include "xiangqi/cases/disputed.h"

namespace chuhe::xiangqi {
namespace {

using testing::HasSubstr;

constexpr const char* kStart = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

Case a_case(Category category, const std::string& fen, const std::string& moves, const std::string& expected,
            const std::string& note = "") {
  Case c;
  c.id = "test";
  c.category = category;
  c.fen = fen;
  c.moves = split_words(moves);
  c.expected = split_words(expected);
  c.note = note;
  return c;
}

CheckedCase checked(const Case& c, const CaseOptions& options = {}) {
  CaseChecker checker(options);
  return checker.check(c, parse_expectation(c.expected));
}

Finding outcome(Category category, const std::string& fen, const std::string& moves,
                const std::string& expected, const std::string& note = "") {
  return checked(a_case(category, fen, moves, expected, note)).outcome;
}

/// A true statement is right, and the false one beside it wrong: no check may be blind.
void expect_told_apart(const std::string& fen, const std::string& moves, const std::string& truth,
                       const std::string& falsehood) {
  EXPECT_EQ(outcome(Category::Legal, fen, moves, truth), Finding::Right) << truth;
  EXPECT_EQ(outcome(Category::Legal, fen, moves, falsehood), Finding::Wrong) << falsehood;
}

TEST(CaseCheck, TellsTrueFromFalseAboutMoves) {
  expect_told_apart(kStart, "", "1=44 3=79666", "1=44 3=79665");
  expect_told_apart(kStart, "h2e2", "count=45", "count=44");
  expect_told_apart(kStart, "", "+h2e2 -e0e2", "+h2e2 -h2h9");
  expect_told_apart(kStart, "", "+h2h9", "+e0e2");
  expect_told_apart("4k4/9/9/9/9/4N4/9/9/9/4K4 w", "", "only=e0d0,e0e1,e0f0", "only=e0d0,e0e1");
  expect_told_apart("3k5/9/9/9/9/9/3R5/9/9/4K4 b", "", "check", "nocheck");
  expect_told_apart("3k5/2P6/9/9/9/9/9/9/9/4K4 b", "", "stalemate", "checkmate");
  expect_told_apart("1R1k5/R8/9/9/9/9/9/9/9/4K4 b", "", "checkmate", "stalemate");
}

/// Counted to the end, depth 12 would take years.
TEST(CaseCheck, PerftEndsThoughTheNumberIsFarTooSmall) {
  const CheckedCase c = checked(a_case(Category::Perft, kStart, "", "12=1"));
  ASSERT_EQ(c.statements.size(), 1u);
  EXPECT_EQ(c.statements[0].finding, Finding::Wrong);
  EXPECT_EQ(c.statements[0].said, "more than 200000000");
}

TEST(CaseCheck, NamesTheTextThatIsNoMove) {
  const CheckedCase c = checked(a_case(Category::Legal, kStart, "h2e2 zz", "check"));
  ASSERT_EQ(c.statements.size(), 1u);
  EXPECT_EQ(c.statements[0].said, "move 2, 'zz', is no move such as h2e2");
}

TEST(CaseCheck, TellsTrueFromFalseAboutMates) {
  constexpr const char* kMate = "4kab2/4a4/2N1b4/9/9/1R7/5r3/2c1BA3/6n2/2BA1KC2 w";
  expect_told_apart(kMate, "", "mate_in=2 pv=b4b9,e7c9,g0g9", "mate_in=3 pv=b4b9,e7c9,g0g9");
  expect_told_apart(kMate, "", "mate_in=2", "mate_in=1");
  expect_told_apart(kMate, "", "kill=yes", "kill=no");
  expect_told_apart(kStart, "", "kill=no", "kill=yes");
  expect_told_apart("4k4/9/9/9/3R5/9/9/9/9/5K3 w", "", "kill=no", "mate_in=3");
  EXPECT_EQ(outcome(Category::Mate, kMate, "", "mate_in=2 pv=b4b9,e7c9,g0g8"), Finding::Wrong) << "no check";
  EXPECT_EQ(outcome(Category::Mate, kMate, "", "mate_in=2 pv=b4b9"), Finding::Wrong) << "too short";
  EXPECT_EQ(outcome(Category::Mate, kMate, "", "mate_in=2 pv=b4b9,e7c9,b9c9"), Finding::Wrong) << "no mate";
}

TEST(CaseCheck, TellsTrueFromFalseAboutGains) {
  constexpr const char* kFree = "5a3/4k4/3a5/9/8p/2R6/1p1rpn3/3CB4/4A4/2B1KA3 w";
  expect_told_apart(kFree, "", "gain=yes by=checks", "gain=no by=checks");
  EXPECT_EQ(outcome(Category::Chase, kFree, "", "gain=yes by=checks line=c4c3,a9a8"), Finding::Wrong)
      << "a line that cannot be played";
  constexpr const char* kTarget = "2R2a3/4k4/3a5/9/8p/9/1p1rpn3/3CB4/4A4/2B1KA3 w";
  expect_told_apart(kTarget, "", "gain=yes by=exchange target=f9", "gain=yes by=exchange target=d7");
  expect_told_apart("4k4/9/9/4p4/9/9/9/9/3pA4/2pAK4 b", "c0d0", "recapture=yes", "recapture=no");
}

TEST(CaseCheck, TellsTrueFromFalseAboutRepetition) {
  constexpr const char* kChecks = "4k4/9/9/9/3R5/9/9/9/9/5K3 w";
  constexpr const char* kCycle = "d5e5 e9d9 e5d5 d9e9";
  for (const char* rules : {"cxa1999", "cxa2007~", "cxa2020", "axf", "checks_only"}) {
    const std::string name(rules);
    expect_told_apart(kChecks, kCycle, name + ":red_loses", name + ":draw");
  }
  expect_told_apart(kChecks, kCycle, "none:draw", "none:red_loses");
  expect_told_apart(kChecks, kCycle, "cxa2020:red_loses labels=d5e5:将,e9d9:闲",
                    "cxa2020:red_loses labels=d5e5:将,e9d9:捉");
  expect_told_apart(kChecks, kCycle, "occurrences=2", "occurrences=3");
  EXPECT_EQ(outcome(Category::Repetition, kChecks, kCycle, "cxa2020:red_loses labels=d5e5:将,e9f9:闲"),
            Finding::Wrong)
      << "other moves";
  // Three plies close no cycle; "none" says so, and says no more of moves that could be played on.
  expect_told_apart(kChecks, "d5e5 e9d9 e5d5", "axf:none", "axf:red_loses");
  EXPECT_EQ(outcome(Category::Repetition, kChecks, kCycle, "axf:none"), Finding::Right)
      << "occurs twice only";
  EXPECT_EQ(outcome(Category::Repetition, kChecks, "d5e5 e9d9 e5d5 d9e9 d5e5 e9d9 e5d5 d9e9", "axf:none"),
            Finding::Wrong);
}

TEST(CaseCheck, TellsTrueFromFalseAboutTheNaturalLimit) {
  constexpr const char* kLate = "3k5/9/9/9/9/9/9/4B4/4R4/5K3 w - - 119 90";
  expect_told_apart(kLate, "e1h1", "natural_limit=draw", "natural_limit=none");
  expect_told_apart("3k5/9/9/9/9/4p4/9/9/4R4/5K3 w - - 119 90", "e1e4", "natural_limit=none",
                    "natural_limit=draw");
}

TEST(CaseCheck, TellsTrueFromFalseAboutEndings) {
  constexpr const char* kWon = "9/9/3k5/9/9/9/9/9/9/R4K3 w";
  expect_told_apart(kWon, "", "egtb=red_wins plies=3", "egtb=red_wins plies=5");
  expect_told_apart(kWon, "", "egtb=win", "egtb=loss");
  expect_told_apart(kWon, "", "claim=red_wins", "claim=draw");
  expect_told_apart(kWon, "", "no_mating_material=no", "no_mating_material=yes");
  EXPECT_EQ(outcome(Category::Endgame, kStart, "", "claim=draw"), Finding::Unproved);
  EXPECT_EQ(outcome(Category::Endgame, kStart, "", "egtb=draw"), Finding::Wrong) << "cannot be solved";
}

TEST(CaseCheck, TellsTrueFromFalseAboutNotation) {
  expect_told_apart(kStart, "", "h2e2>cn:炮二平五", "h2e2>cn:炮八平五");
  expect_told_apart(kStart, "h2e2", "h9g7>wxf:H8+7", "h9g7>wxf:H2+3");
  expect_told_apart(kStart, "", "h2e2>iccs:H2-E2", "h2e2>iccs:H2-E3");
  expect_told_apart(kStart, "h2e2 h9g7", "game_cn:炮二平五,马8进7", "game_cn:炮二平五,马2进3");
  expect_told_apart(kStart, "h2e2 h9g7", "game_cn:炮二平五,马8进7", "game_cn:炮二平五");
}

TEST(CaseCheck, TellsTrueFromFalseAboutFens) {
  constexpr const char* kFacing = "4k4/9/9/9/9/9/9/9/9/4K4 w";
  expect_told_apart(kFacing, "", "fen:invalid", "fen:valid");
  expect_told_apart(kStart, "", "fen:valid", "fen:invalid");
  EXPECT_EQ(outcome(Category::Legal, kFacing, "", "count=3"), Finding::Wrong);
}

TEST(CaseCheck, AFenInvalidOnPurposeMustBeRefusedForItsReason) {
  constexpr const char* kPawn = "3a2b1r/4ak3/8p/7P1/9/9/9/B2NN3B/3K5/4p4 w";
  constexpr const char* kExpected = "axf:black_loses";
  EXPECT_EQ(
      outcome(Category::Repetition, kPawn, "", kExpected, "as published: invalid FEN (black pawn on i7)"),
      Finding::Right);
  EXPECT_EQ(outcome(Category::Repetition, kPawn, "", kExpected, "invalid FEN (black pawn on a7)"),
            Finding::Wrong);
  EXPECT_EQ(outcome(Category::Repetition, kPawn, "", kExpected), Finding::Wrong)
      << "not said to be on purpose";
  EXPECT_EQ(outcome(Category::Repetition, kStart, "", kExpected, "invalid FEN (black pawn on i7)"),
            Finding::Wrong)
      << "accepted";
}

TEST(CaseCheck, MovesMustBePossible) {
  const CheckedCase c = checked(a_case(Category::Legal, kStart, "h2e2 a0a9", "count=3"));
  EXPECT_EQ(c.outcome, Finding::Wrong);
  EXPECT_THAT(c.statements.at(0).said, HasSubstr("move 2, a0a9, is not legal"));
  EXPECT_EQ(outcome(Category::Legal, kStart, "h2e2 what", "count=3"), Finding::Wrong);
}

TEST(CaseCheck, NotesAreNoTests) {
  const CheckedCase c = checked(a_case(Category::Repetition, "4k4/9/9/9/3R5/9/9/9/9/5K3 w",
                                       "d5e5 e9d9 e5d5 d9e9", "annot:draw axf:disputed"));
  EXPECT_EQ(c.outcome, Finding::Right);
  for (const CheckedStatement& s : c.statements) EXPECT_EQ(s.finding, Finding::NoTest);
}

TEST(CaseCheck, ACaseThatSaysNothingIsWrong) {
  EXPECT_EQ(outcome(Category::Chase, kStart, "", "by=checks"), Finding::Wrong);
}

TEST(CaseCheck, LongPerftsAreLeftOut) {
  const CheckedCase c = checked(a_case(Category::Perft, kStart, "", "1=44 6=5392831844"));
  EXPECT_EQ(c.outcome, Finding::Right);
  EXPECT_EQ(c.skipped, 1);
  EXPECT_EQ(c.statements.size(), 1u);
}

TEST(Disputed, ExcusesOnlyTheVeryCase) {
  const DisputedCase list[] = {{"x", "F w", "a0a1 b0b1", "cxa2020", "why"}};
  Case c = a_case(Category::Repetition, "F w", "a0a1 b0b1", "cxa2020:draw");
  c.id = "x";
  const auto found = [&](const Case& of, const std::string& subject, Finding before) {
    std::vector<CheckedStatement> statements{{subject, before, "said", "expected"}};
    excuse_disputed(of, statements, list);
    return statements[0].finding;
  };
  EXPECT_EQ(found(c, "cxa2020", Finding::Wrong), Finding::Disputed);
  EXPECT_EQ(found(c, "cxa2020", Finding::Right), Finding::Right) << "what agrees is right";
  EXPECT_EQ(found(c, "cxa1999~", Finding::Wrong), Finding::Wrong);
  Case other = c;
  other.fen = "G w";
  EXPECT_EQ(found(other, "cxa2020", Finding::Wrong), Finding::Wrong);
  other = c;
  other.moves.pop_back();
  EXPECT_EQ(found(other, "cxa2020", Finding::Wrong), Finding::Wrong);
  other = c;
  other.id = "y";
  EXPECT_EQ(found(other, "cxa2020", Finding::Wrong), Finding::Wrong);
}

TEST(Disputed, AtMostEightEachWithAReason) {
  EXPECT_LE(disputed_cases().size(), 8u);
  for (const DisputedCase& d : disputed_cases()) EXPECT_FALSE(d.reason.empty()) << d.id;
}

}  // namespace
}  // namespace chuhe::xiangqi
