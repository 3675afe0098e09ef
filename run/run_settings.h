#pragma once
// Everything that a run is made of: the tables of its configuration file.

#include <string>
#include <vector>

#include "gauntlet/suite_score.h"
#include "nn/infer/factory.h"
#include "nn/model/net_config.h"
#include "selfplay/selfplay_settings.h"
#include "trainer/settings.h"

namespace chuhe::run {

/// A preset by name, or a net of one's own.
struct NetChoice {
  std::string preset = "nano";
  nn::NetConfig custom;
  nn::NetConfig config() const { return preset == "custom" ? custom : nn::net_preset(preset); }
  void describe(Fields& f);
};

/// How each new net is rated; table [rating].
struct RatingSettings {
  int games = 40;
  int visits = 16;
  std::string opponents = "random,greedy,ab:1";
  int older = 3;
  gauntlet::SuiteSettings suite;
  RatingSettings() { suite.names = "patterns,mates,endings,compositions"; }
  void describe(Fields& f);
  /// The built-in players of `opponents`. Throws Error for an unknown one.
  std::vector<std::string> ladder() const;
};

struct RunSettings {
  std::string name = "run";
  std::string mode = "lockstep";
  uint64_t seed = 1;
  int generations = 10;
  int games_per_generation = 500;
  int steps_per_generation = 500;
  int window_generations = 4;
  int shard_games = 256;
  NetChoice net;
  nn::EvaluatorSettings evaluator;
  selfplay::SelfplaySettings selfplay;
  trainer::TrainSettings train;
  RatingSettings rating;

  RunSettings() { evaluator.batch = 0; }
  void describe(Fields& f);
  /// Checks what no single key can say. Throws Error naming the keys.
  void check() const;
};

/// The settings of scripts/quickstart: a nano net that learns from nothing in minutes on two cores.
RunSettings quickstart_settings();

}  // namespace chuhe::run
