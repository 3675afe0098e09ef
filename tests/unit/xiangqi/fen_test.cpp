#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/unit/xiangqi/golden.h"

namespace chuhe::xiangqi {
namespace {

TEST(Fen, TakesAndRefusesAsTheTableSays) {
  for (const Row& row : golden("fen.tsv")) {
    const auto p = Position::from_fen(row.at(1));
    if (row.at(2) == "valid") {
      EXPECT_TRUE(p.ok()) << row[0] << ": " << p.error();
    } else {
      ASSERT_FALSE(p.ok()) << row[0];
      EXPECT_NE(p.error().find(row.at(2)), std::string::npos) << row[0] << ": " << p.error();
      EXPECT_EQ(p.error().find('\n'), std::string::npos) << row[0];
    }
  }
}

TEST(Fen, DialectsMeanTheSamePosition) {
  const Position start;
  EXPECT_EQ(start.to_fen(), kStartFen);
  for (const char* fen : {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
                          "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
                          "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - -"})
    EXPECT_EQ(position(fen), start) << fen;
}

TEST(Fen, CountersAndSideComeBack) {
  const std::string fen = "3k5/9/9/9/4P4/9/9/9/9/4K4 b - - 37 81";
  const Position p = position(fen);
  EXPECT_EQ(p.side_to_move(), Color::Black);
  EXPECT_EQ(p.quiet_plies(), 37);
  EXPECT_EQ(p.move_number(), 81);
  EXPECT_EQ(p.to_fen(), fen);
}

TEST(Fen, GoldenPositionsComeBack) {
  for (const char* table : {"perft.tsv", "positions.tsv", "repetition_checks_only.tsv"})
    for (const Row& row : golden(table)) {
      const Position p = position(row.at(std::string(table) == "positions.tsv" ? 2 : 1));
      EXPECT_EQ(position(p.to_fen()), p) << row[0];
    }
}

/// One or two small injuries: a byte changed, dropped, doubled or moved, a tail cut off.
std::string injured(std::string text, Random& random) {
  constexpr std::string_view kLikely = "KABNRCPkabnrcpHhEe123456789/ -wbr0x";
  for (uint64_t n = 1 + random.below(2); n > 0 && !text.empty(); --n) {
    const size_t at = random.below(text.size());
    switch (random.below(5)) {
      case 0:
        text[at] = kLikely[random.below(kLikely.size())];
        break;
      case 1:
        text[at] = char(random.below(256));
        break;
      case 2:
        text.erase(at, 1);
        break;
      case 3:
        text.insert(at, 1, kLikely[random.below(kLikely.size())]);
        break;
      case 4:
        random.below(4) ? std::swap(text[at], text[random.below(text.size())]) : text.resize(at);
        break;
    }
  }
  return text;
}

// user case U075: a broken FEN crashed an engine.
TEST(Fen, InjuredTextsNeverCrashAndAreRefusedOrSound) {
  Random random(75, "injured fen", 0);
  std::vector<std::string> seeds{std::string(kStartFen)};
  for (const Row& row : golden("perft.tsv")) seeds.push_back(row.at(1) + " - - 3 9");
  for (const Row& row : golden("fen.tsv")) seeds.push_back(row.at(1));
  int taken = 0, refused = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::string fen = injured(seeds[random.below(seeds.size())], random);
    const auto p = Position::from_fen(fen);
    if (!p.ok()) {
      ++refused;
      ASSERT_FALSE(p.error().empty());
      ASSERT_LT(p.error().size(), 300u);
      continue;
    }
    ++taken;
    ASSERT_EQ(position(p->to_fen()), *p) << fen;
    for (Move m : p->legal_moves()) {
      Position next = *p;
      next.play(m);
      ASSERT_FALSE(next.after_pass().in_check()) << fen << " " << to_uci(m);
    }
  }
  // Both ways must really be walked.
  EXPECT_GT(taken, 1000);
  EXPECT_GT(refused, 10000);
}

}  // namespace
}  // namespace chuhe::xiangqi
