#pragma once
// Plays one game to its end, with one evaluator per index.

#include <memory>
#include <vector>

#include "match/game_runner.h"
#include "nn/api/doubles.h"

namespace chuhe::match {

inline shards::GameRecord play_game(GameSpec spec,
                                    const std::vector<std::unique_ptr<nn::Evaluator>>& evaluators,
                                    xiangqi::JudgeMemory* memory = nullptr) {
  std::vector<std::unique_ptr<nn::EvalBatch>> batches;
  for (const auto& e : evaluators) batches.push_back(e->make_batch(1));
  GameRunner game(std::move(spec), memory);
  for (size_t e = 0; e < evaluators.size(); ++e) game.set_net(int(e), evaluators[e]->info().net_id);
  while (game.advance(), !game.finished()) {
    const auto e = size_t(game.wanted());
    batches[e]->clear();
    if (game.gather(*batches[e], 1) == 0) continue;
    evaluators[e]->evaluate(*batches[e]);
    game.absorb(*batches[e]);
  }
  return game.take_record();
}

inline shards::GameRecord play_game(GameSpec spec, std::string_view evaluator = "hash",
                                    xiangqi::JudgeMemory* memory = nullptr) {
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators;
  evaluators.push_back(nn::make_double(evaluator));
  return play_game(std::move(spec), evaluators, memory);
}

/// A self-play game of few visits.
inline GameSpec small_spec(uint64_t id, const char* algorithm = "puct", int visits = 6) {
  GameSpec spec;
  spec.id = id;
  spec.seed = 7;
  spec.adjudication.ply_cap = 120;
  for (PlayerSpec& player : spec.players) {
    player.search.algorithm = algorithm;
    player.search.visits = visits;
    player.search.noise_share = 0.25;
  }
  return spec;
}

inline PlayerSpec builtin_player(const char* name) {
  PlayerSpec player;
  player.kind = PlayerKind::Builtin;
  player.name = name;
  return player;
}

}  // namespace chuhe::match
