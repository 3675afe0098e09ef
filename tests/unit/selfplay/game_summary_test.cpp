#include "selfplay/game_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xiangqi/board/position.h"

namespace chuhe::selfplay {
namespace {

using testing::HasSubstr;
using xiangqi::EndReason;
using xiangqi::Outcome;

shards::GameRecord game(Outcome outcome, EndReason reason, int plies = 10) {
  shards::GameRecord record;
  record.start_fen = std::string(xiangqi::kStartFen);
  record.outcome = outcome;
  record.reason = reason;
  record.plies.resize(size_t(plies));
  return record;
}

std::string text_of(const GameSummary& summary) {
  std::string text;
  for (const std::string& line : summary.lines()) text += line + "\n";
  return text;
}

TEST(GameSummary, CountsResultsByReason) {
  GameSummary summary;
  summary.add(game(Outcome::RedWins, EndReason::Checkmate));
  summary.add(game(Outcome::Draw, EndReason::PlyCapDraw, 30));
  summary.add(game(Outcome::BlackWins, EndReason::Resignation, 20));
  EXPECT_THAT(text_of(summary), HasSubstr("games 3: red 1, draw 1, black 1; 20.0 plies"));
  EXPECT_THAT(text_of(summary), HasSubstr("ends: checkmate 1 ply_cap_draw 1 resignation 1"));
}

// U022: nearly all games drawn is an alarm.
TEST(GameSummary, WarnsWhenNearlyAllIsDrawn) {
  GameSummary summary;
  for (int i = 0; i < 19; ++i) summary.add(game(Outcome::Draw, EndReason::PlyCapDraw));
  EXPECT_THAT(text_of(summary), Not(HasSubstr("warning")));
  summary.add(game(Outcome::Draw, EndReason::NaturalLimit));
  EXPECT_THAT(text_of(summary), HasSubstr("warning: 100 % of the games were drawn"));
}

// U021: of the games played out, how many did the side win that would have resigned?
TEST(GameSummary, MeasuresFalseResignations) {
  GameSummary summary;
  const auto played_out = [](Outcome outcome, int resign_ply) {
    shards::GameRecord record = game(outcome, EndReason::Checkmate);
    record.resign_disabled = true;
    record.resign_ply = resign_ply;
    return record;
  };
  summary.add(played_out(Outcome::RedWins, 3));    // Black would have resigned and lost
  summary.add(played_out(Outcome::BlackWins, 3));  // Black would have resigned and won
  summary.add(played_out(Outcome::RedWins, 4));    // Red would have resigned and won
  summary.add(played_out(Outcome::Draw, 4));
  summary.add(played_out(Outcome::RedWins, -1));  // nobody would have
  shards::GameRecord black_first =
      played_out(Outcome::BlackWins, 4);  // Black moves first: it would have resigned and won
  black_first.start_fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1";
  summary.add(black_first);
  shards::GameRecord resigned = game(Outcome::RedWins, EndReason::Resignation);
  resigned.resign_ply = 5;
  summary.add(resigned);  // tells nothing
  EXPECT_EQ(summary.played_out, 6u);
  EXPECT_EQ(summary.resign_tests, 5u);
  EXPECT_EQ(summary.false_resignations, 3u);
  EXPECT_EQ(summary.drawn_resignations, 1u);
  const auto share = summary.false_resignation_share();
  EXPECT_DOUBLE_EQ(share.value, 0.6);
  EXPECT_NEAR(share.low, 0.2307, 0.001);  // Wilson's interval of 3 in 5
  EXPECT_NEAR(share.high, 0.8824, 0.001);
  EXPECT_THAT(text_of(summary), HasSubstr("warning: resignation throws away"));
}

// U020: what share of the decided games is thrown away?
TEST(GameSummary, CountsDecidedGamesThatWereNotWon) {
  // Black (odd plies) is sure of itself from ply `from` on.
  const auto sure = [](Outcome outcome, size_t from, shards::SearchKind kind) {
    shards::GameRecord record = game(outcome, EndReason::Checkmate);
    for (size_t i = from; i < record.plies.size(); ++i) {
      record.plies[i].search = kind;
      record.plies[i].root_value = i % 2 ? 0.95f : -0.95f;
    }
    return record;
  };
  GameSummary summary;
  summary.add(sure(Outcome::BlackWins, 2, shards::SearchKind::Full));
  summary.add(sure(Outcome::Draw, 2, shards::SearchKind::Cheap));
  summary.add(sure(Outcome::RedWins, 4, shards::SearchKind::Full));
  summary.add(sure(Outcome::Draw, 6, shards::SearchKind::Full));  // two moves only
  summary.add(sure(Outcome::Draw, 0, shards::SearchKind::None));  // not searched
  EXPECT_EQ(summary.decided, 3u);
  EXPECT_EQ(summary.decided_not_won, 2u);
  EXPECT_THAT(text_of(summary), HasSubstr("not won by it 2 (66.7 %)"));
}

TEST(GameSummary, NoCaseSaysNothing) {
  const auto share = GameSummary().false_resignation_share();
  EXPECT_EQ(share.low, 0);
  EXPECT_EQ(share.high, 1);
  EXPECT_THAT(text_of(GameSummary()), HasSubstr("no games"));
}

}  // namespace
}  // namespace chuhe::selfplay
