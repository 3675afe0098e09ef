#include "tests/support/sample_games.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "xiangqi/rules/game_history.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::test {
namespace {

using shards::PolicyEntry;
using shards::SearchKind;

std::vector<PolicyEntry> sample_policy(const xiangqi::MoveList& legal, double spread, Random& random) {
  std::vector<double> shares;
  double sum = 0;
  for (int i = 0; i < legal.size(); ++i) sum += shares.emplace_back(det_exp(spread * random.normal()));
  std::vector<PolicyEntry> policy;
  for (int i = 0; i < legal.size(); ++i) {
    const auto weight = uint16_t(std::lround(shares[size_t(i)] / sum * 65535));
    if (weight > 0) policy.push_back({legal[i], weight});
  }
  std::sort(policy.begin(), policy.end(), [](auto& a, auto& b) { return a.move < b.move; });
  return policy;
}

shards::PlyRecord sample_ply(const xiangqi::MoveList& legal, const SampleSpec& spec, bool opening,
                             Random& random) {
  shards::PlyRecord ply;
  ply.move = legal[int(random.below(uint64_t(legal.size())))];
  if (opening) return ply;
  const bool full = random.uniform() < spec.full_share;
  ply.search = full ? SearchKind::Full : SearchKind::Cheap;
  ply.visits = full ? 16 : 4 + uint32_t(random.below(4));
  ply.net_value = float(std::tanh(0.3 * random.normal()));
  ply.root_value = float(std::tanh(ply.net_value + 0.1 * random.normal()));
  if (full) ply.policy = sample_policy(legal, spec.policy_spread, random);
  return ply;
}

}  // namespace

shards::GameRecord sample_game(uint64_t seed, uint64_t id, const SampleSpec& spec) {
  Random random(seed, "sample_game", id);
  const auto& rules = xiangqi::rule_set("checks_only");
  shards::GameRecord game;
  game.id = id;
  game.seed = seed;
  game.rule_set = rules.name;
  game.params_hash = hash_text("sample");
  game.start_fen = xiangqi::kStartFen;
  game.nets = {{0, fmt::format("net-{}", id / 100)}};
  game.resign_disabled = id % 10 == 0;
  xiangqi::GameHistory history(xiangqi::Position(), rules.natural_limit_checks);
  while (true) {
    const auto legal = history.current().legal_moves();
    if (const auto end = game_end(history, legal, rules)) {
      game.outcome = end->outcome;
      game.reason = end->reason;
      if (const auto verdict =
              end->reason == xiangqi::EndReason::Repetition ? judge(history, rules) : std::nullopt)
        game.article = verdict->article;
      break;
    }
    if (history.plies() >= spec.ply_cap) {
      game.reason = xiangqi::EndReason::PlyCapDraw;
      break;
    }
    if (history.plies() > 30 && id % 7 == 3) {
      game.reason = xiangqi::EndReason::Resignation;
      game.outcome = win_for(~history.current().side_to_move());
      game.resign_ply = history.plies();
      break;
    }
    game.plies.push_back(sample_ply(legal, spec, history.plies() < spec.opening_plies, random));
    history.push(game.plies.back().move);
  }
  if (game.plies.size() > 20 && id % 5 == 0) game.nets.push_back({20, "net-later"});
  return game;
}

std::vector<shards::GameRecord> sample_games(uint64_t seed, uint64_t first, int count,
                                             const SampleSpec& spec) {
  std::vector<shards::GameRecord> games;
  for (int i = 0; i < count; ++i) games.push_back(sample_game(seed, first + uint64_t(i), spec));
  return games;
}

}  // namespace chuhe::test
