#include "xiangqi/rules/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/xiangqi/golden.h"

namespace chuhe::xiangqi {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Language kEn = Language::English, kZh = Language::Chinese;

Move move(const char* text) {
  return parse_uci(text);
}
Square square(const char* text) {
  return make_square(text[0] - 'a', text[1] - '0');
}

/// Red's rook follows Black's horse, each move of which it escapes by.
struct Example {
  GameHistory history{position("3k5/9/4n4/9/9/4R4/9/9/9/5K3 w")};
  Verdict verdict;
  Example() {
    const char* cycle[] = {"e4f4", "e7f5", "f4e4", "f5e7"};
    for (int round = 0; round < 2; ++round)
      for (const char* m : cycle) history.push(move(m));
    verdict.outcome = Outcome::BlackWins;
    verdict.reason = EndReason::PerpetualChase;
    verdict.must_change = true;
    verdict.article = "26.4";
    verdict.explanation = "one side chased";
    verdict.chinese_explanation = "一方长捉";
    for (int i = 0; i < 4; ++i) verdict.cycle.push_back({4 + i, move(cycle[i]), {}});
    verdict.cycle[0].finding.ply_class = PlyClass::Idle;
    verdict.cycle[2].finding.ply_class = PlyClass::Chase;
    verdict.cycle[2].finding.threats.push_back(horse_taken(Root::None));
  }
  static Threat horse_taken(Root root) {
    return {square("e4"),
            square("f5"),
            make_piece(Color::Red, PieceType::Rook),
            make_piece(Color::Black, PieceType::Horse),
            GainForm::Direct,
            root,
            1,
            {move("e4e5")}};
  }
};

TEST(Explain, SaysWhoMustChangeAndByWhen) {
  Example e;
  struct Row {
    const char* rules;
    const char *english, *chinese;
  };
  for (const Row& row :
       {Row{"cxa1999", "repeated once more, it loses (24.3)", "若再重复一次循环，即判负（24.3）"},
        Row{"cxa2007", "within two of its own moves, it loses (24)", "单方面两着（含）以内仍未变着"},
        Row{"cxa2020", "within two of its own moves, it loses (24)", "单方面两着（含）以内仍未变着"},
        Row{"axf", "Red is told to change at once; if it does not change, it loses", "不变判负"}}) {
    const RuleSet& rules = rule_set(row.rules);
    EXPECT_THAT(procedure(e.verdict, rules, kEn), HasSubstr(row.english)) << row.rules;
    EXPECT_THAT(procedure(e.verdict, rules, kZh), HasSubstr(row.chinese)) << row.rules;
    EXPECT_THAT(explain(e.verdict, e.history, rules, kEn), HasSubstr(row.english)) << row.rules;
    EXPECT_THAT(explain(e.verdict, e.history, rules, kZh), HasSubstr(row.chinese)) << row.rules;
  }
  EXPECT_EQ(ruling(e.verdict, kEn), "Red must change; if it does not, it loses");
  EXPECT_EQ(ruling(e.verdict, kZh), "红方变着，不变判负");
}

TEST(Explain, TellsLossAtOnceFromDraw) {
  Example e;
  e.verdict.must_change = false;
  EXPECT_EQ(ruling(e.verdict, kEn), "Red loses");
  EXPECT_EQ(ruling(e.verdict, kZh), "红方判负");
  EXPECT_EQ(procedure(e.verdict, rule_set("cxa1999"), kEn),
            "Red loses at once, without being told to change (24.1)");
  EXPECT_EQ(procedure(e.verdict, rule_set("cxa1999"), kZh), "红方立即判负，不予变着（24.1）");
  e.verdict.outcome = Outcome::RedWins;
  EXPECT_EQ(ruling(e.verdict, kEn), "Black loses");
  e.verdict.outcome = Outcome::Draw;
  EXPECT_EQ(ruling(e.verdict, kZh), "判和");
  EXPECT_EQ(procedure(e.verdict, rule_set("cxa2007"), kZh), "立即判和，双方均无须变着");
}

TEST(Explain, GoesThroughTheCyclePlyByPly) {
  Example e;
  const RuleSet& rules = rule_set("cxa2007");
  const std::string english = explain(e.verdict, e.history, rules, kEn);
  EXPECT_THAT(english, HasSubstr("Article 26.4: one side chased.\n"));
  EXPECT_THAT(english, HasSubstr("  Red: 1 chase, 1 idle: allowed\n"));
  EXPECT_THAT(english, HasSubstr("  Black: idle with every move: allowed\n"));
  EXPECT_THAT(english, HasSubstr("cycle of 4 plies (the position has occurred 3 times):"));
  EXPECT_THAT(english, HasSubstr("   5. Red   车五平四 e4f4  idle 闲\n"));
  EXPECT_THAT(english, HasSubstr("   8. Black 马6退5 f5e7  idle 闲\n"));
  EXPECT_THAT(english, Not(HasSubstr("9. ")));
  const std::string chinese = explain(e.verdict, e.history, rules, kZh);
  EXPECT_THAT(chinese, HasSubstr("裁决：红方变着，不变判负。\n"));
  EXPECT_THAT(chinese, HasSubstr("依据：棋例26.4：一方长捉。\n"));
  EXPECT_THAT(chinese, HasSubstr("红方：一捉一闲，属允许着法\n　　黑方：均为闲着，属允许着法\n"));
  EXPECT_THAT(chinese, HasSubstr("   7. 红方 车四平五（f4e4） 捉：下一着可得子\n"));
  for (CyclePly& ply : e.verdict.cycle)
    if (ply.ply % 2 == 0) ply.finding.ply_class = PlyClass::Chase;
  EXPECT_THAT(explain(e.verdict, e.history, rules, kEn),
              HasSubstr("  Red: chase with every move: forbidden\n"));
  EXPECT_THAT(explain(e.verdict, e.history, rules, kZh), HasSubstr("红方：长捉，属禁止着法\n"));
  // Rule sets that forbid other things than attacks with every move are silent here.
  EXPECT_THAT(explain(e.verdict, e.history, rule_set("axf"), kEn),
              HasSubstr("  Red: chase with every move\n"));
}

TEST(Explain, ACyclePlayedTwiceIsGivenOnce) {
  Example e;
  EXPECT_EQ(one_round(e.verdict).size(), 4u);
  std::vector<CyclePly> first = e.verdict.cycle;
  for (CyclePly& ply : first) ply.ply -= 4;
  e.verdict.cycle.insert(e.verdict.cycle.begin(), first.begin(), first.end());
  ASSERT_EQ(one_round(e.verdict).size(), 4u);
  EXPECT_EQ(one_round(e.verdict).front().ply, 4) << "the last round";
  EXPECT_THAT(explain(e.verdict, e.history, rule_set("cxa2007"), kZh), HasSubstr("红方：一捉一闲"));
  e.verdict.cycle[0].move = move("e4e5");
  EXPECT_EQ(one_round(e.verdict).size(), 8u);
}

TEST(Explain, PawnsOfAMutualAttackAreNamed) {  // 27.2 of 1999
  Example e;
  e.verdict.outcome = Outcome::Draw;
  e.verdict.article = "26.3";
  const std::string text = explain(e.verdict, e.history, rule_set("cxa1999"), kEn);
  EXPECT_THAT(text,
              HasSubstr("pawns' attacks count, as the other side attacks with every move (27.2): forbidden"));
  EXPECT_THAT(explain(e.verdict, e.history, rule_set("cxa1999"), kZh), HasSubstr("（27.2）"));
}

TEST(Explain, ThreatsInBothLanguages) {
  Position after = position("3k5/9/9/9/4R4/4n4/9/9/9/5K3 b");
  Threat t{square("e5"),
           square("e4"),
           make_piece(Color::Red, PieceType::Rook),
           make_piece(Color::Black, PieceType::Horse),
           GainForm::Direct,
           Root::None,
           1,
           {move("e5e4")}};
  EXPECT_EQ(describe(t, after, kEn), "rook e5 takes the unprotected horse e4: 车五退一 (e5e4)");
  EXPECT_EQ(describe(t, after, kZh), "车（e5）直接捉无根马（e4）：车五退一（e5e4）");
  t.root = Root::False;
  EXPECT_THAT(describe(t, after, kEn), HasSubstr("the falsely protected horse"));
  EXPECT_THAT(describe(t, after, kZh), HasSubstr("假根马"));
  t.root = Root::Short;
  t.form = GainForm::Exchange;
  t.line = {move("e5e4"), move("d9d8"), move("e4d4")};
  EXPECT_EQ(describe(t, after, kEn),
            "rook e5 takes the insufficiently protected horse e4 and wins one strong piece by the exchange: "
            "车五退一 "
            "将4进1 车五平六 (e5e4 d9d8 e4d4)");
  EXPECT_THAT(describe(t, after, kZh),
              HasSubstr("捉少根马（e4），交换得子（得一强子）：车五退一 将4进1 车五平六"));
  t.form = GainForm::Checks;
  t.target = square("d5");
  t.victim = Piece::None;
  t.strong = 0;
  t.line.clear();
  EXPECT_EQ(describe(t, after, kEn),
            "rook e5 wins a weak piece or a pawn by consecutive checks, the first on d5");
  EXPECT_EQ(describe(t, after, kZh), "车（e5）连续照将抽吃（得弱子或兵卒）");
  t.form = GainForm::Mate;
  EXPECT_EQ(describe(t, after, kEn), "rook e5 mates by consecutive checks, the first on d5");
  EXPECT_EQ(describe(t, after, kZh), "车（e5）连续照将成杀");
}

TEST(Explain, ALineThatDoesNotFitIsGivenAsSquares) {
  const Position after = position("3k5/9/9/9/4R4/4n4/9/9/9/5K3 b");
  Threat t{};
  t.line = {move("e5e4"), move("a0a1"), move("e4d4")};
  EXPECT_THAT(chinese_line(t, after), testing::ElementsAre("车五退一", "a0a1", "e4d4"));
}

TEST(Explain, ExemptionsNameTheArticleOfTheRuleSet) {
  Example e;
  e.verdict.cycle[2].finding.exempted.push_back(
      {Example::horse_taken(Root::Rooted), Exemption::CapturerMated});
  const Position before = e.history.position_at(6);
  const CyclePly& ply = e.verdict.cycle[2];
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa1999"), kEn),
              HasSubstr("not counted: rook e4 attacks horse f5: 车五进一 (e4e5) - "));
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa1999"), kEn), HasSubstr("mated at once (29.4)\n"));
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa2007"), kEn), HasSubstr("mated at once (29.3)\n"));
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa2020"), kZh),
              HasSubstr("得子后立即被将死，不作捉（26.5）\n"));
  // Without an article there are no brackets.
  EXPECT_THAT(explain_ply(before, ply, rule_set("none"), kEn), HasSubstr("mated at once\n"));
}

TEST(Explain, ThreatsThatDoNotCountClaimNoGain) {
  const Position after = position("3k5/9/9/9/4R4/4r4/9/9/9/5K3 b");
  Exempted e{Example::horse_taken(Root::Short), Exemption::SameTypeExchange};
  e.threat.attacker = square("e5");
  e.threat.target = square("e4");
  e.threat.victim = make_piece(Color::Black, PieceType::Rook);
  EXPECT_EQ(describe(e, after, kEn), "rook e5 and rook e4 attack each other");
  EXPECT_EQ(describe(e, after, kZh), "车（e5）与车（e4）互捉");
  e.exemption = Exemption::StoodBefore;
  e.threat.line.clear();
  e.threat.form = GainForm::Exchange;
  EXPECT_EQ(describe(e, after, kEn), "rook e5 attacks rook e4");
  e.threat.form = GainForm::Checks;
  EXPECT_EQ(describe(e, after, kZh), "车（e5）连续照将抽吃");
  e.threat.form = GainForm::Mate;
  EXPECT_EQ(describe(e, after, kEn), "rook e5 mates by consecutive checks");
}

TEST(Explain, ManyThreatsAreCutShort) {
  Example e;
  CyclePly& ply = e.verdict.cycle[2];
  while (ply.finding.threats.size() < 3) ply.finding.threats.push_back(Example::horse_taken(Root::None));
  const Position before = e.history.position_at(6);
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa2007"), kEn), Not(HasSubstr("more")));
  for (int i = 0; i < 2; ++i) ply.finding.threats.push_back(Example::horse_taken(Root::None));
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa2007"), kEn), HasSubstr("and 2 more\n"));
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa2007"), kZh), HasSubstr("另有2处\n"));
}

TEST(Explain, NamesTheCheckingPieces) {
  const Position before = position("4k4/9/9/9/3R5/9/9/9/9/5K3 w");
  CyclePly ply{0, move("d5e5"), {}};
  ply.finding.ply_class = PlyClass::Check;
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa2007"), kEn), HasSubstr("attacks the king (rook e5)\n"));
  EXPECT_THAT(explain_ply(before, ply, rule_set("cxa2007"), kZh), HasSubstr("将：车（e5）照将\n"));
}

TEST(Explain, SaysThatASearchWasCutOff) {
  Example e;
  EXPECT_THAT(explain(e.verdict, e.history, rule_set("cxa2007"), kEn), Not(HasSubstr("budget exceeded")));
  e.verdict.budget_exceeded = e.verdict.cycle[2].finding.budget_exceeded = true;
  const std::string text = explain(e.verdict, e.history, rule_set("cxa2007"), kEn);
  EXPECT_THAT(text, HasSubstr("budget exceeded"));
  EXPECT_THAT(text, HasSubstr("stopped at its limit: one may have been missed\n   8."));
  EXPECT_THAT(explain(e.verdict, e.history, rule_set("cxa2007"), kZh), HasSubstr("计算已达上限"));
}

TEST(Explain, EveryClassAndExemptionHasItsOwnSentence) {
  for (Language l : {kEn, kZh}) {
    std::set<std::string_view> seen;
    for (int c = 0; c < kPlyClasses; ++c) seen.insert(meaning(PlyClass(c), l));
    for (int x = 0; x < kExemptions; ++x) seen.insert(meaning(Exemption(x), l));
    EXPECT_EQ(int(seen.size()), kPlyClasses + kExemptions);
    EXPECT_FALSE(seen.count(""));
  }
}

TEST(Explain, LanguagesByName) {
  EXPECT_EQ(language("zh"), kZh);
  EXPECT_THROW(language("de"), Error);
}

}  // namespace
}  // namespace chuhe::xiangqi
