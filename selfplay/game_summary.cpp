#include "selfplay/game_summary.h"

#include <optional>

#include "base/statistics.h"
#include "xiangqi/board/position.h"

namespace chuhe::selfplay {

using xiangqi::Color;
using xiangqi::Outcome;

namespace {

constexpr double kDecidedValue = 0.9;
constexpr int kDecidedMoves = 3;
constexpr double kDrawAlarm = 0.9;     // above that share of draws a net learns little else
constexpr double kResignAlarm = 0.05;  // of resignations that throw away a win
constexpr uint64_t kEnoughGames = 20;  // below, shares say nothing

// The first side that its searches called a sure winner.
std::optional<Color> decided_for(const shards::GameRecord& record) {
  int streak[2] = {0, 0};
  for (size_t i = 0; i < record.plies.size(); ++i) {
    const shards::PlyRecord& ply = record.plies[i];
    if (ply.search == shards::SearchKind::None) continue;
    const Color side = side_to_move_at(record, int(i));
    int& own = streak[int(side)];
    own = ply.root_value > kDecidedValue ? own + 1 : 0;
    if (own == kDecidedMoves) return side;
  }
  return std::nullopt;
}

}  // namespace

void GameSummary::add(const shards::GameRecord& record) {
  ++games;
  plies += record.plies.size();
  ++reasons[size_t(record.reason)];
  ++(record.outcome == Outcome::Draw ? draws : record.outcome == Outcome::RedWins ? red_wins : black_wins);
  if (const auto side = decided_for(record)) {
    ++decided;
    decided_not_won += record.outcome != win_for(*side);
  }
  if (!record.resign_disabled) return;
  ++played_out;
  const auto test = resign_test(record);
  if (!test) return;
  ++resign_tests;
  false_resignations += *test == shards::ResignTest::Won;
  drawn_resignations += *test == shards::ResignTest::Drew;
}

GameSummary::Share GameSummary::false_resignation_share() const {
  const double n = double(resign_tests), share = n > 0 ? double(false_resignations) / n : 0;
  const auto [low, high] = wilson_interval(share, n);
  return {share, low, high};
}

std::vector<std::string> GameSummary::lines() const {
  if (games == 0) return {"no games"};
  std::vector<std::string> out;
  out.push_back(fmt::format("games {}: red {}, draw {}, black {}; {:.1f} plies on average", games, red_wins,
                            draws, black_wins, double(plies) / double(games)));
  std::string ends = "ends:";
  for (int r = 0; r < xiangqi::kEndReasons; ++r)
    if (reasons[size_t(r)] > 0)
      ends += fmt::format(" {} {}", name_of(xiangqi::EndReason(r)), reasons[size_t(r)]);
  out.push_back(ends);
  if (decided > 0)
    out.push_back(
        fmt::format("decided (a side above {} for {} of its moves) {}, of these not won by it {} ({:.1f} %)",
                    kDecidedValue, kDecidedMoves, decided, decided_not_won,
                    100 * double(decided_not_won) / double(decided)));
  if (played_out > 0) {
    const Share s = false_resignation_share();
    out.push_back(fmt::format(
        "played out {}: {} would have been resigned, of these {} were won and {} drawn by that side "
        "(won {:.1f} %, 95 % interval {:.1f} to {:.1f} %)",
        played_out, resign_tests, false_resignations, drawn_resignations, 100 * s.value, 100 * s.low,
        100 * s.high));
    if (s.low > kResignAlarm)
      out.push_back(
          fmt::format("warning: resignation throws away more than {:.0f} % of the games: lower the threshold",
                      100 * kResignAlarm));
  }
  if (games >= kEnoughGames && draw_share() > kDrawAlarm)
    out.push_back(fmt::format("warning: {:.0f} % of the games were drawn: the net can learn little but draws",
                              100 * draw_share()));
  return out;
}

}  // namespace chuhe::selfplay
