#pragma once
// What shapes a self-play game, and the farm that plays it.

#include <string>
#include <string_view>
#include <vector>

#include "match/game_runner.h"
#include "match/openings.h"
#include "nn/infer/factory.h"
#include "selfplay/farm.h"

namespace chuhe::selfplay {

/// Names a list of openings, which shapes games by what is in it, not by where it lies.
inline constexpr std::string_view kOpeningsKey = "openings";

struct SelfplaySettings {
  SelfplaySettings();

  mcts::SearchParams search;
  match::MoveChoice choice;
  match::Adjudication adjudication;
  int cheap_visits = 0;
  double full_share = 1.0;
  int random_opening_plies = 0;
  std::string openings;  // "" = the start position, "default" = the built-in list, else a file
  std::string rule_set{xiangqi::kDefaultRuleSet};
  FarmSettings farm;

  void describe(Fields& f);
  /// Only what shapes a game's record: all but the farm.
  void describe_games(Fields& f);
};

/// The settings that shape games in which two differ, in their order.
std::vector<FieldDifference> game_differences(SelfplaySettings before, SelfplaySettings now);

/// What a shard remembers of the settings (Provenance::params, as TOML).
struct StoredConfig {
  SelfplaySettings selfplay;
  nn::EvaluatorSettings evaluator;
  void describe(Fields& f);
};

/// Batch 0 becomes what half of a worker's slots bring, so that nothing is padded.
nn::EvaluatorSettings fitted(nn::EvaluatorSettings evaluator, const FarmSettings& farm);

/// Makes the specification of any game from its id: a game depends on (settings, seed, writer, id) alone.
class GameMaker {
 public:
  /// Throws Error for an unknown rule set or a bad openings file.
  GameMaker(const SelfplaySettings& settings, uint64_t seed, std::string writer);
  match::GameSpec make(uint64_t id) const;
  /// Of the settings that shape games, those at their default left out, and the openings' text: in every
  /// record. So a setting that a later version adds leaves the hash of older games as it is.
  uint64_t params_hash() const { return params_hash_; }
  uint64_t openings_digest() const { return book_.digest; }  // 0: the start position

 private:
  const SelfplaySettings settings_;
  const uint64_t seed_;
  const std::string writer_;
  match::OpeningBook book_;                           // empty: the start position
  std::shared_ptr<xiangqi::EndgameTables> endgames_;  // null: not asked for
  uint64_t params_hash_;
};

}  // namespace chuhe::selfplay
