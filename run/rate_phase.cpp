#include "run/rate_phase.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "gauntlet/gauntlet.h"
#include "gauntlet/rating_fit.h"
#include "nn/model/net_file.h"
#include "run/curve.h"
#include "run/play_phase.h"
#include "run/suite_phase.h"

namespace chuhe::run {
namespace {

constexpr std::string_view kSeparator = "-vs-";

/// A net's opponents: its predecessor, an older net, the ladder. As names in the run: numbers for nets.
std::vector<std::string> opponents_of(const RatingSettings& rating, int number) {
  std::vector<std::string> names = rating.ladder();
  if (number >= 1) names.push_back(std::to_string(number - 1));
  if (rating.older > 1 && number >= 2) names.push_back(std::to_string(std::max(0, number - rating.older)));
  return names;
}

std::string ending_of(const RatingSettings& rating) {
  return fmt::format("-{}v.jsonl", rating.visits);
}

/// "3-vs-random-16v.jsonl": a change of the visits begins a new journal.
std::filesystem::path journal_of(const RunFolder& folder, const RatingSettings& rating, int number,
                                 const std::string& opponent) {
  std::string name = fmt::format("{}{}{}", number, kSeparator, opponent);
  std::replace(name.begin(), name.end(), ':', '_');
  return folder.ratings() / (name + ending_of(rating));
}

std::string player_argument(const RunFolder& folder, const std::string& opponent) {
  return match::is_builtin(opponent) ? opponent : folder.net(std::stoi(opponent)).string();
}

gauntlet::GauntletSettings gauntlet_settings(const RunSettings& settings) {
  gauntlet::GauntletSettings g;
  g.rule_set = settings.selfplay.rule_set;
  g.farm = settings.selfplay.farm;
  return g;
}

/// All results of the run so far at these visits, from its journals.
std::vector<gauntlet::MatchResult> all_results(const RunFolder& folder, const RatingSettings& rating) {
  std::vector<std::filesystem::path> journals;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(folder.ratings(), ec))
    if (entry.path().filename().string().ends_with(ending_of(rating))) journals.push_back(entry.path());
  std::sort(journals.begin(), journals.end());
  std::vector<gauntlet::MatchResult> results;
  for (const auto& journal : journals) {
    gauntlet::MatchResult r = gauntlet::read_match(journal);
    if (r.games() > 0) results.push_back(std::move(r));
  }
  return results;
}

std::vector<gauntlet::Rating> ratings_of(const std::vector<gauntlet::MatchResult>& results,
                                         const std::string& anchor) {
  std::vector<gauntlet::PairResult> pairs;
  for (const gauntlet::MatchResult& r : results)
    pairs.push_back({r.a, r.b, double(r.wins) + 0.5 * double(r.draws), int(r.games())});
  return gauntlet::fit_ratings(pairs, anchor);
}

std::string table_of(const std::vector<gauntlet::Rating>& ratings,
                     const std::vector<gauntlet::MatchResult>& results, const std::string& anchor) {
  std::string text = fmt::format(
      "One scale for all players: Elo (logistic), {} = 0, from a joint fit; +- is half of the 95 % "
      "interval.\n\n",
      anchor);
  text += fmt::format("{:<24}{:>8}{:>8}{:>8}\n", "player", "Elo", "+-", "games");
  for (const auto& r : ratings)
    text += fmt::format("{:<24}{:>8.0f}{:>8.0f}{:>8}\n", r.player, r.elo, r.error, r.games);
  text += fmt::format("\n{:<24}{:<24}{:>6}{:>7}{:>7}{:>8}{:>8}{:>8}{:>10}\n", "player", "opponent", "wins",
                      "draws", "losses", "score", "lo", "hi", "distinct");
  for (const auto& r : results) {
    const gauntlet::Interval s = gauntlet::score(r.pairs);
    text += fmt::format("{:<24}{:<24}{:>6}{:>7}{:>7}{:>8.3f}{:>8.3f}{:>8.3f}{:>10}\n", r.a, r.b, r.wins,
                        r.draws, r.losses, s.value, s.low, s.high, r.distinct);
  }
  return text;
}

std::string json_of(const std::vector<gauntlet::Rating>& ratings,
                    const std::vector<gauntlet::MatchResult>& results, const std::string& anchor) {
  nlohmann::json j = {
      {"anchor", anchor}, {"ratings", nlohmann::json::array()}, {"matches", nlohmann::json::array()}};
  for (const auto& r : ratings)
    j["ratings"].push_back({{"player", r.player}, {"elo", r.elo}, {"error", r.error}, {"games", r.games}});
  for (const auto& r : results) {
    const gauntlet::Interval s = gauntlet::score(r.pairs);
    nlohmann::json reasons = nlohmann::json::object();
    for (size_t i = 0; i < r.reasons.size(); ++i)
      if (r.reasons[i] > 0) reasons[std::string(xiangqi::name_of(xiangqi::EndReason(i)))] = r.reasons[i];
    j["matches"].push_back({{"a", r.a},
                            {"b", r.b},
                            {"wins", r.wins},
                            {"draws", r.draws},
                            {"losses", r.losses},
                            {"pairs", r.pairs},
                            {"score", s.value},
                            {"lo", s.low},
                            {"hi", s.high},
                            {"distinct", r.distinct},
                            {"ends", reasons}});
  }
  return j.dump(1) + "\n";
}

std::string curve_of(const std::vector<gauntlet::Rating>& ratings, const RunSettings& settings) {
  std::vector<CurvePoint> points;
  std::vector<ReferenceLine> lines;
  const std::string prefix = settings.name + "-";
  for (const auto& r : ratings) {
    if (match::is_builtin(r.player))
      lines.push_back({r.player, r.elo});
    else if (r.player.starts_with(prefix))
      points.push_back({std::stod(r.player.substr(prefix.size())), r.elo, r.error});
  }
  std::sort(points.begin(), points.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
  return draw_curve(fmt::format("{}: {} visits per move", settings.name, settings.rating.visits), "net",
                    "Elo", points, lines);
}

void write_reports(const RunFolder& folder, const RunSettings& settings, Log& log) {
  const std::vector<gauntlet::MatchResult> results = all_results(folder, settings.rating);
  const std::string anchor = settings.rating.ladder().front();
  const auto met = [&](const auto& r) { return r.a == anchor || r.b == anchor; };
  if (std::none_of(results.begin(), results.end(), met)) return;
  const std::vector<gauntlet::Rating> ratings = ratings_of(results, anchor);
  std::map<std::string, double> elo;
  for (const auto& r : ratings) elo[r.player] = r.elo;
  const std::string knowledge = suite_table(folder, settings, elo);
  write_file_atomically(folder.ratings() / "table.txt",
                        table_of(ratings, results, anchor) + (knowledge.empty() ? "" : "\n" + knowledge));
  write_file_atomically(folder.ratings() / "ratings.json", json_of(ratings, results, anchor));
  write_file_atomically(folder.ratings() / "curve.svg", curve_of(ratings, settings));
  std::string line = "Elo:";
  for (const auto& r : ratings) line += fmt::format(" {} {:.0f}+-{:.0f}", r.player, r.elo, r.error);
  log.info(line);
}

}  // namespace

bool rate_phase(const RunFolder& folder, const RunSettings& settings, int number, Log& log,
                std::stop_token stop, const std::function<double()>& clock) {
  make_folder(folder.ratings());
  bool played = false;
  suite_phase(folder, settings, number, log, stop);
  const int wanted = gauntlet::whole_pairs(settings.rating.games);
  for (const std::string& opponent : opponents_of(settings.rating, number)) {
    if (stop.stop_requested()) break;
    gauntlet::MatchRequest request;
    request.journal = journal_of(folder, settings.rating, number, opponent);
    if (gauntlet::read_match(request.journal).games() >= wanted) continue;
    const nn::EvaluatorSettings evaluator = selfplay::fitted(settings.evaluator, settings.selfplay.farm);
    request.a = gauntlet::open_contender(folder.net(number).string(), evaluator);
    request.b = gauntlet::open_contender(player_argument(folder, opponent), evaluator);
    request.games = settings.rating.games;
    request.visits = settings.rating.visits;
    request.seed = settings.seed;
    request.settings = gauntlet_settings(settings);
    log.info(fmt::format("net {}: rating against {}", number, request.b.name));
    const double begin = clock();
    const auto progress = [&](const gauntlet::MatchResult& r, const selfplay::FarmProgress& p) {
      log.progress(fmt::format("net {} against {}: {}/{} games, score {:.3f}, {:.1f} games/s", number, r.b,
                               r.games() + r.unpaired, wanted, gauntlet::score(r.pairs).value,
                               double(p.games) / std::max(1e-3, clock() - begin)));
    };
    const gauntlet::MatchResult result = gauntlet::play_match(request, stop, progress);
    for (const std::string& line : gauntlet::report(result)) log.info(line);
    played = true;
  }
  write_reports(folder, settings, log);
  return played;
}

Standing standing_of(const RunFolder& folder, const RunSettings& settings, int number) {
  const gauntlet::MatchResult r = gauntlet::read_match(journal_of(folder, settings.rating, number, "random"));
  if (r.games() == 0) return {};
  const gauntlet::Interval s = gauntlet::score(r.pairs);
  Standing standing{s.value, s.low};
  const std::vector<gauntlet::MatchResult> results = all_results(folder, settings.rating);
  for (const gauntlet::Rating& rating : ratings_of(results, "random"))
    if (rating.player == r.a) {
      standing.elo = rating.elo;
      standing.elo_error = rating.error;
    }
  return standing;
}

}  // namespace chuhe::run
