// Legal moves against the facts of tests/golden and against the slow second implementation.

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/xiangqi/slow_rules.h"
#include "tests/unit/xiangqi/walks.h"

namespace chuhe::xiangqi {
namespace {

void expect_legal(const std::string& id, const Position& p, const std::string& expected) {
  const MoveList legal = p.legal_moves();
  for (const std::string& token : words(expected)) {
    if (token.starts_with("count=")) {
      EXPECT_EQ(legal.size(), std::stoi(token.substr(6))) << id;
    } else if (token.starts_with("only=")) {
      const auto only = words(token.substr(5), ',');
      EXPECT_EQ(legal.size(), int(only.size())) << id;
      for (const std::string& text : only) EXPECT_TRUE(legal.contains(parse_uci(text))) << id << " " << text;
    } else {
      const Move m = parse_uci(token.substr(1));
      ASSERT_TRUE(m) << id << " " << token;
      EXPECT_EQ(legal.contains(m), token[0] == '+') << id << " " << token;
      EXPECT_EQ(p.is_legal(m), token[0] == '+') << id << " " << token;
    }
  }
}

void expect_mate(const std::string& id, Position p, const std::string& expected) {
  if (expected.starts_with("mate_in=")) {
    const auto tokens = words(expected);
    ASSERT_EQ(tokens.size(), 2u) << id;
    const auto pv = words(tokens[1].substr(3), ',');
    ASSERT_EQ(int(pv.size()), 2 * std::stoi(tokens[0].substr(8)) - 1) << id;
    for (size_t i = 0; i < pv.size(); ++i) {
      p = after(p, {pv[i]});
      EXPECT_TRUE(i % 2 == 1 || p.in_check()) << id << " " << pv[i];
    }
  } else {
    ASSERT_EQ(expected, "checkmate") << id;
  }
  EXPECT_TRUE(p.in_check()) << id;
  EXPECT_FALSE(p.has_legal_move()) << id;
}

TEST(Legality, GoldenPositions) {
  std::map<std::string, int> seen;
  for (const Row& row : golden("positions.tsv")) {
    const std::string &id = row.at(0), &kind = row.at(1), &expected = row.at(4);
    const Position p = after(position(row.at(2)), words(row.at(3)));
    ++seen[kind];
    if (kind == "legal") {
      expect_legal(id, p, expected);
    } else if (kind == "check") {
      EXPECT_EQ(p.in_check(), expected == "check") << id;
      EXPECT_TRUE(expected == "check" || expected == "nocheck") << id;
    } else if (kind == "stalemate") {
      EXPECT_FALSE(p.in_check()) << id;
      EXPECT_FALSE(p.has_legal_move()) << id;
      EXPECT_EQ(p.legal_moves().size(), 0) << id;
    } else {
      ASSERT_EQ(kind, "mate") << id;
      expect_mate(id, p, expected);
    }
  }
  EXPECT_EQ(seen.size(), 4u);
}

TEST(Legality, EqualsTrialAndErrorWithEveryKindOfPinSeen) {
  // user case U073: a rook on the leg of a checking horse was not seen to be pinned. Letters of the piece
  // that an illegal move lets through, king moves apart; "+" where the side was in check before.
  std::map<std::string, int> pins;
  walk_randomly(73, 36000, 80, [&](const Position& p, const MoveList& legal) {
    const SlowBoard slow(p);
    ASSERT_EQ(slow.in_check(), p.in_check()) << p.to_fen();
    std::set<std::string> texts;
    for (Move m : legal) texts.insert(to_uci(m));
    ASSERT_EQ(texts.size(), size_t(legal.size())) << p.to_fen();
    ASSERT_EQ(texts, slow.legal_moves()) << p.to_fen();
    ASSERT_EQ(p.count_legal_moves(), legal.size());
    ASSERT_EQ(p.has_legal_move(), !legal.empty());
    for (auto [from, to] : slow.pseudo_moves(p.side_to_move() == Color::Red)) {
      const Move m{Square(from), Square(to)};
      ASSERT_TRUE(p.is_pseudo_legal(m)) << p.to_fen() << " " << to_uci(m);
      ASSERT_EQ(p.is_legal(m), texts.contains(to_uci(m))) << p.to_fen() << " " << to_uci(m);
      if (m.from() == p.king(p.side_to_move())) continue;
      for (char piece : slow.hitters_after(from, to))
        ++pins[std::string(1, piece) + (p.in_check() ? "+" : "")];
    }
  });
  for (const char* kind : {"R", "C", "N", "K", "R+", "C+", "N+", "P+"}) EXPECT_GE(pins[kind], 1000) << kind;
}

TEST(Legality, OnlyPseudoLegalMovesAreTaken) {
  walk_randomly(74, 40, 80, [](const Position& p, const MoveList& legal) {
    for (int from = 0; from < 128; ++from)
      for (int to = 0; to < 128; ++to) {
        const Move m{Square(from), Square(to)};
        ASSERT_EQ(p.is_legal(m), legal.contains(m)) << p.to_fen() << " " << from << " " << to;
      }
  });
}

TEST(Legality, TheOrderOfTheListIsFixed) {
  // Search and replay rely on it: a change is a change of every seeded result.
  std::string start;
  for (Move m : Position().legal_moves()) start += to_uci(m) + " ";
  EXPECT_EQ(start,
            "a0a1 a0a2 i0i1 i0i2 b2b1 b2a2 b2c2 b2d2 b2e2 b2f2 b2g2 b2b3 b2b4 b2b5 b2b6 b2b9 h2h1 h2c2 h2d2 "
            "h2e2 h2f2 h2g2 "
            "h2i2 h2h3 h2h4 h2h5 h2h6 h2h9 b0a2 b0c2 h0g2 h0i2 a3a4 c3c4 e3e4 g3g4 i3i4 c0a2 c0e2 g0e2 g0i2 "
            "d0e1 f0e1 e0e1 ");
}

}  // namespace
}  // namespace chuhe::xiangqi
