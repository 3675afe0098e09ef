#include "xiangqi/cases/expectation.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "xiangqi/cases/case_file.h"

namespace chuhe::xiangqi {
namespace {

using testing::HasSubstr;

Expectation parsed(const std::string& text) {
  return parse_expectation(split_words(text));
}

std::string error_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Expectation, TakesEveryTokenApart) {
  const Expectation e =
      parsed("1=44 5=133312995 count=3 +h2e2 -e0e2 only=a0a1,b0b1 nocheck stalemate checkmate");
  ASSERT_EQ(e.perft.size(), 2u);
  EXPECT_EQ(e.perft[1].depth, 5);
  EXPECT_EQ(e.perft[1].leaves, 133312995u);
  EXPECT_EQ(e.legal_count, 3);
  EXPECT_EQ(to_uci(e.legal.at(0)), "h2e2");
  EXPECT_EQ(to_uci(e.illegal.at(0)), "e0e2");
  EXPECT_EQ(e.only->size(), 2u);
  EXPECT_EQ(e.check, false);
  EXPECT_TRUE(e.stalemate && e.checkmate);

  const Expectation chase = parsed("gain=yes by=checks target=a0 line=h2e2,h9g7");
  EXPECT_EQ(chase.gain, true);
  EXPECT_EQ(chase.gain_form, GainForm::Checks);
  EXPECT_EQ(chase.gain_target, make_square(0, 0));
  EXPECT_EQ(chase.gain_line.size(), 2u);
  EXPECT_EQ(parsed("gain=no by=exchange target=i9").gain_target, make_square(8, 9));

  const Expectation kill = parsed("kill=yes mate_in=2 pv=a0a1,b0b1,a1a2");
  EXPECT_EQ(kill.kill, true);
  EXPECT_EQ(kill.mate_in, 2);
  EXPECT_EQ(kill.mating_line.size(), 3u);
  EXPECT_EQ(parsed("recapture=no").recapture, false);
}

TEST(Expectation, TakesVerdictsApart) {
  const Expectation e = parsed(
      "cxa2020:draw cxa1999~:black_loses axf:disputed sky~:red_loses annot:draw labels=h2e2:捉,h9g7:闲 "
      "occurrences=3 "
      "natural_limit=none");
  ASSERT_EQ(e.verdicts.size(), 5u);
  EXPECT_EQ(e.verdicts[0].name(), "cxa2020");
  EXPECT_FALSE(e.verdicts[0].derived);
  EXPECT_EQ(e.verdicts[1].name(), "cxa1999~");
  EXPECT_EQ(e.verdicts[1].rule_set, "cxa1999");
  EXPECT_TRUE(e.verdicts[1].is_test);
  EXPECT_FALSE(e.verdicts[2].is_test) << "its source disputes it";
  EXPECT_FALSE(e.verdicts[3].is_test) << "a note";
  EXPECT_FALSE(e.verdicts[4].is_test) << "a note";
  ASSERT_EQ(e.labels.size(), 2u);
  EXPECT_EQ(e.labels[0].ply_class, PlyClass::Chase);
  EXPECT_EQ(e.labels[1].ply_class, PlyClass::Idle);
  EXPECT_EQ(e.occurrences, 3);
  EXPECT_EQ(e.natural_limit, false);
}

TEST(Expectation, TakesEndingsAndNotationApart) {
  const Expectation e = parsed("egtb=red_wins plies=9 claim=draw no_mating_material=yes");
  EXPECT_EQ(e.exact, "red_wins");
  EXPECT_EQ(e.exact_plies, 9);
  EXPECT_EQ(e.claim, "draw");
  EXPECT_EQ(e.bare, true);
  const Expectation n =
      parsed("h2e2>cn:炮二平五 h2e2>wxf:C2=5 h2e2>iccs:H2-E2 fen:invalid game_cn:炮二平五,马8进7");
  ASSERT_EQ(n.texts.size(), 3u);
  EXPECT_EQ(n.texts[1].notation, Notation::Wxf);
  EXPECT_EQ(n.texts[1].text, "C2=5");
  EXPECT_EQ(n.fen_valid, false);
  EXPECT_EQ(n.game.size(), 2u);
}

TEST(Expectation, WhatIsUnknownIsAnError) {
  EXPECT_THAT(error_of("checks"), HasSubstr("token 'checks': nothing that a case can say"));
  EXPECT_THAT(error_of("mates_in=3"), HasSubstr("token 'mates_in=3'"));
  EXPECT_THAT(error_of("cxa2021:draw"), HasSubstr("unknown rule set 'cxa2021'"));
  EXPECT_THAT(error_of("axf:red_wins"),
              HasSubstr("expected one of draw, red_loses, black_loses, none, disputed"));
  EXPECT_THAT(error_of("axf:draw labels=h2e2:跑"), HasSubstr("expected one of 将 杀 捉"));
  EXPECT_THAT(error_of("axf:draw labels=h2e2"), HasSubstr("expected MOVE:LABEL"));
  EXPECT_THAT(error_of("+h2e"), HasSubstr("'h2e' is no move"));
  EXPECT_THAT(error_of("gain=perhaps"), HasSubstr("expected one of yes, no"));
  EXPECT_THAT(error_of("gain=yes by=force"), HasSubstr("expected one of checks, exchange"));
  EXPECT_THAT(error_of("gain=yes target=j0"), HasSubstr("'j0' is no square"));
  EXPECT_THAT(error_of("count=many"), HasSubstr("'many' is no number"));
  EXPECT_THAT(error_of("count=-1"), HasSubstr("'-1' is no number"));
  EXPECT_THAT(error_of("0=1"), HasSubstr("perft depth 0"));
  EXPECT_THAT(error_of("21=1"), HasSubstr("perft depth 21, expected 1 to 20"));
  EXPECT_THAT(error_of("h2e2>san:Ce2"), HasSubstr("expected one of cn, wxf, iccs"));
  EXPECT_THAT(error_of("fen:maybe"), HasSubstr("expected one of valid, invalid"));
}

TEST(Expectation, SomeTokensNeedOthers) {
  EXPECT_THAT(error_of("pv=a0a1"), HasSubstr("pv without mate_in"));
  EXPECT_THAT(error_of("line=a0a1"), HasSubstr("without gain"));
  EXPECT_THAT(error_of("labels=a0a1:闲"), HasSubstr("labels without a rule set"));
  EXPECT_THAT(error_of("plies=3"), HasSubstr("plies without egtb"));
  EXPECT_THAT(error_of("mate_in=0"), HasSubstr("at least 1"));
  EXPECT_THAT(error_of("kill=no mate_in=3"), HasSubstr("kill=no with a mate_in"));
}

}  // namespace
}  // namespace chuhe::xiangqi
