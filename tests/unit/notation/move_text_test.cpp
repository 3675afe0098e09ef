#include "xiangqi/notation/move_text.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/unit/xiangqi/golden.h"

namespace chuhe::xiangqi {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string reading_of(const Position& p, const std::string& text, Notation notation) {
  auto fits = fitting_moves(p, text, notation);
  if (!fits) return "nomove";
  if (fits->empty()) return "illegal";
  std::vector<std::string> moves;
  for (Move m : *fits) moves.push_back(to_uci(m));
  std::sort(moves.begin(), moves.end());
  std::string list = moves[0];
  for (size_t i = 1; i < moves.size(); ++i) list += "," + moves[i];
  return (moves.size() > 1 ? "ambiguous:" : "") + list;
}

TEST(MoveText, IsReadAsTheTableSays) {
  for (const Row& row : golden("notation.tsv")) {
    ASSERT_EQ(row.size(), 5u) << row[0];
    const Position p = position(row[1]);
    const Notation notation = notation_named(row[2]);
    EXPECT_EQ(reading_of(p, row[3], notation), row[4]) << row[0] << ": " << row[3];
    const auto move = parse_move(p, row[3], notation);
    if (const Move expected = parse_uci(row[4])) {
      ASSERT_TRUE(move.ok()) << row[0] << ": " << move.error();
      EXPECT_EQ(to_uci(*move), to_uci(expected)) << row[0];
      continue;
    }
    ASSERT_FALSE(move.ok()) << row[0];
    EXPECT_THAT(move.error(), Not(HasSubstr("\n"))) << row[0];
    if (!row[4].starts_with("ambiguous:")) continue;
    EXPECT_THAT(move.error(), HasSubstr("ambiguous")) << row[0];
    for (const std::string& candidate : words(row[4].substr(10), ','))
      EXPECT_THAT(move.error(), HasSubstr(candidate)) << row[0];
  }
}

struct Written {
  const char* fen;
  const char* move;
  const char *chinese, *chinese_short, *wxf;
};

TEST(MoveText, IsWrittenAsTheRulesSay) {
  const char* start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
  const Written table[] = {
      {start, "h2e2", "炮二平五", "炮25", "C2=5"},
      {start, "h0g2", "马二进三", "马23", "H2+3"},
      {start, "e0e1", "帅五进一", "帅51", "K5+1"},
      {start, "b2b1", "炮八退一", "炮8退1", "C8-1"},
      {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b", "g9e7", "象7进5", "象75", "E7+5"},
      {"3k5/8r/9/9/8r/9/9/9/9/4K4 b", "i5h5", "前车平8", "前车8", "R+=8"},
      {"3k5/8r/9/9/8r/9/9/9/9/4K4 b", "i8i9", "后车退1", "后车退1", "R--1"},
      // Marked though only one of the two horses can make the move.
      {"4k4/9/9/9/9/9/N8/9/N8/3K5 w", "a3b1", "前马退八", "前马退8", "H+-8"},
      {"3k5/9/9/9/9/6B2/9/3A5/9/3A1KB2 w", "d2e1", "仕六退五", "仕6退5", "A6-5"},
      {"3k5/4P4/9/4P4/4P4/9/9/9/9/4K4 w", "e6d6", "中兵平六", "中兵6", "25=6"},
      {"5k3/4P4/4P4/4P4/4P4/9/9/9/9/3K5 w", "e7d7", "二兵平六", "二兵6", "25=6"},
      {"5k3/9/3P1P3/3P1P3/9/9/9/9/9/4K4 w", "d7e7", "三兵平五", "三兵5", "16=5"},
      {"5k3/9/9/9/9/9/3p1p3/3p1p3/9/4K4 b", "f3e3", "四卒平5", "四卒5", "26=5"},
      // A pawn alone on its file keeps the file, whatever the others do.
      {"5k3/9/3P1P3/3P1P3/8P/9/9/9/9/4K4 w", "i5i6", "兵一进一", "兵11", "P1+1"},
  };
  for (const Written& w : table) {
    const Position p = position(w.fen);
    const Move m = parse_uci(w.move);
    ASSERT_TRUE(p.is_legal(m)) << w.fen << " " << w.move;
    EXPECT_EQ(to_text(p, m, Notation::Chinese), w.chinese) << w.fen;
    EXPECT_EQ(to_text(p, m, Notation::ChineseShort), w.chinese_short) << w.fen;
    EXPECT_EQ(to_text(p, m, Notation::Wxf), w.wxf) << w.fen;
  }
  const Position p;
  EXPECT_EQ(to_text(p, parse_uci("b0c2"), Notation::Iccs), "B0-C2");
  EXPECT_EQ(to_text(p, parse_uci("b0c2"), Notation::Uci), "b0c2");
  EXPECT_EQ(to_text(p, parse_uci("b0c2"), Notation::UciFromOne), "b1c3");
}

TEST(MoveText, FormIsRecognised) {
  for (const auto& [text, notation] : {std::pair{"炮二平五", Notation::Chinese},
                                       {"炮25", Notation::ChineseShort},
                                       {"C2.5", Notation::Wxf},
                                       {"b7+5", Notation::Wxf},
                                       {"15=6", Notation::Wxf},
                                       {"H2-E2", Notation::Iccs},
                                       {"h2e2", Notation::Uci},
                                       {"h10g8", Notation::UciFromOne}})
    EXPECT_EQ(guess_notation(text), notation) << text;
  const Position p;
  EXPECT_EQ(parse_move_any(p, "H2+3").value(), parse_uci("h0g2"));
  EXPECT_EQ(parse_move_any(p, "h0g2").value(), parse_uci("h0g2"));
}

TEST(MoveText, ErrorsListWhatCouldBeMeant) {
  const Position p;
  EXPECT_THAT(
      parse_move(p, "马二进四", Notation::Chinese).error(),
      testing::AllOf(HasSubstr("'马二进四' is no legal move in rnbakabnr/"), HasSubstr("马二进三 (h0g2)"),
                     HasSubstr("马八进九 (b0a2)"), Not(HasSubstr("炮"))));
  EXPECT_THAT(parse_move(p, "H2-E3", Notation::Iccs).error(), HasSubstr("legal moves from h2: H2-"));
  EXPECT_THAT(parse_move(p, "E4-E5", Notation::Iccs).error(), HasSubstr("legal moves from e4: none"));
  EXPECT_THAT(parse_move(p, "炮二\n平", Notation::Chinese).error(),
              HasSubstr("'炮二?平' is no move: expected"));
  EXPECT_THAT(parse_move(p, "\xff\xfe", Notation::Chinese).error(), HasSubstr("not UTF-8"));
  EXPECT_THROW(notation_named("sgf"), Error);
}

}  // namespace
}  // namespace chuhe::xiangqi
