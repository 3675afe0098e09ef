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

}  // namespace chuhe::selfplay
