// The parts of the classifier: values, named pieces, searches for mates and gains.

#include <gtest/gtest.h>

#include "base/random.h"
#include "xiangqi/rules/balance.h"
#include "xiangqi/rules/gains.h"

namespace chuhe::xiangqi {
namespace {

Position position(const char* fen) {
  return Position::from_fen(fen).value();
}

Balance balance(int strong, int weak, int pawns, bool lost_any = false) {
  return {strong, weak, pawns, lost_any};
}

// ------------------------------------------------------------------------------------------------ 25.3

TEST(Balance, WhatIsAGain) {
  EXPECT_TRUE(is_gain(balance(1, 0, 0)));
  EXPECT_TRUE(is_gain(balance(0, 1, 0)));
  EXPECT_TRUE(is_gain(balance(0, 0, 1)));
  EXPECT_FALSE(is_gain(balance(0, 0, 0)));
  EXPECT_TRUE(is_gain(balance(1, -2, 0, true))) << "a strong piece for weak ones";
  EXPECT_FALSE(is_gain(balance(-1, 3, 0, true))) << "several weak pieces for a strong one";
  EXPECT_FALSE(is_gain(balance(-1, 0, 4, true))) << "pawns for a strong piece";
  EXPECT_FALSE(is_gain(balance(0, 1, -1, true))) << "a weak piece for a pawn";
  EXPECT_FALSE(is_gain(balance(0, -1, 1, true)));
  EXPECT_TRUE(is_gain(balance(0, 1, 1, true)));
  EXPECT_FALSE(is_gain(balance(1, 0, -1, true))) << "one piece for one pawn: the pawn floats";
  EXPECT_TRUE(is_gain(balance(2, 0, -1, true)));
  EXPECT_TRUE(is_gain(balance(1, 1, -1, true)));
  EXPECT_FALSE(is_gain(balance(1, 5, 0), 2)) << "level 2 asks for a rook or two pieces";
  EXPECT_TRUE(is_gain(balance(2, -1, 0, true), 2));
}

TEST(Balance, PawnsHaveValueAcrossTheRiverOnly) {
  const Piece red = make_piece(Color::Red, PieceType::Pawn),
              black = make_piece(Color::Black, PieceType::Pawn);
  EXPECT_FALSE(has_value(red, make_square(0, 4)));
  EXPECT_TRUE(has_value(red, make_square(0, 5)));
  EXPECT_TRUE(has_value(black, make_square(0, 4)));
  EXPECT_FALSE(has_value(black, make_square(0, 5)));
  EXPECT_FALSE(has_value(make_piece(Color::Red, PieceType::King), make_square(4, 0)));
  EXPECT_EQ(Balance{}.won(black, make_square(0, 5)), Balance{});
  EXPECT_EQ(Balance{}.lost(red, make_square(0, 4)), Balance{}) << "nothing of value lost";
}

// ---------------------------------------------------------------------------------------- named pieces

TEST(NamedBoard, NumbersStayWithThePiecesAndComeBack) {
  NamedBoard board{Position()};
  const PieceId cannon = board.id(make_square(7, 2)), horse = board.id(make_square(7, 9));
  const auto undo = board.play(parse_uci("h2h9"));
  EXPECT_EQ(board.square_of(cannon), make_square(7, 9));
  EXPECT_EQ(board.square_of(horse), kNoSquare);
  EXPECT_EQ(board.id(make_square(7, 2)), kNoPiece);
  board.take_back(parse_uci("h2h9"), undo);
  EXPECT_EQ(board.position(), Position());
  EXPECT_EQ(board.square_of(horse), make_square(7, 9));
  EXPECT_EQ(board.square_of(cannon), make_square(7, 2));
}

TEST(NamedBoard, PossibleChecksMissNoCheckAndCapturesAreTheLegalOnes) {
  Random random(7);
  int checks = 0, listed = 0, all = 0;
  for (int game = 0; game < 60; ++game) {
    Position p;
    for (int ply = 0; ply < 90; ++ply) {
      const MoveList moves = p.legal_moves();
      if (moves.empty()) break;
      NamedBoard board(p);
      MoveList possible;
      board.possible_checks(possible);
      for (Move m : moves) {
        Position next = p;
        next.play(m);
        if (next.in_check()) {
          ++checks;
          ASSERT_TRUE(possible.contains(m)) << p.to_fen() << " " << to_uci(m);
        }
      }
      for (Square s : p.pieces(~p.side_to_move())) {
        MoveList captures;
        board.captures_on(s, captures);
        int expected = 0;
        for (Move m : moves) expected += m.to() == s;
        ASSERT_EQ(captures.size(), expected) << p.to_fen() << " " << int(s);
        for (Move m : captures) ASSERT_TRUE(moves.contains(m));
      }
      listed += possible.size();
      all += moves.size();
      p.play(moves[int(random.below(uint64_t(moves.size())))]);
    }
  }
  EXPECT_GT(checks, 500);
  EXPECT_LT(listed, all / 2) << "most moves that give no check should be left out";
}

TEST(NamedBoard, AnIgnoredKingMayStandInCheck) {
  // Red's rook is pinned; with the king's safety left aside it may leave the file.
  NamedBoard board(position("4k4/9/4r4/9/9/9/9/4R4/9/4K4 w"));
  EXPECT_FALSE(board.is_legal(parse_uci("e2a2")));
  board.ignore_safety(Color::Red);
  EXPECT_TRUE(board.is_legal(parse_uci("e2a2")));
  MoveList moves;
  board.moves(moves);
  EXPECT_TRUE(moves.contains(parse_uci("e2a2")));
}

// -------------------------------------------------------------------------------------------- searches

TEST(FindMate, ByConsecutiveChecksOnlyAndShortest) {
  NodeBudget budget(10000);
  NamedBoard one(position("3ak4/4a4/9/9/9/9/9/2N6/9/3K5 w"));
  EXPECT_FALSE(find_mate(one, 9, budget)) << "no mate by checks here";
  NamedBoard two(position("4k4/9/9/R8/1R7/9/9/9/9/5K3 w"));
  const auto mate = find_mate(two, 9, budget);
  ASSERT_TRUE(mate);
  EXPECT_EQ(mate->checks, 2);
  EXPECT_FALSE(budget.exceeded);
  NodeBudget tiny(1);
  EXPECT_FALSE(find_mate(two, 9, tiny));
  EXPECT_TRUE(tiny.exceeded) << "an exceeded budget is told apart from no mate";
}

struct Found {
  GainFinder* finder;
  const Gain* of(const char* from, const char* to) const {
    const Square f = make_square(from[0] - 'a', from[1] - '0'), t = make_square(to[0] - 'a', to[1] - '0');
    for (const auto* list : {&finder->captures(), &finder->runs(), &finder->offers()})
      for (const Gain& g : *list)
        if (g.from == f && g.to == t) return &g;
    return nullptr;
  }
};

TEST(Gains, APinnedProtectorIsAFalseRoot) {
  // The horse e7 "protects" c6, but its leaving would open the file to the king's rook.
  MateMemo mates;
  const auto direct = [&](const char* fen) {
    GainFinder finder(NamedBoard(position(fen)), rule_set("cxa2007"), {}, mates);
    const Gain* g = Found{&finder}.of("c1", "c6");
    return g ? std::optional(g->form) : std::nullopt;
  };
  EXPECT_EQ(direct("4k4/9/4n4/2c6/9/9/9/9/2R1R4/3K5 w"), GainForm::Direct);
  EXPECT_EQ(direct("4k4/9/4n4/2c6/9/9/9/9/2R2R3/3K5 w"), std::nullopt) << "a rook for a cannon is no gain";
}

TEST(Gains, KingsAndPawnsDoNotChaseByThemselves) {
  MateMemo mates;
  const auto set_aside = [&](const char* fen) {
    GainFinder finder(NamedBoard(position(fen)), rule_set("cxa2007"), {}, mates);
    EXPECT_TRUE(finder.captures().empty());
    std::vector<Exemption> out;
    for (const auto& s : finder.set_aside()) out.push_back(s.exemption);
    return out;
  };
  EXPECT_EQ(set_aside("3k5/9/9/9/9/9/9/9/4n4/4K4 w"), std::vector{Exemption::KingAttack});
  EXPECT_EQ(set_aside("3k5/9/9/9/2n6/2P6/9/9/9/4K4 w"), std::vector{Exemption::PawnAttack});
}

// L 29.2: each takes his own. The cannon that takes the horse h1 opens the file on which Red's rook takes
// Black's.
TEST(Gains, ACaptureThatLaysADearerPieceOpenIsNoGain) {
  MateMemo mates;
  const auto takes_the_horse = [&](const char* fen) {
    GainFinder finder(NamedBoard(position(fen)), rule_set("cxa2007"), {}, mates);
    return Found{&finder}.of("b1", "h1") != nullptr;
  };
  EXPECT_FALSE(takes_the_horse("2bakr3/4a4/4b4/9/9/9/1r7/2R2A2B/1c2A2N1/1R3K3 b"));
  EXPECT_TRUE(takes_the_horse("2bakr3/4a4/4b4/9/9/9/1r7/2R2A2B/1c2A2N1/R4K3 b")) << "nothing laid open";
  EXPECT_TRUE(takes_the_horse("2bakr3/4a4/4b4/9/9/9/1n7/2R2A2B/1c2A2N1/1R3K3 b"))
      << "an equal piece laid open";
}

TEST(Gains, LikePiecesThatAttackEachOtherAreAnExchange) {
  MateMemo mates;
  GainFinder finder(NamedBoard(position("3k5/9/9/r8/R8/9/9/9/9/R3K4 w")), rule_set("cxa2007"), {}, mates);
  ASSERT_EQ(finder.mutual().size(), 1u);
  EXPECT_TRUE(finder.captures().empty());
}

TEST(Gains, ARunOfChecksWinsTheRookBehindTheKing) {
  // a9+ drives the king off the file and the rook takes what stood behind it.
  MateMemo mates;
  GainFinder finder(NamedBoard(position("4k3r/9/9/R8/9/9/9/9/9/3K5 w")), rule_set("cxa2007"), {}, mates);
  const Gain* g = Found{&finder}.of("a6", "a9");
  ASSERT_TRUE(g);
  EXPECT_EQ(g->form, GainForm::Checks);
  EXPECT_EQ(g->level, 2);
  EXPECT_GE(finder.line_of(*g).size(), 3u);
}

}  // namespace
}  // namespace chuhe::xiangqi
