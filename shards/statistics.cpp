#include "shards/statistics.h"

#include <algorithm>
#include <cmath>

#include "xiangqi/board/position.h"

namespace chuhe::shards {
namespace {

// As many last moves as the net's encoding holds: rows before that have a history that the game itself cuts.
constexpr size_t kHistoryMoves = 8;

double entropy_of(const std::vector<PolicyEntry>& policy) {
  double entropy = 0;
  for (const PolicyEntry& entry : policy) {
    const double share = entry.weight / 65535.0;
    entropy -= share * std::log(share);
  }
  return entropy;
}

}  // namespace

void Statistics::add(const GameRecord& game) {
  ++games_;
  ++ends_[{game.outcome, game.reason}];
  rows_ += game.plies.size();
  longest_ = std::max<uint64_t>(longest_, game.plies.size());
  short_history_ += std::min(game.plies.size(), kHistoryMoves);
  for (const NetRun& run : game.nets) nets_.insert(run.net_id);
  for (const PlyRecord& ply : game.plies) {
    if (ply.search == SearchKind::Cheap) {
      ++cheap_;
      cheap_visits_ += ply.visits;
    } else if (ply.search == SearchKind::Full) {
      ++full_;
      full_visits_ += ply.visits;
      policy_entries_ += ply.policy.size();
      policy_entropy_ += entropy_of(ply.policy);
    }
  }
  if (const auto test = resign_test(game)) {
    ++resign_tests_;
    false_resignations_ += *test == ResignTest::Won;
    drawn_resignations_ += *test == ResignTest::Drew;
  }

  const auto start = xiangqi::Position::from_fen(game.start_fen);
  if (!start) return;
  xiangqi::Position position = *start;
  size_t next = 0;
  for (size_t ply = 0; ply < game.plies.size() && next < kDistinctPlies.size(); ++ply) {
    if (!position.is_legal(game.plies[ply].move)) return;
    position.play(game.plies[ply].move);
    if (int(ply) + 1 < kDistinctPlies[next]) continue;
    ++reached_[next];
    distinct_[next].insert(position.key());
    ++next;
  }
}

std::vector<std::pair<std::string, double>> Statistics::figures() const {
  const auto share = [](auto part, auto whole) { return whole == 0 ? 0.0 : double(part) / double(whole); };
  uint64_t red = 0, black = 0, draws = 0, decided = 0;
  for (const auto& [end, count] : ends_) {
    (end.first == xiangqi::Outcome::Draw      ? draws
     : end.first == xiangqi::Outcome::RedWins ? red
                                              : black) += count;
    const bool cut =
        end.second == xiangqi::EndReason::PlyCapDraw || end.second == xiangqi::EndReason::PlyCapMaterial;
    if (!cut) decided += count;
  }
  std::vector<std::pair<std::string, double>> list = {
      {"shards", double(shards_)},
      {"games", double(games_)},
      {"positions", double(rows_)},
      {"bytes", double(bytes_)},
      {"bytes_per_position", share(bytes_, rows_)},
      {"red_wins", share(red, games_)},
      {"black_wins", share(black, games_)},
      {"draws", share(draws, games_)},
      {"cut_at_cap", share(games_ - decided, games_)},
      {"mean_plies", share(rows_, games_)},
      {"longest_plies", double(longest_)},
      {"searched", share(cheap_ + full_, rows_)},
      {"full_searches", share(full_, cheap_ + full_)},
      {"cheap_visits", share(cheap_visits_, cheap_)},
      {"full_visits", share(full_visits_, full_)},
      {"policy_entries", share(policy_entries_, full_)},
      {"policy_entropy", full_ == 0 ? 0 : policy_entropy_ / double(full_)},
      {"short_history", share(short_history_, rows_)},
      {"resign_tests", double(resign_tests_)},
      {"false_resignations", share(false_resignations_, resign_tests_)},
      {"drawn_resignations", share(drawn_resignations_, resign_tests_)},
      {"nets", double(nets_.size())},
  };
  for (size_t i = 0; i < kDistinctPlies.size(); ++i) {
    list.emplace_back(fmt::format("games_at_ply_{}", kDistinctPlies[i]), double(reached_[i]));
    list.emplace_back(fmt::format("distinct_at_ply_{}", kDistinctPlies[i]), double(distinct_[i].size()));
  }
  return list;
}

}  // namespace chuhe::shards
