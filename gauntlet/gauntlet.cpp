#include "gauntlet/gauntlet.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "gauntlet/journal.h"
#include "match/openings.h"
#include "nn/api/doubles.h"
#include "nn/model/net_file.h"

namespace chuhe::gauntlet {
namespace {

constexpr double kFewDistinct = 0.8;  // share below which a match says less than its number of games
constexpr std::string_view kWriter = "gauntlet";

/// Openings without replacement: each round of the list in a new order.
class OpeningOrder {
 public:
  OpeningOrder(const match::OpeningBook& book, uint64_t seed) : book_(book), seed_(seed) {}

  const match::Opening& of_pair(uint64_t pair) {
    const uint64_t n = book_.openings.size(), round = pair / n;
    if (order_.empty() || round != round_) {
      order_.resize(n);
      for (size_t i = 0; i < n; ++i) order_[i] = i;
      Random random(seed_, "gauntlet/openings", round);
      random.shuffle(std::span<size_t>(order_));
      round_ = round;
    }
    return book_.openings[order_[pair % n]];
  }

 private:
  const match::OpeningBook& book_;
  const uint64_t seed_;
  uint64_t round_ = 0;
  std::vector<size_t> order_;
};

/// The contender's side of every game; its evaluator, if it has one, joins the farm's.
match::PlayerSpec player(const Contender& contender, const MatchRequest& request,
                         std::vector<nn::EvaluatorFactory>& evaluators) {
  match::PlayerSpec spec;
  spec.name = contender.name;
  spec.search = request.settings.search;
  spec.choice = request.settings.choice;
  if (!contender.evaluator) {
    spec.kind = match::PlayerKind::Builtin;
  } else if (request.visits == 0) {
    spec.kind = match::PlayerKind::PolicyOnly;
    spec.choice.temperature = spec.choice.end_temperature = request.settings.policy_temperature;
  } else {
    spec.kind = match::PlayerKind::Search;
    spec.search.visits = request.visits;
  }
  if (contender.evaluator) {
    spec.evaluator = int(evaluators.size());
    evaluators.push_back(contender.evaluator);
  }
  return spec;
}

std::string identity_of(const MatchRequest& request, const match::OpeningBook& book) {
  GauntletSettings settings = request.settings;
  Fields shaping;
  settings.describe_games(shaping);
  return fmt::format("{:016x}", hash_text(to_toml(shaping, false), book.digest ^ uint64_t(request.visits)));
}

class PairTable {
 public:
  void add(const JournalGame& game) { games_.emplace(game.id, game); }
  bool has(uint64_t id) const { return games_.contains(id); }

  MatchResult result(const std::string& a, const std::string& b) const {
    MatchResult r;
    r.a = a;
    r.b = b;
    std::set<uint64_t> sequences;
    for (const auto& [id, game] : games_) {
      const auto partner = games_.find(id ^ 1);
      if (partner == games_.end()) {
        ++r.unpaired;
        continue;
      }
      const int points = half_points(game);
      r.wins += points == 2;
      r.draws += points == 1;
      r.losses += points == 0;
      ++r.reasons[size_t(game.reason)];
      r.plies += game.plies;
      sequences.insert(game.moves_hash);
      if (id % 2 == 0) ++r.pairs[size_t(points + half_points(partner->second))];
    }
    r.distinct = int64_t(sequences.size());
    return r;
  }

 private:
  /// Of the first player, who has Red in even games.
  static int half_points(const JournalGame& game) {
    if (game.outcome == xiangqi::Outcome::Draw) return 1;
    return (game.outcome == xiangqi::Outcome::RedWins) == (game.id % 2 == 0) ? 2 : 0;
  }
  std::map<uint64_t, JournalGame> games_;
};

}  // namespace

Contender open_contender(const std::string& player, const nn::EvaluatorSettings& settings) {
  if (match::is_builtin(player)) return {player, {}};
  std::error_code ignored;
  const bool is_double = nn::make_double(player) != nullptr;
  const std::filesystem::path file = nn::find_net_file(player);
  if (!is_double && !std::filesystem::exists(file, ignored))
    throw Error(
        "player '{}': no such net file, and none of random, greedy, ab:1 to ab:8, hash, material, uniform",
        player);
  const nn::NetHandle net = nn::open_net(player, settings);
  return {net.net_id, net.make, is_double ? "" : fmt::format("{:016x}", hash_text(read_file(file)))};
}

GauntletSettings::GauntletSettings() {
  search.algorithm = "gumbel";
  search.gumbel_scale = 0;  // no chance in the moves: the openings bring the variety
  search.noise_share = 0;
  choice.temperature = 0;
}

void GauntletSettings::describe_games(Fields& f) {
  Fields::Choices rule_sets;
  for (const auto name : xiangqi::rule_set_names()) rule_sets.emplace_back(name);
  f("rule_set", rule_set, "rules of play", rule_sets);
  f("openings", openings, "file of openings; \"\" = the built-in list");
  f("policy_temperature", policy_temperature,
    "0 visits: a move's chance is prior^(1/T); 0 = the greatest prior, which shuffles won games into "
    "repetitions",
    {0, 10});
  f.table("search", search, "how a net's move is searched");
  f.table("choice", choice, "how a search becomes a move");
  f.table("adjudication", adjudication, "ends that the rules do not know");
}

void GauntletSettings::describe(Fields& f) {
  describe_games(f);
  f.table("farm", farm, "threads and slots");
}

MatchResult play_match(
    const MatchRequest& request, std::stop_token stop,
    const std::function<void(const MatchResult&, const selfplay::FarmProgress&)>& on_progress) {
  const match::OpeningBook book = match::openings_or_default(request.settings.openings);
  const JournalHeader header{request.a.name, request.b.name, request.a.file,
                             request.b.file, request.seed,   identity_of(request, book)};
  std::optional<Journal> journal;
  PairTable table;
  if (!request.journal.empty()) {
    journal.emplace(request.journal, header);
    for (const JournalGame& game : journal->games()) table.add(game);
  }
  OpeningOrder order(book, request.seed);
  const auto end = uint64_t(whole_pairs(request.games));
  std::vector<nn::EvaluatorFactory> evaluators;
  const match::PlayerSpec a = player(request.a, request, evaluators),
                          b = player(request.b, request, evaluators);
  const auto endgames = request.settings.adjudication.endgame_tables();
  uint64_t id = 0;
  const selfplay::NextGame next = [&, played = table](match::GameSpec& spec) {
    while (id < end && played.has(id)) ++id;
    if (id >= end) return false;
    const match::Opening& opening = order.of_pair(id / 2);
    spec.id = id;
    spec.seed = request.seed;
    spec.writer = kWriter;
    spec.start_fen = opening.start_fen;
    spec.opening = opening.moves;
    spec.rule_set = request.settings.rule_set;
    spec.adjudication = request.settings.adjudication;
    spec.endgames = endgames;
    const bool a_is_red = id % 2 == 0;
    spec.players[0] = a_is_red ? a : b;
    spec.players[1] = a_is_red ? b : a;
    ++id;
    return true;
  };
  std::mutex mutex;  // the sink's thread adds while the caller's reports
  const selfplay::GameSink sink = [&](shards::GameRecord&& record) {
    const JournalGame game = journal_game(record);
    if (journal) journal->append(game);
    const std::lock_guard lock(mutex);
    table.add(game);
  };
  const auto progress = [&](const selfplay::FarmProgress& p) {
    const std::lock_guard lock(mutex);
    if (on_progress) on_progress(table.result(request.a.name, request.b.name), p);
  };
  const selfplay::FarmProgress played =
      selfplay::play_games(request.settings.farm, evaluators, next, sink, stop, progress);
  MatchResult result = table.result(request.a.name, request.b.name);
  result.judge = played.judge;
  return result;
}

MatchResult read_match(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  const Journal journal(path);
  PairTable table;
  for (const JournalGame& game : journal.games()) table.add(game);
  return table.result(journal.header().a, journal.header().b);
}

std::vector<std::string> report(const MatchResult& r) {
  const Interval s = score(r.pairs);
  const auto elo_text = [](double s_) {
    const double elo = elo_of_score(s_);
    return std::isinf(elo) ? std::string(elo > 0 ? "+inf" : "-inf") : fmt::format("{:+.0f}", elo);
  };
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} against {}: {} games, {} wins, {} draws, {} losses", r.a, r.b, r.games(),
                              r.wins, r.draws, r.losses));
  lines.push_back(
      fmt::format("score {:.3f}, 95 % interval {:.3f} to {:.3f}; pairs from lost to won: {} {} {} {} {}",
                  s.value, s.low, s.high, r.pairs[0], r.pairs[1], r.pairs[2], r.pairs[3], r.pairs[4]));
  if (s.value >= 1)
    lines.push_back(fmt::format("Elo (logistic) above {}", elo_text(s.low)));
  else if (s.value <= 0)
    lines.push_back(fmt::format("Elo (logistic) below {}", elo_text(s.high)));
  else
    lines.push_back(fmt::format("Elo (logistic) {}, {} to {}; chance to be the better one {:.4f}",
                                elo_text(s.value), elo_text(s.low), elo_text(s.high),
                                likelihood_of_superiority(r.pairs)));
  std::string reasons;
  for (size_t i = 0; i < r.reasons.size(); ++i)
    if (r.reasons[i] > 0)
      reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", xiangqi::name_of(xiangqi::EndReason(i)),
                             r.reasons[i]);
  lines.push_back("ends: " + (reasons.empty() ? "none" : reasons));
  lines.push_back(fmt::format("distinct games {} of {}, {:.1f} plies on average", r.distinct, r.games(),
                              r.games() ? double(r.plies) / double(r.games()) : 0));
  if (r.games() > 0 && double(r.distinct) < kFewDistinct * double(r.games()))
    lines.push_back(
        "warning: many games are copies of each other: use more openings, or a player that varies");
  if (r.judge.verdicts > 0) lines.push_back(selfplay::judge_line(r.judge));
  if (r.unpaired > 0)
    lines.push_back(fmt::format("{} finished games without their partner are left out", r.unpaired));
  return lines;
}

}  // namespace chuhe::gauntlet
