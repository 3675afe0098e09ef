#include "match/alpha_beta.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "match/make_openings.h"
#include "match/material.h"
#include "match/player.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::match {
namespace {

using xiangqi::GameHistory;
using xiangqi::Move;
using xiangqi::MoveList;
using xiangqi::Position;

const xiangqi::RuleSet& rules() {
  return xiangqi::rule_set("checks_only");
}

GameHistory game_from(const char* fen) {
  return GameHistory(Position::from_fen(fen).value());
}

// The same value without any cut: plain minimax, captures played on at the leaves.
int plain_captures(GameHistory& history, int ply) {
  const Position p = history.current();
  const MoveList legal = p.legal_moves();
  if (legal.empty()) return ply - AlphaBeta::kMate;
  int best = material_balance(p, p.side_to_move());
  for (const Move m : legal) {
    if (p.empty(m.to())) continue;
    history.push(m);
    best = std::max(best, -plain_captures(history, ply + 1));
    history.pop();
  }
  return best;
}

int plain_minimax(GameHistory& history, int depth, int ply) {
  const MoveList legal = history.current().legal_moves();
  if (ply > 0) {
    if (const auto end = xiangqi::game_end(history, legal, rules(), 2)) {
      if (end->outcome == xiangqi::Outcome::Draw) return 0;
      const bool won = end->outcome == xiangqi::win_for(history.current().side_to_move());
      return won ? AlphaBeta::kMate - ply : ply - AlphaBeta::kMate;
    }
    if (depth == 0) return plain_captures(history, ply);
  }
  int best = -2 * AlphaBeta::kMate;
  for (const Move m : legal) {
    history.push(m);
    best = std::max(best, -plain_minimax(history, depth - 1, ply + 1));
    history.pop();
  }
  return best;
}

// Few pieces, since the capture trees of plain minimax grow without bound where many hang.
constexpr const char* kSparse[] = {"3ak4/4a4/4b4/p3n4/9/4P4/4C4/9/4A4/2BAK3R w",
                                   "2b1k4/4a4/3cb4/9/4p4/2R6/9/4B4/9/3K2B2 w",
                                   "3k5/4P4/9/2n6/9/9/4H3p/9/r8/3AK4 b", "3k5/9/9/9/9/9/9/9/4R4/4K4 w"};

GameHistory random_game(uint64_t seed, int plies) {
  Random random(seed, "alpha_beta_test", 0);
  GameHistory history = game_from(kSparse[seed % std::size(kSparse)]);
  for (int i = 0; i < plies; ++i) {
    const MoveList legal = history.current().legal_moves();
    if (xiangqi::game_end(history, legal, rules())) break;
    history.push(legal[int(random.below(uint64_t(legal.size())))]);
  }
  return history;
}

TEST(AlphaBeta, HasTheValueOfPlainMinimax) {
  int compared = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    GameHistory history = random_game(seed, int(seed) / 2);
    if (xiangqi::game_end(history, history.current().legal_moves(), rules())) continue;
    for (int depth = 1; depth <= 3; ++depth, ++compared)
      EXPECT_EQ(AlphaBeta(history, rules()).value(depth), plain_minimax(history, depth, 0))
          << history.current().to_fen() << " depth " << depth;
  }
  EXPECT_GT(compared, 80);
  // Deep enough for repetitions inside the tree.
  for (const char* fen :
       {"3k5/9/9/9/9/9/9/9/4R4/4K4 w", "4k4/4a4/9/9/9/9/9/4p4/9/3K5 w", "3k5/9/4P4/9/9/9/9/9/9/4K4 b"}) {
    GameHistory history = game_from(fen);
    EXPECT_EQ(AlphaBeta(history, rules()).value(5), plain_minimax(history, 5, 0)) << fen;
  }
}

TEST(AlphaBeta, ChoosesAmongExactlyTheBestMoves) {
  GameHistory history = random_game(4, 6);
  const int depth = 2;
  const int best = plain_minimax(history, depth, 0);
  std::set<uint16_t> expected, seen;
  for (const Move m : history.current().legal_moves()) {
    history.push(m);
    if (-plain_minimax(history, depth - 1, 1) == best) expected.insert(m.bits);
    history.pop();
  }
  Random random(1);
  for (int i = 0; i < 400; ++i) seen.insert(AlphaBeta(history, rules()).choose(depth, random).bits);
  EXPECT_EQ(seen, expected);
}

TEST(AlphaBeta, FindsMatesAndCountsTheirPlies) {
  // A rook mates on the back rank beside the other.
  GameHistory one = game_from("4k4/R8/1R7/9/9/9/9/9/9/3K5 w");
  EXPECT_EQ(AlphaBeta(one, rules()).value(3), AlphaBeta::kMate - 1);
  EXPECT_GT(alpha_beta_value(one, rules(), 1), 1000);
  // Two rooks, one rank further away: mate in two (three plies).
  GameHistory two = game_from("4k4/9/R8/1R7/9/9/9/9/9/3K5 w");
  EXPECT_EQ(AlphaBeta(two, rules()).value(4), AlphaBeta::kMate - 3);
}

TEST(AlphaBeta, DoesNotTakeADefendedPieceForAGift) {
  // The rook may take a pawn that a rook defends.
  const GameHistory history = game_from("r3k4/9/9/p8/9/9/R8/9/9/3K5 w");
  EXPECT_LE(alpha_beta_value(history, rules(), 1), 0);
}

TEST(AlphaBeta, PrefersToRepeatWhenItIsLost) {
  // Red checks for ever with the lone rook's file; a draw by repetition is no better than what material says,
  // so the winning side avoids it.
  GameHistory history = game_from("3k5/9/9/9/9/9/9/9/4R4/4K4 w");
  for (const char* move : {"e1e2", "d9d8", "e2e1", "d8d9"}) history.push(xiangqi::parse_uci(move));
  Random random(3);
  // e1e2 would bring the same position back a second time: worth 0, less than the rook.
  for (int i = 0; i < 50; ++i)
    EXPECT_NE(AlphaBeta(history, rules()).choose(1, random), xiangqi::parse_uci("e1e2"));
}

TEST(MakeOpenings, MakesEvenDistinctLines) {
  OpeningMaker maker;
  maker.count = 6;
  maker.depth = 2;
  maker.margin = 0.5;
  std::set<uint64_t> keys;
  std::string text;
  make_openings(maker, [&](const Opening& opening, double value) {
    EXPECT_GE(opening.moves.size(), 4u);
    EXPECT_LE(opening.moves.size(), 8u);
    EXPECT_LE(std::abs(value), 0.5);
    GameHistory history;
    for (const Move m : opening.moves) history.push(m);
    EXPECT_EQ(alpha_beta_value(history, rules(), 2), value);
    keys.insert(history.current().key());
    text += to_epd(opening, value, maker.depth) + "\n";
  });
  EXPECT_EQ(keys.size(), 6u);
  const OpeningBook book = parse_openings(text, "made");
  EXPECT_EQ(book.openings.size(), 6u);
  EXPECT_TRUE(keys.contains(book.openings[3].position().key()));
}

}  // namespace
}  // namespace chuhe::match
