#pragma once
// Self-play of one generation: the games of an id range that are not in shards yet.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "base/log.h"
#include "nn/infer/factory.h"
#include "selfplay/selfplay_settings.h"

namespace chuhe::run {

struct PlayPhase {
  selfplay::SelfplaySettings settings;
  nn::EvaluatorSettings evaluator;
  uint64_t seed = 1;
  std::filesystem::path net;
  std::filesystem::path shards;  // the writer's folder is below it
  uint64_t first = 0, end = 0;   // game ids, half open
  std::string writer = "main";
  int shard_games = 256;
  std::string title;  // for the log
};

/// Plays what is missing. A stop request writes the finished games and returns. Safe to kill: at most the
/// games in flight and those of the open shard are played again.
void play_phase(const PlayPhase& phase, Log& log, std::stop_token stop, const std::function<double()>& clock);

}  // namespace chuhe::run
