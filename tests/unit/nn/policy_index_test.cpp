#include "nn/encoding/policy_index.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

using xiangqi::Color;
using xiangqi::Move;

TEST(PolicyIndex, IsABijectionInOrder) {
  int straight = 0, horse = 0, elephant = 0, advisor = 0;
  for (int i = 0; i < kPolicySize; ++i) {
    const Move m = policy_move(i);
    EXPECT_EQ(policy_index(m), i);
    EXPECT_EQ(policy_moves()[size_t(i)], m.bits);
    if (i > 0) {
      const Move before = policy_move(i - 1);
      EXPECT_LT(before.from() * 90 + before.to(), m.from() * 90 + m.to());
    }
    const int files = std::abs(xiangqi::file_of(m.from()) - xiangqi::file_of(m.to()));
    const int ranks = std::abs(xiangqi::rank_of(m.from()) - xiangqi::rank_of(m.to()));
    straight += (files == 0) != (ranks == 0);
    horse += files * ranks == 2;
    elephant += files == 2 && ranks == 2;
    advisor += files == 1 && ranks == 1;
  }
  EXPECT_EQ(straight, 1530);
  EXPECT_EQ(horse, 508);
  EXPECT_EQ(elephant, 16);
  EXPECT_EQ(advisor, 8);
}

TEST(PolicyIndex, OwnElephantsAndAdvisorsStayAtHome) {
  for (const char* move : {"c0a2", "a2c4", "g4e2", "d0e1", "e1f2"})
    EXPECT_EQ(policy_move(policy_index(xiangqi::parse_uci(move))), xiangqi::parse_uci(move));
  for (const char* move : {"c9a7", "c5e7", "d9e8", "a0b1", "e1g3", "d1e2"})
    EXPECT_DEATH(policy_index(xiangqi::parse_uci(move)), "no move of any piece") << move;
}

TEST(PolicyIndex, MirrorIsAnInvolutionThatMovesFiles) {
  std::set<int> seen;
  for (int i = 0; i < kPolicySize; ++i) {
    const int m = mirrored_index(i);
    seen.insert(m);
    EXPECT_EQ(mirrored_index(m), i);
    EXPECT_EQ(policy_move(m).from(), xiangqi::mirrored(policy_move(i).from()));
    EXPECT_EQ(policy_move(m).to(), xiangqi::mirrored(policy_move(i).to()));
  }
  EXPECT_EQ(seen.size(), size_t(kPolicySize));
}

TEST(PolicyIndex, HoldsEveryLegalMoveOfBothColours) {
  for (uint64_t g = 0; g < 20; ++g) {
    Random random(1, "policy", g);
    test::random_game(random, 200, 0.0, [](const xiangqi::GameHistory& history) {
      const auto indices = test::indices_of(history.current());
      const Color mover = history.current().side_to_move();
      const auto legal = history.current().legal_moves();
      for (int i = 0; i < legal.size(); ++i)
        ASSERT_EQ(oriented(policy_move(indices[size_t(i)]), mover), legal[i]);
      EXPECT_EQ(std::set<uint16_t>(indices.begin(), indices.end()).size(), indices.size());
    });
  }
}

// The first and last few: these numbers are written into shards' readers and nets, and must never change.
TEST(PolicyIndex, PinnedNumbers) {
  EXPECT_EQ(to_uci(policy_move(0)), "a0b0");
  EXPECT_EQ(to_uci(policy_move(1)), "a0c0");
  EXPECT_EQ(policy_index(xiangqi::parse_uci("h2e2")), 576);
  EXPECT_EQ(to_uci(policy_move(kPolicySize - 1)), "i9h9");
}

}  // namespace
}  // namespace chuhe::nn
