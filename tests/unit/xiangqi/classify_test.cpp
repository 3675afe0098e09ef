// Plies that the judge once called by a wrong name, found by comparison with brute force
// (tests/property/judge). Each names its cause.

#include <gtest/gtest.h>

#include "tests/unit/xiangqi/golden.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {
namespace {

PlyClass class_of(const std::string& fen, const std::string& move, std::string_view rules = "cxa2007") {
  return classify_ply(position(fen), parse_uci(move), rule_set(rules)).ply_class;
}

TEST(Classify, AStandingOfferIsNotMadeRealByAnyPieceThatStopsHanging) {
  // The pawns e3 and e4 stood against each other before the elephant, which was attacked, went away. Whether
  // the offer was real before the move was asked as if it were no offer, and always denied.
  EXPECT_LT(class_of("2bak4/2n1a4/2c5b/p1p3p1C/9/4p4/P1P1P1P1P/B1N2AN1B/8R/4KA2R w", "a2c0"),
            PlyClass::Chase);
}

TEST(Classify, WhatTheOpponentTakesElsewhereWithoutCheckMakesNoAttackReal) {
  // 29.3.1: e9g9 stood, and what Black may take elsewhere in return (no check) is not looked at.
  EXPECT_LT(class_of("4R1b2/8C/3a1k2r/2R1p1n2/2b3p1p/2P4c1/9/B2A3C1/9/4KNB2 w", "i8d8"), PlyClass::Chase);
}

TEST(Classify, AThreatToMateBesideTheOneThatStoodIsAKill) {
  // L general 4: the answer to the check makes another threat of mate. Only the first one found was asked.
  const Position p = position("3R3c1/4k4/2Na1r3/4P4/6P2/7R1/2p6/B4K2B/7p1/2r6 w");
  const Move m = parse_uci("e6f6");
  EXPECT_EQ(classify_ply(p, m, rule_set("cxa2007")).ply_class, PlyClass::Kill);
  EXPECT_EQ(classify_ply(p.color_swapped(), Move(flipped(m.from()), flipped(m.to())), rule_set("cxa2007"))
                .ply_class,
            PlyClass::Kill);
}

TEST(Classify, AStandingAttackIsJudgedWithoutPiecesThatAreFreeAnyway) {
  // Before and after the move alike, the rook has more than one piece to take for nothing: taking a second
  // one is no answer to the loss of f2.
  EXPECT_LT(class_of("2bR2b2/4k4/3a5/9/9/2B6/9/p2K1A3/5r3/3A5 w", "c4e2"), PlyClass::Chase);
}

TEST(Classify, ARunThatStoodFromAnotherPointIsNotNew) {
  // The rook could win e7 by c3d3 before and can by c0d0 now; whether the old run was real was asked with the
  // new one's first move, which was not possible then.
  EXPECT_LT(class_of("9/4ak3/3aPc3/9/2p6/6B2/2r6/3K5/9/6c2 b", "c3c0"), PlyClass::Chase);
}

TEST(Classify, TheVictimsOfARunDoNotDependOnTheOrderOfMoves) {
  // The rook wins either elephant by c7c2: only the one found first counted.
  const Position p = position("9/9/r2k5/9/6b2/6p2/9/B3K3B/9/9 b");
  const Move m = parse_uci("a7c7");
  EXPECT_EQ(
      classify_ply(p, m, rule_set("cxa1999")).ply_class,
      classify_ply(p.mirrored(), Move(mirrored(m.from()), mirrored(m.to())), rule_set("cxa1999")).ply_class);
}

TEST(Classify, AnOfferIsProtectedByWhoCouldTakeBack) {
  // e7 is pinned between the kings and does not protect g5; i0 protects i7 through the rook that would take
  // there.
  EXPECT_LT(class_of("4k4/2P6/4baR2/P8/9/9/5p3/9/1N7/2B1KAr2 b", "g0g5"), PlyClass::Exchange);
  EXPECT_EQ(class_of("2bak4/4a4/2n3R2/p1p1p1P2/1r7/P3P4/9/N3B3r/4K4/3A1AB1R w", "g7i7"), PlyClass::Exchange);
}

TEST(Classify, APawnsCaptureThatUncoversACheckCountsThoughThePawnChecksToo) {
  // 20:26.8: d8d9 opens the horse's check; that the pawn attacks the king as well was taken to make it its
  // own affair.
  EXPECT_EQ(class_of("3ak4/3P5/b3b4/1N3P3/9/6B2/6r2/2nKB1n2/4c4/9 w", "b6c8", "cxa2020"), PlyClass::Chase);
}

TEST(Classify, ASmallSearchThatStopsEarlyIsReported) {
  // The counter-mates and offers within have small budgets of their own; running out of those went unsaid.
  const Position p = position("3N1a3/3k5/5r3/9/9/6p2/3c2c2/3A5/1n4CR1/4K1B2 w");
  EXPECT_TRUE(classify_ply(p, parse_uci("h1h2"), rule_set("cxa2007")).budget_exceeded);
}

TEST(Classify, NoCheckAnswersACaptureWhileTheKingsSafetyIsLeftAside) {
  // Red stood in check before e1d0; Black's further "checks" against h1h9, which stood, made it real by
  // mistake.
  EXPECT_LT(class_of("2bakabn1/4r4/n8/p1p3p1p/4p4/P1P5P/4P1P2/B7B/4AN1R1/Rr2KA3 w", "e1d0", "cxa1999"),
            PlyClass::Chase);
}

TEST(Classify, WhatAMatingCheckTakesIsAVictimOfItsRun) {
  // h5d5 won e6 before, with a check that takes it and mates; h8d8 wins e6 now: the rook's attack is not new.
  EXPECT_LT(class_of("1nbaka3/2r6/4b4/2p1P1P1p/7r1/1pP5P/8N/BC1K1A3/4R4/3A2B2 b", "h5h8"), PlyClass::Chase);
}

TEST(Classify, TheVerdictKnowsOfRunsThatBeginWithACaptureThatStood) {
  // c4c9 takes an elephant, as before, and now wins a strong piece by further checks. Without reasons to
  // tell, the classifier stopped before it had looked at the runs.
  GameHistory history(position("1nbakabn1/3r3c1/c7C/2p3p2/p8/P1C6/2P1P1P1p/N6RB/9/R2AKABN1 b"));
  for (const std::string& move : words("d8d4 h2b2 d4d8 b2h2 d8d4 h2b2 d4d8 b2h2"))
    history.push(parse_uci(move));
  const auto verdict = judge(history, rule_set("cxa2007"));
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->cycle.back().finding.ply_class, PlyClass::Chase);
  EXPECT_EQ(verdict->outcome, Outcome::BlackWins);
}

std::string asian_verdict(const std::string& fen, const std::string& moves) {
  GameHistory history(position(fen));
  for (int round = 0; round < 2; ++round)
    for (const std::string& move : words(moves)) history.push(parse_uci(move));
  return std::string(name_of(judge(history, rule_set("axf")).value().outcome));
}

TEST(Classify, ACheckIsNotTakenForAPinOfWhatProtects) {
  // Asian rules. One move attacks, the other gives check (allowed by turns): that Black must answer the check
  // first was taken to mean that nothing of his protects anything.
  EXPECT_EQ(asian_verdict("2bak3r/2R1a2C1/2Rcb4/2N2P3/5C2p/9/9/4p4/4p2p1/5K3 w", "f5e5 e9f9 e5f5 f9e9"),
            "draw");
  // Nor does it end a mutual attack of like pieces: the cannons b1 and g1 over d1.
  EXPECT_EQ(asian_verdict("6b2/9/3k5/4R4/9/6p2/2n6/5A3/1C4c2/5K3 b", "c3d1 f0f1 d1c3 f1f0"), "draw");
  // g1 protects g5 though f1 gives check.
  EXPECT_EQ(asian_verdict("3a5/3k2P2/8b/9/p1n3N2/p1B6/3c5/N8/3K1rR2/2n6 w", "d1d0 f1f5 d0d1 f5f1"), "draw");
  // What is pinned still protects nothing (D84).
  EXPECT_EQ(asian_verdict("1r2knb1C/4a4/5ac1b/7R1/p8/9/9/9/4A4/3AK4 w", "h6g6 g7h7 g6h6 h7g7"), "black_wins");
}

TEST(Classify, AStandingAttackIsNotMadeNewByTheAttackersRetreat) {
  // Asian rules, D106. The elephant steps onto the rook's file by itself; the rook stays on that file.
  EXPECT_EQ(asian_verdict("9/9/5k3/9/9/9/9/B1r6/9/4K4 w", "a2c0 c2c8 c0a2 c8c2"), "draw");
  EXPECT_EQ(asian_verdict("9/9/5k3/9/9/9/9/B1r6/9/4K4 w", "a2c0 c2c1 c0a2 c1c2"), "draw");
  // d7 stands between the kings and may not take; nor may c5 cross the river or f2 leave its palace.
  EXPECT_EQ(asian_verdict("2b6/3k5/2NC5/9/9/9/9/3K5/9/9 w", "c7a8 c9a7 a8c7 a7c9"), "draw");
  EXPECT_EQ(asian_verdict("9/4k4/9/3c5/2b6/9/4C4/4K4/9/9 w", "e3e7 d6d4 e7e3 d4d6"), "draw");
  // The king may not take back on d9 once the file is open: the rook's attack on the advisor is new.
  EXPECT_EQ(asian_verdict("3ak4/3R5/9/9/6b2/2B6/1N7/3C5/3K5/8R w", "d2f2 g5e7 f2d2 e7g5"), "black_wins");
}

/// The finding with every square, piece and line as the turned board has them.
PlyFinding turned(PlyFinding finding, Square (*map)(Square), bool recolor) {
  const auto piece = [&](Piece p) {
    return recolor && p != Piece::None ? make_piece(~color_of(p), type_of(p)) : p;
  };
  const auto turn = [&](Threat& t) {
    t.attacker = map(t.attacker), t.target = map(t.target);
    t.attacker_piece = piece(t.attacker_piece), t.victim = piece(t.victim);
    for (Move& m : t.line) m = Move(map(m.from()), map(m.to()));
  };
  for (Threat& t : finding.threats) turn(t);
  for (Exempted& e : finding.exempted) turn(e.threat);
  return finding;
}

void expect_same(const PlyFinding& a, const PlyFinding& b, const std::string& what) {
  EXPECT_EQ(a.ply_class, b.ply_class) << what;
  EXPECT_EQ(a.budget_exceeded, b.budget_exceeded) << what;
  EXPECT_TRUE(a.threats == b.threats) << what;
  ASSERT_EQ(a.exempted.size(), b.exempted.size()) << what;
  for (size_t i = 0; i < a.exempted.size(); ++i) {
    EXPECT_EQ(a.exempted[i].exemption, b.exempted[i].exemption) << what;
    EXPECT_TRUE(a.exempted[i].threat == b.exempted[i].threat) << what;
  }
}

TEST(Classify, AMirrorImageIsJudgedAlikeWhateverTheBudget) {
  // Moves are met by the index of their squares: in the mirror image a search met them in another order, and
  // ran out of its budget elsewhere. The first two did with the budget of play; the last two stand on boards
  // that are their own mirror images, so that the move alone tells left from right.
  const struct {
    std::string fen, move;
    std::string_view rules;
  } plies[] = {
      {"2ba1a1nr/4k4/7Rb/p1p5p/3c2p2/6B2/4C1P1c/4r4/9/1N1K1ABN1 b", "d5d3", "cxa2020"},
      {"2b1k1br1/1C2a3c/n8/p5p2/4p3p/P1r3P2/4cC2P/2p3N1B/1R7/1RBAKA3 b", "c4e4", "cxa1999"},
      {"4k4/4a4/b3c3b/9/2r3r2/2B3B2/4P4/1C5C1/4N4/R3K3R w", "a0a5", "cxa2007"},
      {"4k4/4a4/b3c3b/9/2r3r2/2B3B2/4P4/1C5C1/4N4/R3K3R b", "g5g1", "axf"},
  };
  for (const auto& ply : plies)
    for (int nodes : {3, 10, 30, 100, 500}) {
      const Position p = position(ply.fen);
      const Move m = parse_uci(ply.move);
      const JudgeBudget budget{2 * nodes, nodes, nodes};
      const PlyFinding found = classify_ply(p, m, rule_set(ply.rules), budget);
      const Move left(mirrored(m.from()), mirrored(m.to())), across(flipped(m.from()), flipped(m.to()));
      const std::string what = ply.fen + " with " + std::to_string(nodes) + " boards";
      expect_same(classify_ply(p.mirrored(), left, rule_set(ply.rules), budget),
                  turned(found, mirrored, false), what + ", mirrored");
      expect_same(classify_ply(p.color_swapped(), across, rule_set(ply.rules), budget),
                  turned(found, flipped, true), what + ", colours swapped");
    }
}

PlyClass referees_class(const std::string& fen, const std::string& move, std::string_view rules) {
  return classify_ply(position(fen), parse_uci(move), rule_set(rules), kRefereeBudget).ply_class;
}

TEST(Classify, AMateByNineChecksIsAKill) {
  // kMateChecks: the shortest mate by checks takes nine of them (the position after the move is problem 41 of
  // 适情雅趣).
  EXPECT_EQ(referees_class("2bak1b2/3Ra4/2N6/2p6/5R3/9/2C6/9/1r1pA4/4KA1rc w", "c3c4", "cxa2020"),
            PlyClass::Kill);
}

TEST(Classify, AHiddenRootMayTakeFourChecks) {
  // kHiddenRootChecks: whatever Black takes after this move, Red wins the capturer back by four checks (28.16).
  EXPECT_LT(referees_class("c1bk5/7N1/b3P4/5R2R/9/2C6/9/2nAcA3/2p1nK3/9 b", "a9a8", "cxa2020"),
            PlyClass::Chase);
}

TEST(Classify, ACapturerMatedByFourChecksGainsNothing) {
  // 29.4 of 1999 and 2020 asks for four checks; 2007 (29.3), where only mate at once matters, calls it a chase.
  const std::string fen = "2b3C2/9/3k5/4NR3/9/9/9/9/9/5KB2 b";
  EXPECT_LT(referees_class(fen, "c9e7", "cxa2020"), PlyClass::Chase);
  EXPECT_LT(referees_class(fen, "c9e7", "cxa1999"), PlyClass::Chase);
  EXPECT_EQ(referees_class(fen, "c9e7", "cxa2007"), PlyClass::Chase);
}

TEST(Classify, ALongSearchTellsThatAMateStoodBefore) {
  // kStoodNodes: that the mate stood before the check was answered (自毙) takes more than a few hundred boards.
  EXPECT_LT(referees_class("2Nk5/4R4/3n1r3/3CrR3/1n4p2/9/9/5K3/6p2/2B3B2 b", "d7b8", "cxa2020"),
            PlyClass::Kill);
}

}  // namespace
}  // namespace chuhe::xiangqi
