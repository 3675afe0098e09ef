// Whole materials: their counts by an independent enumeration, and every table against the rules of the
// board.

#include <gtest/gtest.h>

#include "tests/unit/xiangqi/golden.h"
#include "xiangqi/endgame/endgame_table.h"

namespace chuhe::xiangqi {
namespace {

TEST(EndgameClasses, CountsAndLongestWinsAreThoseEnumerated) {
  EndgameTables tables(uint64_t(256) << 20);
  for (const Row& row : golden("endgame_classes.tsv")) {
    ASSERT_EQ(row.size(), 7u);
    const auto number = [&](size_t column) { return std::stoull(row[column]); };
    const auto table = tables.table(Material::parse(row[0]).value());
    const EndgameTable::Summary summary = table->summary();
    const auto& red = summary.to_move[0];
    const auto& black = summary.to_move[1];
    EXPECT_EQ(red.wins + red.draws + red.losses, number(1)) << row[0];
    EXPECT_EQ(red.wins, number(2)) << row[0];
    EXPECT_EQ(red.draws, number(3)) << row[0];
    EXPECT_EQ(uint64_t(summary.longest), number(4)) << row[0];
    EXPECT_EQ(black.losses, number(5)) << row[0];
    EXPECT_EQ(black.draws, number(6)) << row[0];
    if (summary.longest > 0) {
      const Position p = Position::from_fen(summary.longest_fen).value();
      EXPECT_EQ(table->probe(p), (EndgameValue{Wdl::Win, summary.longest})) << row[0];
    }
  }
}

class Consistency : public testing::TestWithParam<const char*> {};

// A labelling in which every position agrees with its moves is the right one: by induction over the length
// for wins and losses, and because a draw always keeps a move to a draw.
TEST_P(Consistency, EveryPositionAgreesWithItsMoves) {
  EndgameTables tables(uint64_t(256) << 20);
  const auto table = tables.table(Material::parse(GetParam()).value());
  const PlacementIndex& index = table->index();
  const uint64_t step = index.size() / 20'000 | 1;
  int looked = 0;
  for (uint64_t i = 0; i < index.size(); i += step) {
    Square squares[32];
    index.squares(i, squares);
    std::string board;
    for (int rank = 9; rank >= 0; --rank) {
      for (int file = 0; file < 9; ++file) {
        const auto slot = std::find(squares, squares + index.slots(), make_square(file, rank)) - squares;
        if (slot == index.slots()) {
          board += '1';
          continue;
        }
        const auto& group = index.group_of(int(slot));
        board += char("KABNRCP"[int(group.type)] + (group.color == Color::Black ? 'a' - 'A' : 0));
      }
      board += rank ? '/' : ' ';
    }
    for (const char side : {'w', 'b'}) {
      const auto p = Position::from_fen(board + side);
      if (!p || Material::of(*p) != index.material()) continue;
      const auto moves = tables.moves(*p);
      const EndgameValue expected = moves.empty() ? EndgameValue{Wdl::Loss, 0} : moves.front().value;
      ASSERT_EQ(table->probe(*p), expected) << p->to_fen();
      ++looked;
    }
  }
  EXPECT_GT(looked, 10'000);
}

// Attackers on both sides, captures into swapped tables, three and more of a kind, both kinds of pawns.
INSTANTIATE_TEST_SUITE_P(Materials, Consistency,
                         testing::Values("KPkp", "KNkp", "KRkr", "KRkc", "KCkp", "KPPPk", "KNkpa", "KRkn",
                                         "KCkbb"));

}  // namespace
}  // namespace chuhe::xiangqi
