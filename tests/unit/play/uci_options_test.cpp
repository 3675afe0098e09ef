#include "play/uci_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace chuhe::play {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

struct Table {
  UciState state{PlaySettings()};
  int pressed = 0;
  UciOptions options{state, [this] { ++pressed; }};
};

TEST(UciOptions, DeclareWhatGuisLookFor) {
  Table t;
  const auto lines = t.options.declarations();
  for (const char* name :
       {"Threads", "Hash", "Clear Hash", "Ponder", "MultiPV", "Move Overhead", "UCI_ShowWDL", "EvalFile",
        "Debug Log File", "UCI_AnalyseMode", "UCI_RankBase", "Device", "RuleSet"})
    EXPECT_THAT(lines, Contains(StartsWith(std::string("option name ") + name + " type "))) << name;
  EXPECT_THAT(lines, Contains("option name UCI_Variant type combo default xiangqi var xiangqi"));
  EXPECT_THAT(lines, Contains("option name EvalFile type string default <empty>"));
}

TEST(UciOptions, NamesHaveNoCase) {
  Table t;
  EXPECT_EQ(t.options.set("move overhead", "77"), "");
  EXPECT_EQ(t.state.settings.move_overhead_ms, 77);
  EXPECT_EQ(t.options.set("UCI_SHOWWDL", "TRUE"), "");
  EXPECT_TRUE(t.state.show_wdl);
  EXPECT_EQ(t.options.set("clear hash", ""), "");
  EXPECT_EQ(t.pressed, 1);
}

TEST(UciOptions, EveryFaultNamesTheOptionAndChangesNothing) {
  Table t;
  const int hash = t.state.settings.hash_mb;
  EXPECT_THAT(t.options.set("Hash", "0"),
              HasSubstr("option Hash: expected a whole number in 1..1048576, got '0'"));
  EXPECT_THAT(t.options.set("Hash", "12x"), HasSubstr("got '12x'"));
  EXPECT_THAT(t.options.set("Hash", ""), HasSubstr("got ''"));
  EXPECT_THAT(t.options.set("Hash", "99999999999999999999"), HasSubstr("expected"));
  EXPECT_EQ(t.state.settings.hash_mb, hash);
  EXPECT_THAT(t.options.set("Ponder", "yes"), HasSubstr("expected true or false"));
  EXPECT_THAT(t.options.set("UCI_Variant", "chess"), HasSubstr("expected one of xiangqi"));
  EXPECT_THAT(t.options.set("RuleSet", "tea"), HasSubstr("checks_only"));
  EXPECT_EQ(t.state.settings.rules, "cxa2007");
  EXPECT_THAT(t.options.set("Temperature", "nan"), HasSubstr("expected a number in 0..10"));
  EXPECT_THAT(t.options.set("NumaPolicy", "auto"), HasSubstr("unknown option 'NumaPolicy'"));
}

TEST(UciOptions, RuleSetsHaveTheGuisNames) {
  Table t;
  EXPECT_THAT(
      t.options.declarations(),
      Contains("option name Repetition Rule type combo default ChineseRule var AsianRule var ChineseRule "
               "var CheckOnly var AlwaysDraw"));
  for (const auto& [word, rules] : {std::pair{"AsianRule", "axf"},
                                    {"chineserule", "cxa2007"},
                                    {"checkban", "checks_only"},
                                    {"alwaysdraw", "none"}}) {
    EXPECT_EQ(t.options.set("Repetition Rule", word), "");
    EXPECT_EQ(t.state.settings.rules, rules);
  }
  for (const auto name : xiangqi::rule_set_names()) EXPECT_EQ(t.options.set("RuleSet", name), "") << name;
  EXPECT_EQ(t.options.set("RuleSet", "cxa1999"), "");
  EXPECT_EQ(t.options.set("Repetition Rule", "ChineseRule"), "");
  EXPECT_EQ(t.state.settings.rules, "cxa1999") << "it is a Chinese one already";
  EXPECT_THAT(t.options.set("Repetition Rule", "SkyRule"), HasSubstr("AsianRule"));
}

TEST(UciOptions, EmptyTexts) {
  Table t;
  t.state.settings.net = "some";
  EXPECT_EQ(t.options.set("EvalFile", "<empty>"), "");
  EXPECT_EQ(t.state.settings.net, "");
  EXPECT_EQ(t.options.set("EvalFile", "a b/c.net"), "");
  EXPECT_EQ(t.state.settings.net, "a b/c.net");
}

}  // namespace
}  // namespace chuhe::play
