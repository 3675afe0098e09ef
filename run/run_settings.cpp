#include "run/run_settings.h"

#include "base/error.h"
#include "match/player.h"

namespace chuhe::run {

void NetChoice::describe(Fields& f) {
  Fields::Choices choices;
  for (const std::string_view name : nn::net_preset_names()) choices.emplace_back(name);
  choices.emplace_back("custom");
  f("preset", preset, "the net's size; custom takes the numbers of [net.custom]", choices);
  f.table("custom", custom, "a net of one's own");
}

void RatingSettings::describe(Fields& f) {
  f("games", games, "games of each pairing, in colour-swapped pairs; 0 = no rating", {0, 100000});
  f("visits", visits, "visits per move in rating games; 0 = the policy alone", {0, 1000000});
  f("opponents", opponents,
    "built-in players that every net meets, comma separated; the first is 0 on the Elo scale");
  f("older", older, "a net also meets the one so many generations before it; 0 = none", {0, 1000});
  f.table("suite", suite, "what each net knows, in the ratings' table and the run's report");
}

std::vector<std::string> RatingSettings::ladder() const {
  std::vector<std::string> names;
  for (size_t from = 0; from < opponents.size();) {
    const size_t to = std::min(opponents.find(',', from), opponents.size());
    const std::string name = opponents.substr(from, to - from);
    if (!match::is_builtin(name))
      throw Error(
          "rating.opponents: unknown player '{}': expected random, greedy or ab:1 to ab:8, comma separated",
          name);
    names.push_back(name);
    from = to + 1;
  }
  return names;
}

void RunSettings::describe(Fields& f) {
  f("name", name,
    "the run's name: its folder is runs/NAME unless --run says otherwise, and its nets are NAME-N");
  f("mode", mode, "lockstep: play a generation, train on it, rate the net, go on",
    Fields::Choices{"lockstep"});
  f("seed", seed, "every random stream of the run derives from it");
  f("generations", generations, "generations to play in all", {1, 1e6});
  f("games_per_generation", games_per_generation, "games that each net plays", {1, 1e7});
  f("steps_per_generation", steps_per_generation, "train steps between two nets", {1, 1e7});
  f("window_generations", window_generations, "generations of games that a net is trained on", {1, 1000});
  f("shard_games", shard_games, "games that a shard holds at most: what a kill can lose", {1, 256});
  f.table("net", net, "the net");
  f.table("evaluator", evaluator, "where nets are evaluated");
  f.table("selfplay", selfplay, "how games are played");
  f.table("train", train, "how nets are trained");
  f.table("rating", rating, "how nets are rated");
}

void RunSettings::check() const {
  if (name.empty() || name.size() > 40 ||
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
          std::string::npos)
    throw Error("name: '{}': expected 1 to 40 of letters, digits, '.', '_' and '-'", name);
  if (rating.games > 0 && rating.ladder().empty())
    throw Error("rating.opponents: is empty, but rating.games is {}: expected at least one built-in player",
                rating.games);
  rating.suite.open();
  rating.suite.visit_counts();
  selfplay::GameMaker(selfplay, seed, "main");  // its own checks
}

RunSettings quickstart_settings() {
  RunSettings s;
  s.name = "quickstart";
  s.generations = 4;
  s.games_per_generation = 300;
  s.steps_per_generation = 300;
  s.window_generations = 3;
  s.rating.games = 30;
  s.selfplay.search.algorithm = "gumbel";
  s.selfplay.search.visits = 16;
  s.selfplay.adjudication.ply_cap = 160;
  s.selfplay.adjudication.cap_result = "material";
  s.selfplay.random_opening_plies = 8;
  s.train.batch = 256;
  return s;
}

}  // namespace chuhe::run
