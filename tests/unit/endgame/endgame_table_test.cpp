#include "xiangqi/endgame/endgame_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "xiangqi/endgame/retrograde.h"

namespace chuhe::xiangqi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr uint64_t kMiB = uint64_t(1) << 20;

Position position(const char* fen) {
  return Position::from_fen(fen).value();
}
Material material(const char* name) {
  return Material::parse(name).value();
}

TEST(EndgameTable, KnownEndings) {
  EndgameTables tables(256 * kMiB);
  const auto value = [&](const char* fen) { return tables.probe(position(fen)); };
  EXPECT_EQ(value("9/9/3k5/9/9/9/9/9/9/R4K3 w"), (EndgameValue{Wdl::Win, 3}));    // a rook wins
  EXPECT_EQ(value("9/4k4/9/9/9/9/9/9/9/N2K5 w"), (EndgameValue{Wdl::Win, 13}));   // a horse wins
  EXPECT_EQ(value("5k3/9/9/5C3/9/9/9/5K3/9/9 w"), (EndgameValue{Wdl::Draw, 0}));  // a lone cannon does not
  EXPECT_EQ(value("9/9/4k4/9/9/9/P8/9/9/3K5 w"), (EndgameValue{Wdl::Win, 19}));   // a pawn wins
  EXPECT_EQ(value("8P/5k3/9/9/9/9/9/9/9/3K5 w"), (EndgameValue{Wdl::Draw, 0}));   // not on the last rank
  EXPECT_EQ(value("9/3Ra4/3ak4/9/9/9/9/9/9/3K5 w"), (EndgameValue{Wdl::Win, 19}));
  EXPECT_EQ(value("9/4k4/9/9/9/9/2n6/9/3K5/3R5 w"), (EndgameValue{Wdl::Draw, 0}));
  EXPECT_EQ(value("9/4k4/3a1a3/9/9/9/9/9/4C4/3AKA3 w"), (EndgameValue{Wdl::Win, 43}));
}

TEST(EndgameTable, NoLegalMoveLosesInCheckOrNot) {
  EndgameTables tables(64 * kMiB);
  const Position stalemate = position("3k5/4P4/9/9/9/9/9/9/9/4K4 b");
  ASSERT_FALSE(stalemate.in_check());
  ASSERT_FALSE(stalemate.has_legal_move());
  EXPECT_EQ(tables.probe(stalemate), (EndgameValue{Wdl::Loss, 0}));
  const Position mate = position("3k5/9/9/9/9/9/9/9/3R5/4K4 b");
  ASSERT_TRUE(mate.in_check());
  EXPECT_EQ(tables.probe(mate), (EndgameValue{Wdl::Loss, 0}));
  EXPECT_TRUE(tables.moves(mate).empty());
  EXPECT_TRUE(tables.line(mate).empty());
}

TEST(EndgameTable, MirrorAndColourSwapKeepTheValue) {
  EndgameTables tables(64 * kMiB);
  const auto table = tables.table(material("KCAkb"));
  int looked = 0;
  for (const char* fen : {"9/9/2Ck5/9/2b6/9/9/9/9/3A1K3 w", "3k5/9/b8/9/9/9/2C6/9/4K4/3A5 w",
                          "3k5/9/b8/9/9/9/2C6/9/4K4/3A5 b"}) {
    const Position p = position(fen);
    const auto value = table->probe(p);
    ASSERT_TRUE(value);
    for (const Position& same : {p.mirrored(), p.color_swapped(), p.mirrored().color_swapped()})
      EXPECT_EQ(table->probe(same), value) << same.to_fen();
    ++looked;
  }
  EXPECT_EQ(looked, 3);
  EXPECT_EQ(table->probe(position("3k5/9/9/9/9/9/2C6/9/4K4/3A5 w")), std::nullopt) << "other material";
}

TEST(EndgameTable, MovesAreRankedAndALineEndsWhenTheTableSays) {
  EndgameTables tables(64 * kMiB);
  const Position p = position("9/9/3ak4/9/9/9/9/9/9/N2K5 w");
  const auto moves = tables.moves(p);
  ASSERT_EQ(moves.size(), size_t(p.count_legal_moves()));
  EXPECT_EQ(moves.front().value, (EndgameValue{Wdl::Win, 37}));
  for (size_t i = 1; i < moves.size(); ++i) {
    const EndgameValue &better = moves[i - 1].value, &worse = moves[i].value;
    EXPECT_GE(int(better.wdl), int(worse.wdl));
    if (better.wdl == worse.wdl) {
      EXPECT_LE(better.plies * int(better.wdl), worse.plies * int(worse.wdl));
    }
  }
  Position end = p;
  const auto line = tables.line(p);
  EXPECT_EQ(line.size(), 37u);
  for (const Move m : line) {
    ASSERT_TRUE(end.is_legal(m));
    end.play(m);
  }
  EXPECT_FALSE(end.has_legal_move());
  EXPECT_TRUE(tables.line(position("5k3/9/9/5C3/9/9/9/5K3/9/9 w")).empty()) << "a draw has no end";
}

TEST(EndgameTable, ALimitTooSmallIsNamedWithBothNumbers) {
  const Material rook = material("KRk");
  const uint64_t needed = EndgameTable::bytes_to_solve(rook);
  EXPECT_EQ(needed, 4u * 81 * 91 + 2u * 81 * 90);
  EXPECT_EQ(EndgameTable::solve(rook, needed)->material(), rook);
  try {
    EndgameTable::solve(rook, needed - 1);
    FAIL() << "solved in too little memory";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("KRk"), HasSubstr(std::to_string(needed) + " bytes"),
                                HasSubstr(std::to_string(needed - 1) + " are allowed")));
  }
  EXPECT_THROW(EndgameTables(256 * kMiB).probe(Position()), Error);
}

// Whatever the order of questions, a store that must forget answers as one that has room for everything.
TEST(EndgameTable, AStoreThatForgetsAnswersTheSame) {
  const char* fens[] = {"9/9/3ak4/9/9/9/9/9/9/N2K5 w", "3k5/9/9/9/9/9/c8/5K3/9/2R6 w",
                        "9/3k5/3N1a3/9/9/9/9/3K5/9/9 w", "9/9/3c1k3/9/9/4R4/9/3K5/9/9 w"};
  EndgameTables large(256 * kMiB), small(EndgameTable::bytes_to_solve(material("KRkc")));
  for (const char* fen : fens) EXPECT_EQ(small.probe(position(fen)), large.probe(position(fen))) << fen;
}

TEST(EndgameTable, ThreadsMayShareAStore) {
  EndgameTables tables(64 * kMiB);
  const Position a = position("9/9/3ak4/9/9/9/9/9/9/N2K5 w"), b = position("9/9/4k4/9/9/9/P8/9/9/3K5 w");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      EXPECT_EQ(tables.probe(a).plies, 37);
      EXPECT_EQ(tables.probe(b).plies, 19);
    });
}

// The pawn's table is not ready before the rook's has been handed out: a store that solved under one lock
// would stand still here for ever.
TEST(EndgameTable, ATableBeingSolvedHoldsUpNobodyElse) {
  std::promise<void> pawn_is_being_solved, rook_is_served;
  std::atomic<int> pawns_solved = 0;
  EndgameTables tables(64 * kMiB, [&](const PlacementIndex& index, const auto& smaller) {
    if (index.material() == material("KPk")) {
      ++pawns_solved;
      pawn_is_being_solved.set_value();
      rook_is_served.get_future().wait();
    }
    return solve_by_retrograde(index, smaller);
  });
  const Position pawn = position("9/9/4k4/9/9/9/P8/9/9/3K5 w");
  const auto plies = [&] { return tables.probe(pawn).plies; };
  auto first = std::async(std::launch::async, plies);
  pawn_is_being_solved.get_future().wait();
  auto second = std::async(std::launch::async, plies);
  EXPECT_EQ(tables.probe(position("9/9/3k5/9/9/9/9/9/9/R4K3 w")), (EndgameValue{Wdl::Win, 3}));
  rook_is_served.set_value();
  EXPECT_EQ(first.get(), 19);
  EXPECT_EQ(second.get(), 19);
  EXPECT_EQ(pawns_solved, 1);
}

// Two tables that the limit allows one after the other only: the second thread waits, and gets its answer.
TEST(EndgameTable, ThreadsWaitForRoom) {
  std::atomic<int> at_once = 0, most = 0;
  EndgameTables tables(EndgameTable::bytes_to_solve(material("KCBk")) + 1,
                       [&](const PlacementIndex& index, const auto& smaller) {
                         const bool counts = index.material().name().size() == 4;
                         if (counts) most = std::max(most.load(), ++at_once);
                         auto values = solve_by_retrograde(index, smaller);
                         if (counts) --at_once;
                         return values;
                       });
  std::vector<std::jthread> threads;
  for (const char* name : {"KCAk", "KNAk", "KRAk", "KCBk"})
    threads.emplace_back(
        [&tables, name] { EXPECT_EQ(tables.table(material(name))->material(), material(name)); });
  threads.clear();
  EXPECT_EQ(most, 1);
}

TEST(EndgameTable, AFailedSolveIsTriedAgain) {
  int calls = 0;
  EndgameTables tables(64 * kMiB, [&](const PlacementIndex& index, const auto& smaller) {
    if (index.material() == material("KRk") && ++calls == 1) throw std::bad_alloc();
    return solve_by_retrograde(index, smaller);
  });
  const Position rook = position("9/9/3k5/9/9/9/9/9/9/R4K3 w");
  EXPECT_THROW(tables.probe(rook), std::bad_alloc);
  EXPECT_EQ(tables.probe(rook), (EndgameValue{Wdl::Win, 3}));
}

}  // namespace
}  // namespace chuhe::xiangqi
