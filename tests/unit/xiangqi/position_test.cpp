#include "xiangqi/board/position.h"

#include <gtest/gtest.h>

#include <unordered_map>

#include "tests/unit/xiangqi/walks.h"
#include "xiangqi/board/attacks.h"

namespace chuhe::xiangqi {
namespace {

TEST(Position, StartsAsTheGameDoes) {
  const Position p;
  EXPECT_EQ(p.side_to_move(), Color::Red);
  EXPECT_EQ(p.king(Color::Red), make_square(4, 0));
  EXPECT_EQ(p.king(Color::Black), make_square(4, 9));
  EXPECT_EQ(p.occupied().count(), 32);
  EXPECT_EQ(p.pieces(Color::Black, PieceType::Pawn).count(), 5);
  EXPECT_FALSE(p.in_check());
}

TEST(Position, PlayMovesCountersAndPieces) {
  Position p;
  EXPECT_EQ(p.play(parse_uci("h2e2")), Piece::None);
  EXPECT_EQ(p.to_fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
  p.play(parse_uci("h9g7"));
  EXPECT_EQ(p.play(parse_uci("e2e6")), make_piece(Color::Black, PieceType::Pawn));
  EXPECT_EQ(p.to_fen(), "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2");
  EXPECT_FALSE(p.in_check());  // nothing between cannon and king
  p.play(parse_uci("d9e8"));
  p.play(parse_uci("b2e2"));
  EXPECT_TRUE(p.in_check());  // the advisor is the screen of the first cannon; the second one has two
  EXPECT_EQ(p.checkers(), Bitboard::of(make_square(4, 6)));
}

TEST(Position, TheKeyIsThatOfTheBoardAlone) {
  // Two orders of moves, one position.
  Position a = after(Position(), {"h2e2", "h9g7", "b0c2"}), b = after(Position(), {"b0c2", "h9g7", "h2e2"});
  EXPECT_EQ(a.key(), b.key());
  EXPECT_NE(a.key(), a.after_pass().key());
  EXPECT_EQ(position("3k5/9/9/9/9/9/9/9/9/4K4 w - - 5 9").key(), position("3k5/9/9/9/9/9/9/9/9/4K4 w").key());
  // Pinned: keys are compared over runs and machines (caches, digests).
  EXPECT_EQ(Position().key(), 7102353402111994232u);
}

TEST(Position, KeysAreKeptIncrementallyAndDistinguish) {
  std::unordered_map<uint64_t, std::string> boards;
  walk_randomly(1, 20000, 60, [&](const Position& p, const MoveList&) {
    const std::string fen = p.to_fen(), board = fen.substr(0, fen.find(' ') + 2);
    ASSERT_EQ(position(fen).key(), p.key());
    const auto [at, fresh] = boards.emplace(p.key(), board);
    ASSERT_EQ(at->second, board);
  });
  EXPECT_GT(boards.size(), 10000u);
}

TEST(Position, TakeBackIsTheInverseOfPlay) {
  walk_randomly(2, 3000, 60, [](const Position& p, const MoveList& legal) {
    for (Move m : legal) {
      Position next = p;
      const Piece captured = next.play(m);
      next.take_back(m, captured, p.quiet_plies());
      ASSERT_EQ(next, p) << to_uci(m);
    }
  });
}

TEST(Position, MirrorAndColorSwapCommuteWithTheMoves) {
  walk_randomly(3, 3000, 60, [](const Position& p, const MoveList& legal) {
    const Position left = p.mirrored(), turned = p.color_swapped();
    ASSERT_EQ(left.mirrored(), p);
    ASSERT_EQ(turned.color_swapped(), p);
    ASSERT_EQ(position(left.to_fen()), left);
    ASSERT_EQ(position(turned.to_fen()), turned);
    ASSERT_EQ(left.legal_moves().size(), legal.size());
    ASSERT_EQ(turned.legal_moves().size(), legal.size());
    ASSERT_EQ(left.in_check(), p.in_check());
    ASSERT_EQ(turned.in_check(), p.in_check());
    for (Move m : legal) {
      ASSERT_TRUE(left.is_legal(Move(mirrored(m.from()), mirrored(m.to()))));
      ASSERT_TRUE(turned.is_legal(Move(flipped(m.from()), flipped(m.to()))));
    }
  });
}

TEST(Position, AttackersAreThePiecesThatCouldCapture) {
  walk_randomly(4, 1500, 60, [](const Position& p, const MoveList&) {
    const Color by = p.side_to_move();
    for (Square s : p.pieces(~by)) {
      Bitboard expected;
      for (Square from : p.pieces(by))
        if (p.is_pseudo_legal(Move(from, s))) expected |= Bitboard::of(from);
      ASSERT_EQ(p.attackers_to(s, by, p.occupied()), expected) << p.to_fen() << " " << int(s);
    }
  });
}

TEST(Position, CheckersAreTheAttackersOfTheKing) {
  walk_randomly(5, 20000, 60, [](const Position& p, const MoveList&) {
    const Color us = p.side_to_move();
    ASSERT_EQ(p.checkers(), p.attackers_to(p.king(us), ~us, p.occupied())) << p.to_fen();
  });
}

TEST(Position, BareMeansNobodyCanAttack) {
  EXPECT_TRUE(position("2bak4/4a4/4b4/9/9/9/9/4B4/4A4/5K3 w").is_bare());
  for (const char* fen : {"3k5/9/9/9/9/9/9/9/4R4/4K4 w", "3k5/9/9/9/9/9/9/9/4N4/4K4 w",
                          "3k5/9/9/9/9/9/9/9/4C4/4K4 w", "3k5/9/9/4p4/9/9/9/9/9/4K4 w"})
    EXPECT_FALSE(position(fen).is_bare()) << fen;
}

}  // namespace
}  // namespace chuhe::xiangqi
