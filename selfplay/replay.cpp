#include "selfplay/replay.h"

#include <map>

#include "base/error.h"

namespace chuhe::selfplay {
namespace {

// The net that searched at this ply: that of the last run at or before it.
const std::string& net_at(const shards::GameRecord& record, int ply) {
  const std::string* net = &record.nets.front().net_id;
  for (const shards::NetRun& run : record.nets)
    if (int(run.ply) <= ply) net = &run.net_id;
  return *net;
}

struct Player {
  std::unique_ptr<nn::Evaluator> evaluator;
  std::unique_ptr<nn::EvalBatch> batch;
};

}  // namespace

shards::GameRecord play_again(
    const shards::GameRecord& record, match::GameSpec spec,
    const std::function<std::unique_ptr<nn::Evaluator>(const std::string& net_id)>& evaluator_of,
    int batch_rows) {
  std::map<std::string, Player> players;
  match::GameRunner game(std::move(spec));
  while (game.advance(), !game.finished()) {
    if (record.nets.empty())
      throw Error("game {}: the record names no net, but the game needs one", record.id);
    const std::string& net = net_at(record, game.history().plies());
    Player& player = players[net];
    if (!player.evaluator) {
      player.evaluator = evaluator_of(net);
      player.batch = player.evaluator->make_batch(batch_rows);
    }
    game.set_net(game.wanted(), net);
    player.batch->clear();
    if (game.gather(*player.batch, 1) == 0) continue;
    player.evaluator->evaluate(*player.batch);
    game.absorb(*player.batch);
  }
  return game.take_record();
}

std::optional<std::string> first_difference(const shards::GameRecord& a, const shards::GameRecord& b) {
  for (size_t i = 0; i < std::min(a.plies.size(), b.plies.size()); ++i) {
    const shards::PlyRecord &x = a.plies[i], &y = b.plies[i];
    if (x == y) continue;
    if (x.move != y.move)
      return fmt::format("ply {}: move {} against {}", i + 1, xiangqi::to_uci(x.move),
                         xiangqi::to_uci(y.move));
    if (x.visits != y.visits || x.search != y.search)
      return fmt::format("ply {}: {} visits against {}, or another kind of search", i + 1, x.visits,
                         y.visits);
    if (x.policy != y.policy) return fmt::format("ply {}: the policies differ", i + 1);
    return fmt::format("ply {}: root value {} against {}, net value {} against {}", i + 1, x.root_value,
                       y.root_value, x.net_value, y.net_value);
  }
  if (a.plies.size() != b.plies.size())
    return fmt::format("{} plies against {}", a.plies.size(), b.plies.size());
  if (a.outcome != b.outcome || a.reason != b.reason)
    return fmt::format("end: {} ({}) against {} ({})", name_of(a.outcome), name_of(a.reason),
                       name_of(b.outcome), name_of(b.reason));
  if (a != b)
    return "what surrounds the moves differs: identity, rule set, settings, start, nets or resignation";
  return std::nullopt;
}

}  // namespace chuhe::selfplay
