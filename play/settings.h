#pragma once
#include <cstdint>
#include <string>

#include "base/config.h"
#include "mcts/search/search_params.h"
#include "nn/infer/factory.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::play {

/// How the engine plays: the keys of `chuhe play --set`, and behind the UCI options.
struct PlaySettings {
  std::string net;                              // a net file or the name of a double
  std::string rules{xiangqi::kDefaultRuleSet};  // a rule set's name
  int visits = 0;
  int move_overhead_ms = 50;
  int hash_mb = 512;
  int multi_pv = 1;
  double temperature = 0;
  int temperature_plies = 30;
  uint64_t seed = 1;
  bool analyse = false;  // no temperature
  mcts::SearchParams search;
  nn::EvaluatorSettings evaluator;  // batch 0 means 8 rows on the CPU, 64 on a GPU

  PlaySettings() { evaluator.batch = 0; }
  void describe(Fields& f);
};

}  // namespace chuhe::play
