#pragma once
// Paired games between two players on the farm, with a journal that a killed match goes on from.

#include <array>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "gauntlet/pair_statistics.h"
#include "match/game_runner.h"
#include "nn/api/evaluator.h"
#include "nn/infer/factory.h"
#include "selfplay/farm.h"

namespace chuhe::gauntlet {

/// Table [gauntlet]: how rating games are played. Nothing here but what the rules end is adjudicated unless
/// asked for.
struct GauntletSettings {
  GauntletSettings();

  mcts::SearchParams search;
  match::MoveChoice choice;
  match::Adjudication adjudication;
  double policy_temperature = 0.5;  // of a net without search (0 visits), in all plies
  std::string openings;             // "" = the built-in list, else a file
  std::string rule_set{xiangqi::kDefaultRuleSet};
  selfplay::FarmSettings farm;

  void describe(Fields& f);
  /// What shapes a game: all but the farm.
  void describe_games(Fields& f);
};

/// One side of a match: a built-in player, or a net with its evaluators.
struct Contender {
  std::string name;                // a built-in player's, or the net's id
  nn::EvaluatorFactory evaluator;  // empty for a built-in player
  std::string file{};              // digest of the net's file; empty without one
};

/// A built-in player by its name, a double by its name, or a net file's path. Throws Error as nn::open_net.
Contender open_contender(const std::string& player, const nn::EvaluatorSettings& settings);

/// The games that are played for so many: pairs are whole.
constexpr int whole_pairs(int games) {
  return (games + 1) / 2 * 2;
}

struct MatchRequest {
  Contender a, b;
  int games = 200;  // whole_pairs(games) are played
  int visits = 16;  // per move of a net; 0 = its policy alone
  uint64_t seed = 1;
  GauntletSettings settings{};
  std::filesystem::path journal;  // empty: none is kept
};

struct MatchResult {
  std::string a, b;
  int64_t wins = 0, draws = 0, losses = 0;  // of a, in complete pairs
  int64_t unpaired = 0;  // finished games whose partner is not: left out of everything else
  PairCounts pairs{};
  std::array<int64_t, xiangqi::kEndReasons> reasons{};
  int64_t distinct = 0;  // different move sequences
  int64_t plies = 0;
  xiangqi::JudgeMemory::Counts judge{};  // of the games that this process played; nothing in a journal
  int64_t games() const { return wins + draws + losses; }
};

/// Plays the pairs that the journal lacks, pair p on the opening number p of a shuffled list, a with Red in
/// the first game. The same request and seed give the same games, in whatever processes they are played. A
/// stop request returns what is finished. Throws Error for a journal of another match (names it and the
/// difference): other players, other nets of the same names, seed or settings.
MatchResult play_match(
    const MatchRequest& request, std::stop_token stop,
    const std::function<void(const MatchResult&, const selfplay::FarmProgress&)>& on_progress = {});

/// What a journal holds, without playing; an empty result if there is no such file.
MatchResult read_match(const std::filesystem::path& journal);

/// The result in lines for people: W/D/L, score, Elo, ends by reason, distinct games, and a warning where
/// these are few.
std::vector<std::string> report(const MatchResult& result);

}  // namespace chuhe::gauntlet
