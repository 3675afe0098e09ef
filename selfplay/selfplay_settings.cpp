#include "selfplay/selfplay_settings.h"

#include "xiangqi/rules/rule_set.h"

namespace chuhe::selfplay {

SelfplaySettings::SelfplaySettings() {
  search.noise_share = 0.25;  // Silver et al. 2018
}

void SelfplaySettings::describe_games(Fields& f) {
  Fields::Choices rule_sets;
  for (const auto name : xiangqi::rule_set_names()) rule_sets.emplace_back(name);
  f("rule_set", rule_set, "rules of play", rule_sets);
  f(kOpeningsKey, openings,
    "where games begin: \"\" = the start position, \"default\" = the built-in list, else a file");
  f("random_opening_plies", random_opening_plies,
    "after the opening so many random plies at most; the number is drawn per game", {0, 1000});
  f("cheap_visits", cheap_visits,
    "playout cap: visits of a cheap search, which is no policy target; 0 = all searches are full", {0, 1e6});
  f("full_share", full_share, "playout cap: share of plies that are searched in full", {0, 1});
  f.table("search", search, "how a move is searched");
  f.table("choice", choice, "how a search becomes a move");
  f.table("adjudication", adjudication, "ends that the rules do not know");
}

void SelfplaySettings::describe(Fields& f) {
  describe_games(f);
  f.table("farm", farm, "threads and slots");
}

void StoredConfig::describe(Fields& f) {
  f.table("selfplay", selfplay, "how games are played");
  f.table("evaluator", evaluator, "where nets are evaluated");
}

std::vector<FieldDifference> game_differences(SelfplaySettings before, SelfplaySettings now) {
  Fields a, b;
  before.describe_games(a);
  now.describe_games(b);
  return differences(a, b);
}

nn::EvaluatorSettings fitted(nn::EvaluatorSettings evaluator, const FarmSettings& farm) {
  if (evaluator.batch == 0) evaluator.batch = (farm.slots + 1) / 2;
  return evaluator;
}

GameMaker::GameMaker(const SelfplaySettings& settings, uint64_t seed, std::string writer)
    : settings_(settings),
      seed_(seed),
      writer_(std::move(writer)),
      endgames_(settings.adjudication.endgame_tables()) {
  xiangqi::rule_set(settings_.rule_set);
  if (settings_.openings == "default")
    book_ = match::default_openings();
  else if (!settings_.openings.empty())
    book_ = match::load_openings(settings_.openings);
  std::string shaping;
  for (const FieldDifference& d : game_differences({}, settings_))
    if (d.name != kOpeningsKey) shaping += fmt::format("{} = {}\n", d.name, d.now);
  params_hash_ = hash_text(shaping, book_.digest);
}

match::GameSpec GameMaker::make(uint64_t id) const {
  match::GameSpec spec;
  spec.id = id;
  spec.seed = seed_;
  spec.writer = writer_;
  spec.rule_set = settings_.rule_set;
  spec.params_hash = params_hash_;
  spec.adjudication = settings_.adjudication;
  spec.endgames = endgames_;
  spec.random_opening_plies = settings_.random_opening_plies;
  if (!book_.openings.empty()) {
    Random random(seed_, writer_ + "/book", id);
    const match::Opening& opening = book_.openings[random.below(book_.openings.size())];
    spec.start_fen = opening.start_fen;
    spec.opening = opening.moves;
  }
  for (match::PlayerSpec& player : spec.players) {
    player.kind = match::PlayerKind::Search;
    player.search = settings_.search;
    player.choice = settings_.choice;
    player.cheap_visits = settings_.cheap_visits;
    player.full_share = settings_.full_share;
  }
  return spec;
}

}  // namespace chuhe::selfplay
