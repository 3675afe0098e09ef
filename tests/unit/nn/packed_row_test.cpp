#include "nn/encoding/packed_row.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "nn/encoding/planes.h"
#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

using test::game;
using test::rules;
using xiangqi::Color;
using xiangqi::GameHistory;
using xiangqi::kStartFen;
using xiangqi::Move;
using xiangqi::Position;

constexpr const char* kHorses = "b0c2 b9c7 c2b0 c7b9";
constexpr const char* kHorsesTwice = "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9";
// Red's rook gives check on every ply, Black's king steps to and fro.
constexpr const char* kCheckFen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
constexpr const char* kChecks = "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9";

int piece(const PackedRow& row, int square) {
  return row.board[square / 2] >> (square % 2 * 4) & 15;
}

TEST(PackedRow, StartPosition) {
  const PackedRow row = pack(GameHistory(), rules());
  const int back_rank[] = {5, 4, 3, 2, 1, 2, 3, 4, 5};
  for (int f = 0; f < 9; ++f) {
    EXPECT_EQ(piece(row, f), back_rank[f]);
    EXPECT_EQ(piece(row, 81 + f), back_rank[f] + 7);
  }
  EXPECT_EQ(piece(row, 2 * 9 + 1), 6);
  EXPECT_EQ(piece(row, 7 * 9 + 7), 13);
  EXPECT_EQ(piece(row, 3 * 9), 7);
  EXPECT_EQ(piece(row, 6 * 9 + 8), 14);
  EXPECT_EQ(piece(row, 4 * 9), 0);
  EXPECT_EQ(row.repetitions, 0);
  EXPECT_EQ(row.quiet_bucket, 0);
  for (uint16_t move : row.history) EXPECT_EQ(move, 0);
}

TEST(PackedRow, HistoryIsNewestFirstAndOrientedToTheMover) {
  const PackedRow row = pack(game(kStartFen, "h2e2 h9g7"), rules());
  EXPECT_EQ(row.history[0], xiangqi::parse_uci("h9g7").bits);
  EXPECT_EQ(row.history[1], xiangqi::parse_uci("h2e2").bits);
  EXPECT_EQ(row.history[2], 0);
  const PackedRow black = pack(game(kStartFen, "h2e2"), rules());
  EXPECT_EQ(black.history[0], xiangqi::parse_uci("h7e7").bits);
  EXPECT_EQ(piece(black, 7 * 9 + 4), 13) << "Red's cannon stands on e7 as Black sees it";
}

// U001: the newest position's own repetition must be counted.
TEST(PackedRow, U001NewestPositionIsMarkedAsRepeated) {
  EXPECT_EQ(pack(game(kStartFen, kHorses), rules()).repetitions, 1);
  const GameHistory twice = game(kStartFen, kHorsesTwice);
  const PackedRow row = pack(twice, rules());
  EXPECT_EQ(row.repetitions, 2);
  EXPECT_EQ(row.repetitions, twice.occurrences() - 1);
  EXPECT_EQ(row.cycle_verdict, uint8_t(CycleVerdict::Draw));
  uint64_t masks[90];
  plane_masks(row, masks);
  EXPECT_TRUE(masks[0] >> 33 & 1);
  EXPECT_FALSE(masks[0] >> 32 & 1);
  EXPECT_TRUE(masks[0] >> 34 & 1);
}

// U004: what is not known is empty; the same rule for 0 to 8 known plies.
TEST(PackedRow, U004UnknownMovesAreEmpty) {
  const std::string moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b2b4 c6c5 c3c4";
  for (int known : {0, 1, 3, 7, 8, 9}) {
    const PackedRow row =
        pack(game(kStartFen, std::string_view(moves).substr(0, size_t(std::max(0, known * 5 - 1)))), rules());
    for (int i = 0; i < kHistoryMoves; ++i)
      EXPECT_EQ(row.history[i] != 0, i < known) << known << " plies, move " << i;
  }
  // A FEN in the middle of the game knows the moves after it and none before.
  const GameHistory whole = game(kStartFen, moves);
  GameHistory late(whole.position_at(6));
  for (int ply = 6; ply < 9; ++ply) late.push(whole.facts()[size_t(ply)].move);
  PackedRow expected = pack(whole, rules());
  for (int i = 3; i < kHistoryMoves; ++i) expected.history[i] = 0;
  EXPECT_EQ(pack(late, rules()), expected);
}

TEST(PackedRow, CycleVerdictIsTheMovers) {
  const GameHistory checks = game(kCheckFen, kChecks);
  ASSERT_EQ(checks.current().side_to_move(), Color::Red);
  EXPECT_EQ(pack(checks, rules()).cycle_verdict, uint8_t(CycleVerdict::OwnLoss));
  GameHistory other = game(kCheckFen, kChecks);
  other.push(xiangqi::parse_uci("e1d1"));
  EXPECT_EQ(pack(other, rules()).cycle_verdict, uint8_t(CycleVerdict::OwnWin));
  EXPECT_EQ(pack(game(kCheckFen, "e1d1 d9e9"), rules()).cycle_verdict, uint8_t(CycleVerdict::None));
}

// U077: what the net sees depends on the rule set by which it plays.
TEST(PackedRow, U077OtherRulesOtherVerdict) {
  const GameHistory checks = game(kCheckFen, kChecks);
  EXPECT_EQ(pack(checks, xiangqi::rule_set("none")).cycle_verdict, uint8_t(CycleVerdict::Draw));
}

TEST(PackedRow, QuietBucketsFollowTheRuleSetsLimit) {
  xiangqi::RuleSet set = rules();
  const auto bucket = [&set](int plies, int limit) {
    set.natural_limit_plies = limit;
    const auto fen = fmt::format("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - {} 50", plies);
    return int(pack(game(fen), set).quiet_bucket);
  };
  const int edges[] = {20, 40, 60, 80, 100};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(bucket(edges[i] - 1, 120), i);
    EXPECT_EQ(bucket(edges[i], 120), i + 1);
  }
  EXPECT_EQ(bucket(119, 120), 5);
  EXPECT_EQ(bucket(49, 60), 4);
  EXPECT_EQ(bucket(50, 60), 5);
  EXPECT_EQ(bucket(100, 0), 0);
}

TEST(PackedRow, WithoutHistoryIsTheBareFen) {
  for (uint64_t g = 0; g < 10; ++g) {
    Random random(2, "bare", g);
    test::random_game(random, 100, 0.6, [](const GameHistory& history) {
      const GameHistory bare(Position::from_fen(history.current().to_fen()).value());
      EXPECT_EQ(pack(history, rules(), false), pack(bare, rules()));
      PackedRow row = without_history(pack(history, rules()));
      row.quiet_bucket = 0;
      PackedRow expected = pack(bare, rules());
      expected.quiet_bucket = 0;
      EXPECT_EQ(row, expected);
    });
  }
}

TEST(PackedRow, JudgesMemoryChangesNoRow) {
  xiangqi::JudgeMemory memory;
  const auto& set = xiangqi::rule_set("cxa2007");
  int repeated = 0;
  for (uint64_t g = 0; g < 10; ++g) {
    Random random(4, "memory", g);
    test::random_game(random, 150, 0.5, [&](const GameHistory& history) {
      const PackedRow row = pack(history, set);
      repeated += row.cycle_verdict != 0;
      ASSERT_EQ(pack(history, set, true, &memory), row);
    });
  }
  EXPECT_GT(repeated, 20);
  EXPECT_EQ(memory.counts().verdicts, repeated) << "asked without a repetition";
}

// U016: a game and its mirror images, played move by move.
TEST(PackedRow, U016MirroredAndColourSwappedGames) {
  int repeated = 0;
  for (uint64_t g = 0; g < 10; ++g) {
    Random random(3, "mirror", g);
    GameHistory left_right{Position().mirrored()}, swapped{test::twin_of(Position())};
    size_t played = 0;
    test::random_game(random, 150, 0.5, [&](const GameHistory& history) {
      for (; played < history.facts().size(); ++played) {
        const Move m = history.facts()[played].move;
        left_right.push(Move(xiangqi::mirrored(m.from()), xiangqi::mirrored(m.to())));
        swapped.push(Move(xiangqi::flipped(m.from()), xiangqi::flipped(m.to())));
      }
      const PackedRow row = pack(history, rules()), mirror = pack(left_right, rules());
      repeated += row.cycle_verdict != 0;
      ASSERT_EQ(mirror, mirrored(row));
      ASSERT_EQ(mirrored(mirror), row);
      ASSERT_EQ(pack(swapped, rules()), row);
      std::multiset<int> indices, mirrored_indices, swapped_indices;
      for (int i : test::indices_of(history.current())) indices.insert(i);
      for (int i : test::indices_of(left_right.current())) mirrored_indices.insert(mirrored_index(i));
      for (int i : test::indices_of(swapped.current())) swapped_indices.insert(i);
      EXPECT_EQ(indices, mirrored_indices);
      EXPECT_EQ(indices, swapped_indices);
      uint64_t masks[90], mirror_masks[90];
      plane_masks(row, masks);
      plane_masks(mirror, mirror_masks);
      for (xiangqi::Square s = 0; s < 90; ++s) ASSERT_EQ(masks[s], mirror_masks[xiangqi::mirrored(s)]);
    });
  }
  EXPECT_GT(repeated, 20);
}

// U013: the digest covers all that the planes depend on, and nothing that they do not (it would only cost
// hits).
TEST(PackedRow, U013EqualDigestsImplyEqualPlanesAndTheOtherWayRound) {
  std::map<uint64_t, std::vector<uint64_t>> planes_by_digest;
  std::map<std::vector<uint64_t>, uint64_t> digest_by_planes;
  int met_again = 0;
  for (uint64_t g = 0; g < 40; ++g) {
    Random random(4, "digest", g);
    test::random_game(random, 60, 0.9, [&](const GameHistory& history) {
      const PackedRow row = pack(history, rules());
      std::vector<uint64_t> masks(90);
      plane_masks(row, masks.data());
      const auto [at, fresh] = planes_by_digest.emplace(digest(row), masks);
      met_again += !fresh;
      ASSERT_EQ(at->second, masks);
      ASSERT_EQ(digest_by_planes.emplace(masks, digest(row)).first->second, digest(row));
    });
  }
  EXPECT_GT(met_again, 20);
}

TEST(PackedRow, DigestSeesEveryBitAndIsPinned) {
  const PackedRow start = pack(GameHistory(), rules());
  EXPECT_EQ(digest(start), 16544963068266102613u);
  std::set<uint64_t> digests{digest(start)};
  for (size_t bit = 0; bit < 8 * sizeof start; ++bit) {
    unsigned char bytes[sizeof start];
    std::memcpy(bytes, &start, sizeof start);
    bytes[bit / 8] = uint8_t(bytes[bit / 8] ^ 1 << bit % 8);
    PackedRow changed;
    std::memcpy(&changed, bytes, sizeof changed);
    digests.insert(digest(changed));
  }
  EXPECT_EQ(digests.size(), 1 + 8 * sizeof start);
}

}  // namespace
}  // namespace chuhe::nn
