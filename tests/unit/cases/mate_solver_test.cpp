#include "xiangqi/cases/mate_solver.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace chuhe::xiangqi {
namespace {

/// The definition, without table, order or haste.
bool mates_within(const Position& p, int checks) {
  for (Move m : p.legal_moves()) {
    Position next = p;
    next.play(m);
    if (!next.in_check()) continue;
    const MoveList replies = next.legal_moves();
    if (!replies.empty() && checks == 1) continue;
    bool always = true;
    for (Move r : replies) {
      Position after = next;
      after.play(r);
      always = always && mates_within(after, checks - 1);
    }
    if (always) return true;
  }
  return false;
}

int shortest(const Position& p, int most) {
  for (int checks = 1; checks <= most; ++checks)
    if (mates_within(p, checks)) return checks;
  return 0;
}

/// Attackers around a palace: mates and near misses are frequent.
Position random_attack(Random& random) {
  while (true) {
    std::array<char, kSquares> board;
    board.fill('.');
    const auto put = [&](char piece, Square s) {
      if (board[s] == '.') board[s] = piece;
    };
    put('k', make_square(3 + int(random.below(3)), 7 + int(random.below(3))));
    put('K', make_square(3 + int(random.below(3)), int(random.below(3))));
    put('a', make_square(4, 8));
    if (random.below(2)) put('a', make_square(3, 9));
    if (random.below(2)) put('b', make_square(4, 7));
    if (random.below(2)) put('r', Square(random.below(kSquares)));
    for (char piece : {'R', 'N', 'C', 'R'})
      if (random.below(4)) put(piece, Square(random.below(kSquares)));
    if (random.below(2)) put('P', make_square(int(random.below(9)), 6 + int(random.below(3))));
    std::string fen;
    for (int rank = 9; rank >= 0; --rank) {
      for (int file = 0; file < kFiles; ++file) {
        const char piece = board[make_square(file, rank)];
        fen += piece == '.' ? '1' : piece;
      }
      if (rank) fen += '/';
    }
    const auto p = Position::from_fen(fen + " w");
    if (p.ok()) return *p;
  }
}

void expect_mating_line(Position p, const CheckingMate& mate) {
  ASSERT_EQ(int(mate.line.size()), 2 * mate.checks - 1);
  for (size_t i = 0; i < mate.line.size(); ++i) {
    ASSERT_TRUE(p.is_legal(mate.line[i]));
    p.play(mate.line[i]);
    if (i % 2 == 0) {
      EXPECT_TRUE(p.in_check());
    }
  }
  EXPECT_FALSE(p.has_legal_move());
}

TEST(MateSolver, AgreesWithTheDefinition) {
  Random random(1);
  MateSolver solver(12);
  int found[4] = {};
  for (int i = 0; i < 3000; ++i) {
    const Position p = random_attack(random);
    const int wanted = shortest(p, 3);
    ++found[wanted];
    const auto mate = solver.solve(p, 3);
    ASSERT_EQ(mate ? mate->checks : 0, wanted) << p.to_fen();
    if (mate) expect_mating_line(p, *mate);
  }
  for (int count : found) EXPECT_GT(count, 20);  // enough of each
}

TEST(MateSolver, FindsDeepMates) {
  // 适情雅趣 22 (thirteen checks) and the longest of the golden cases' kind.
  const Position p = *Position::from_fen("r1N3b2/1c1kaP3/3ab4/8N/9/9/9/4BA3/5p3/C1R1K1Rrc w");
  MateSolver solver;
  const auto mate = solver.solve(p, 20);
  ASSERT_TRUE(mate);
  EXPECT_EQ(mate->checks, 13);
  expect_mating_line(p, *mate);
  EXPECT_FALSE(solver.solve(p, 12));
  EXPECT_FALSE(solver.gave_up());
}

TEST(MateSolver, TheLineHoldsOutLongest) {
  // One reply is mated at once, the other a check later: the line takes the longer way.
  const Position p = *Position::from_fen("3a1k3/4a4/6R2/8R/2r6/9/1r7/9/4A4/3K1A3 w");
  MateSolver solver;
  const auto mate = solver.solve(p, 5);
  ASSERT_TRUE(mate);
  EXPECT_EQ(mate->checks, 3);
  expect_mating_line(p, *mate);
}

TEST(MateSolver, StalemateIsNoMateByChecks) {
  // 28.2 needs checks: the quiet move g8f8 stalemates.
  MateSolver solver;
  EXPECT_FALSE(solver.solve(*Position::from_fen("3ak4/4a1P2/9/9/9/9/9/9/9/4K4 w"), 10));
}

TEST(MateSolver, SaysThatItGaveUp) {
  const Position p = *Position::from_fen("r1N3b2/1c1kaP3/3ab4/8N/9/9/9/4BA3/5p3/C1R1K1Rrc w");
  MateSolver solver;
  EXPECT_FALSE(solver.solve(p, 20, 50));
  EXPECT_TRUE(solver.gave_up());
  EXPECT_LT(solver.refuted_checks(), 12);
  EXPECT_TRUE(solver.solve(p, 20));
  EXPECT_EQ(solver.refuted_checks(), 12);
  EXPECT_FALSE(solver.gave_up());
}

}  // namespace
}  // namespace chuhe::xiangqi
