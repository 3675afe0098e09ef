#pragma once
// Figures about many games: what the folder of a run holds and whether the games are worth learning from.

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "shards/game_record.h"

namespace chuhe::shards {

/// Plies after which distinct positions are counted.
inline constexpr std::array<int, 3> kDistinctPlies = {4, 8, 16};

class Statistics {
 public:
  void add(const GameRecord& game);
  void add_file(uint64_t bytes) {
    ++shards_;
    bytes_ += bytes;
  }

  /// Name and value of each figure, in a fixed order; the names are part of the command line's interface
  /// (docs/shard_format.md explains them). Shares of nothing are 0.
  std::vector<std::pair<std::string, double>> figures() const;

  /// Games by (outcome, reason).
  const std::map<std::pair<xiangqi::Outcome, xiangqi::EndReason>, uint64_t>& ends() const { return ends_; }
  const std::set<std::string>& nets() const { return nets_; }

 private:
  uint64_t shards_ = 0, bytes_ = 0, games_ = 0, rows_ = 0, longest_ = 0;
  uint64_t cheap_ = 0, full_ = 0, short_history_ = 0;
  uint64_t cheap_visits_ = 0, full_visits_ = 0, policy_entries_ = 0;
  double policy_entropy_ = 0;  // nats, summed over full searches
  uint64_t resign_tests_ = 0, false_resignations_ = 0, drawn_resignations_ = 0;
  std::map<std::pair<xiangqi::Outcome, xiangqi::EndReason>, uint64_t> ends_;
  std::array<uint64_t, kDistinctPlies.size()> reached_{};
  std::array<std::set<uint64_t>, kDistinctPlies.size()> distinct_;
  std::set<std::string> nets_;
};

}  // namespace chuhe::shards
