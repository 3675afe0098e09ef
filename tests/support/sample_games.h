#pragma once
// Games with everything that a record can hold, made without a search: random legal moves, policies that look
// like a Gumbel search's (every legal move has a share).

#include <cstdint>
#include <vector>

#include "shards/game_record.h"

namespace chuhe::test {

struct SampleSpec {
  int ply_cap = 120;
  double full_share = 0.25;  // of searches that are full; the rest is cheap
  double policy_spread =
      1;                  // standard deviation of the policy's logits: 1 for a fresh net, 4 for a sharp one
  int opening_plies = 2;  // without a search
};

/// The game number `id` of a run with this seed; find_fault() finds none.
shards::GameRecord sample_game(uint64_t seed, uint64_t id, const SampleSpec& spec = {});
/// Games first .. first + count - 1.
std::vector<shards::GameRecord> sample_games(uint64_t seed, uint64_t first, int count,
                                             const SampleSpec& spec = {});

}  // namespace chuhe::test
