#include "xiangqi/rules/game_history.h"

#include <gtest/gtest.h>

#include "tests/unit/xiangqi/walks.h"

namespace chuhe::xiangqi {
namespace {

void play(GameHistory& history, const std::string& moves) {
  for (const std::string& text : words(moves)) {
    const Move m = parse_uci(text);
    ASSERT_TRUE(history.current().is_legal(m)) << text << " in " << history.current().to_fen();
    history.push(m);
  }
}

/// Occurrences and previous one by looking at every position of the game.
std::pair<int, int> counted_slowly(const GameHistory& history) {
  int occurrences = 1, previous = -2;
  for (int plies = 0; plies < history.plies(); ++plies) {
    const Position p = history.position_at(plies);
    if (p.key() != history.current().key()) continue;
    ++occurrences;
    previous = plies - 1;
  }
  return {occurrences, previous};
}

TEST(GameHistory, CountsOccurrencesLikeABruteForceSearch) {
  Random random(6, "history", 0);
  int thirds = 0, at_start = 0;
  for (const char* fen :
       {"3k5/9/9/9/9/9/9/4B4/4R4/5K3 w", "4k4/9/9/p8/9/9/P8/9/9/3K5 w", "3ak4/9/9/9/1n7/9/9/9/9/3K1A3 b"})
    for (int game = 0; game < 40; ++game) {
      GameHistory history(position(fen));
      for (int ply = 0; ply < 60; ++ply) {
        const MoveList legal = history.current().legal_moves();
        if (legal.empty()) break;
        // Often straight back, or positions would hardly ever return.
        const Move last = ply >= 2 ? history.facts()[size_t(ply) - 2].move : Move{},
                   back(last.to(), last.from());
        const bool undo = last && random.below(4) > 0 && legal.contains(back);
        history.push(undo ? back : legal[int(random.below(uint64_t(legal.size())))]);
        const auto [occurrences, previous] = counted_slowly(history);
        ASSERT_EQ(history.occurrences(), occurrences);
        ASSERT_EQ(history.previous_occurrence(), previous);
        thirds += occurrences >= 3;
        at_start += previous == -1;
      }
    }
  EXPECT_GT(thirds, 50);
  EXPECT_GT(at_start, 50);
}

TEST(GameHistory, PopRestoresAndPushGivesTheSameFacts) {
  Random random(7, "history", 0);
  for (const Position& start : golden_starts()) {
    GameHistory history(start);
    for (int ply = 0; ply < 40; ++ply) {
      const MoveList legal = history.current().legal_moves();
      if (legal.empty()) break;
      history.push(legal[int(random.below(uint64_t(legal.size())))]);
    }
    const std::vector<PlyFacts> facts(history.facts().begin(), history.facts().end());
    const Position end = history.current();
    const int n = int(facts.size()) / 2;
    history.pop(n);
    ASSERT_EQ(history.current(), history.position_at(history.plies()));
    for (int i = history.plies(); i < int(facts.size()); ++i) history.push(facts[size_t(i)].move);
    ASSERT_EQ(history.current(), end);
    for (size_t i = 0; i < facts.size(); ++i) {
      const PlyFacts &a = facts[i], &b = history.facts()[i];
      EXPECT_EQ(a.key, b.key);
      EXPECT_EQ(a.captured, b.captured);
      EXPECT_EQ(a.gives_check, b.gives_check);
      EXPECT_EQ(a.counted_plies, b.counted_plies);
      EXPECT_EQ(a.occurrences, b.occurrences);
      EXPECT_EQ(a.reversible, b.reversible);
    }
    history.pop(history.plies());
    EXPECT_EQ(history.current(), start);
  }
}

TEST(GameHistory, ThePassedPositionIsNotTheSame) {
  // The same board with the other side to move is another position.
  GameHistory history(position("3k5/9/9/9/9/9/9/9/R8/4K4 w"));
  play(history, "a1a2 d9d8 a2a3 d8d9 a3a1");
  EXPECT_EQ(history.occurrences(), 1);
}

// ----------------------------------------------------------------------------- natural limit, digest A21

// The rook checks for ever: d5e5+ e9d9 e5d5+ d9e9.
constexpr const char* kEndlessChecks = "4k4/9/9/9/3R5/9/9/9/9/5K3 w - - 90 50";
const std::string kFourPlies = "d5e5 e9d9 e5d5 d9e9 ";

TEST(NaturalLimit, ChecksBeyondTenAndTheirRepliesAreNotCounted) {
  GameHistory history(position(kEndlessChecks));
  for (int i = 0; i < 5; ++i) play(history, kFourPlies);  // ten checks and ten replies
  EXPECT_EQ(history.counted_plies(), 110);
  play(history, "d5e5");  // the eleventh
  EXPECT_EQ(history.counted_plies(), 110);
  play(history, "e9d9");
  EXPECT_EQ(history.counted_plies(), 110);
  EXPECT_EQ(history.current().quiet_plies(), 112);
  play(history, "e5h5 d9d8");  // a quiet move counts again, and so does the reply to it
  EXPECT_EQ(history.counted_plies(), 112);
  EXPECT_EQ(history.facts().back().checks[int(Color::Red)], 11);
  EXPECT_EQ(history.facts().back().checks[int(Color::Black)], 0);
}

TEST(NaturalLimit, TheNumberOfChecksIsTheRuleSets) {
  GameHistory none(position(kEndlessChecks), 0), all(position(kEndlessChecks), 1000);
  for (GameHistory* history : {&none, &all}) play(*history, kFourPlies + kFourPlies);
  EXPECT_EQ(none.counted_plies(), 90);
  EXPECT_EQ(all.counted_plies(), 98);
}

TEST(NaturalLimit, EachSideHasItsOwnTen) {
  GameHistory history(position("4k4/9/9/9/3R5/9/9/9/9/5K3 w").color_swapped());
  std::string moves;
  for (const std::string& text : words(kFourPlies)) {
    const Move m = parse_uci(text);
    moves += to_uci(Move(flipped(m.from()), flipped(m.to()))) + " ";
  }
  for (int i = 0; i < 6; ++i) play(history, moves);
  EXPECT_EQ(history.counted_plies(), 20);
  EXPECT_EQ(history.facts().back().checks[int(Color::Black)], 12);
}

TEST(NaturalLimit, ACaptureStartsBothCountsAgain) {
  GameHistory history(position("4k4/9/9/9/3R4p/9/9/9/9/5K3 w - - 90 50"));
  for (int i = 0; i < 6; ++i) play(history, kFourPlies);
  EXPECT_EQ(history.facts().back().checks[0], 12);
  play(history, "d5i5");
  EXPECT_EQ(history.counted_plies(), 0);
  EXPECT_EQ(history.facts().back().checks[0], 0);
  EXPECT_EQ(history.facts().back().quiet_plies, 0);
  play(history, "e9e8 i5e5");
  EXPECT_EQ(history.counted_plies(), 2);
  EXPECT_EQ(history.facts().back().checks[0], 1);
}

TEST(NaturalLimit, AnUncountedReplyMayItselfCheck) {
  // Both sides check with every move; the first one captures.
  GameHistory history(position("3akr3/5c3/1P2b4/4R4/9/9/9/9/9/4CK3 w"), 2);
  play(history, "e6e7 f8e8 e7f7 e8f8 f7e7 f8e8");
  for (const PlyFacts& f : history.facts()) EXPECT_TRUE(f.gives_check);
  // Two checks of each side count, that of the capture not among them; Black's third does not.
  const int counted[] = {0, 1, 2, 3, 4, 4};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(history.facts()[size_t(i)].counted_plies, counted[i]) << i;
  EXPECT_EQ(history.facts().back().checks[0], 2);
  EXPECT_EQ(history.facts().back().checks[1], 3);
}

}  // namespace
}  // namespace chuhe::xiangqi
