#include "play/thinker.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "nn/encoding/policy_index.h"
#include "play/score.h"

namespace chuhe::play {

using mcts::RootMove;
using mcts::SearchResult;
using xiangqi::Move;

namespace {

constexpr int64_t kReportEveryUs = 1'000'000;
constexpr int kNoVisitsLimit = 1 << 30;
constexpr int kMostEnds = 4096;  // decided leaves between two looks at the clock: about a millisecond
// A line that ends in mate is no proof: the side that is mated in it may have better. It is called a mate
// once the value agrees.
constexpr double kMateValue = 0.9;

/// Visits at which the request's own limits (not the clock) end the search.
int64_t visits_limit(const Request& request) {
  const Limits& limits = request.limits;
  int64_t visits = kNoVisitsLimit;
  if (limits.nodes) visits = std::min(visits, std::max<int64_t>(*limits.nodes, 1));
  if (limits.depth) visits = std::min(visits, int64_t(visits_of_depth(*limits.depth)));
  if (request.settings.visits > 0 && !limits.infinite)
    visits = std::min(visits, int64_t(request.settings.visits));
  return visits;
}

/// Moves that leave the opponent without one.
std::vector<Move> winning_moves(const xiangqi::Position& position) {
  std::vector<Move> out;
  for (const Move move : position.legal_moves()) {
    xiangqi::Position next = position;
    next.play(move);
    if (!next.has_legal_move()) out.push_back(move);
  }
  return out;
}

bool contains(const std::vector<Move>& moves, Move move) {
  return std::ranges::count(moves, move) > 0;
}

}  // namespace

// The best first. A tree of a won position may hold several moves of value 1 and prefer a long way round: a
// move that ends the game goes before all others.
std::vector<RootMove> Thinker::ranked(const Request& request, const SearchResult& result) const {
  std::vector<RootMove> moves = result.moves;
  if (const auto& wanted = request.limits.search_moves; !wanted.empty())
    std::erase_if(moves, [&](const RootMove& m) { return !contains(wanted, m.move); });
  const bool any_visit = std::ranges::any_of(moves, [](const RootMove& m) { return m.visits > 0; });
  std::stable_sort(moves.begin(), moves.end(), [&](const RootMove& a, const RootMove& b) {
    const bool a_wins = contains(wins_, a.move), b_wins = contains(wins_, b.move);
    if (a_wins != b_wins) return a_wins;
    if (any_visit && (a.move == result.best) != (b.move == result.best)) return a.move == result.best;
    if (a.visits != b.visits) return a.visits > b.visits;
    if (a.visits > 0 && a.value != b.value) return a.value > b.value;
    return a.prior > b.prior;
  });
  return moves;
}

Thinker::Thinker(NetLoader loader, Clock clock, Events events,
                 std::function<void(const Request&, const Control&)> hold)
    : loader_(std::move(loader)),
      clock_(std::move(clock)),
      events_(std::move(events)),
      hold_(std::move(hold)) {}

bool Thinker::prepare(const PlaySettings& settings) {
  PlaySettings copy = settings;
  const std::string key =
      settings.net + '\n' + settings.rules + '\n' + to_toml(fields_of(copy.evaluator), false);
  if (key == net_key_) return true;
  net_key_.clear();
  search_.reset();
  batch_.reset();
  evaluator_.reset();
  try {
    net_ = open_for_play(settings, loader_);
    evaluator_ = net_.handle.make();
    batch_ = evaluator_->make_batch(net_.batch);
    // The first batch of a device takes long: it is done before `readyok`.
    mcts::SearchParams params;
    params.visits = 1;
    mcts::Search(params, xiangqi::rule_set(settings.rules))
        .run(*evaluator_, xiangqi::GameHistory(), Random(settings.seed, "warm-up", 0));
  } catch (const std::exception& e) {
    batch_.reset();
    evaluator_.reset();
    events_.message(fmt::format("error: {}", e.what()));
    return false;
  }
  net_key_ = key;
  events_.message(net_.description);
  if (!net_.warning.empty()) events_.message("warning: " + net_.warning);
  return true;
}

void Thinker::think(const Request& request, const Control& control) {
  BestMove best;
  try {
    best = search(request, control);
  } catch (const std::exception& e) {
    // Rows may be out in tree and evaluator: both start afresh.
    search_.reset();
    net_key_.clear();
    events_.message(fmt::format("error: {}", e.what()));
  }
  hold_(request, control);
  events_.best_move(best);
}

BestMove Thinker::search(const Request& request, const Control& control) {
  if (!request.history.current().has_legal_move()) {
    SearchInfo lost;
    lost.lines.emplace_back().mate = 0;
    events_.info(lost);
    return {};
  }
  if (net_key_.empty()) return {};
  wins_ = winning_moves(request.history.current());
  renew_search(request);
  loop(request, control);
  const SearchResult result = search_->result();
  events_.info(summary(request, result));
  return choose(request, result);
}

void Thinker::renew_search(const Request& request) {
  const PlaySettings& settings = request.settings;
  mcts::SearchParams params = settings.search;
  const int64_t memory = int64_t{settings.hash_mb} << 20;
  const std::string key =
      fmt::format("{}\n{}\n{}", settings.rules, memory, to_toml(fields_of(params), false));
  if (!search_ || key != search_key_) {
    params.max_nodes = std::clamp<int64_t>(memory / 200, 1000, 40'000'000);
    search_ = std::make_unique<mcts::Search>(params, xiangqi::rule_set(settings.rules));
    search_key_ = key;
  }
  if (request.forget) search_->forget();

  // While pondering the limits do not count yet, so the search itself must not end by them.
  int64_t visits = request.limits.ponder ? kNoVisitsLimit : visits_limit(request);
  if (params.algorithm == "gumbel" && visits == kNoVisitsLimit) visits = params.visits;
  search_->start(request.history, Random(settings.seed, "play", searches_++), int(visits), true);
}

void Thinker::step(uint64_t visits) {
  // A young tree is searched narrowly: many leaves at once would go astray.
  const int leaves = int(std::clamp<uint64_t>(visits / 4, 1, uint64_t(net_.batch)));
  batch_->clear();
  if (search_->gather(*batch_, leaves, kMostEnds) > 0) evaluator_->evaluate(*batch_);
  search_->absorb(*batch_);
}

void Thinker::loop(const Request& request, const Control& control) {
  const size_t memory = size_t(request.settings.hash_mb) << 20;
  uint64_t visits = 0;
  begun_us_ = clock_().count();
  int64_t reported_us = begun_us_;
  int reported_depth = 0;
  bool first = true;
  while (true) {
    const int64_t before = clock_().count();
    if (search_->done()) break;
    step(visits);
    const SearchResult result = search_->result();
    if (first) visits_at_start_ = result.visits;
    first = false;
    visits = result.visits;
    const int64_t now = clock_().count();
    if (control.stop || search_->counters().bytes >= memory || time_is_up(request, control, now - before))
      break;
    if (!control.pondering && reached(request, result)) break;
    if (depth_of(visits) > reported_depth || now - reported_us >= kReportEveryUs) {
      events_.info(summary(request, result));
      reported_depth = depth_of(visits);
      reported_us = now;
    }
  }
  search_->stop();
}

bool Thinker::time_is_up(const Request& request, const Control& control, int64_t batch_us) const {
  if (control.pondering || request.limits.infinite) return false;
  const auto budget = time_budget(request.limits, request.history.current().side_to_move(),
                                  request.settings.move_overhead_ms);
  return budget && clock_().count() + batch_us - control.started_us >= *budget * 1000;
}

bool Thinker::reached(const Request& request, const SearchResult& result) const {
  const Limits& limits = request.limits;
  if (int64_t(result.visits) >= visits_limit(request)) return true;
  if (limits.infinite) return false;
  const bool only_clock = limits.has_clock() && !limits.nodes && !limits.depth && !limits.move_time_ms;
  if (only_clock && (result.moves.size() == 1 || !wins_.empty())) return true;
  if (limits.mate) {
    if (!wins_.empty()) return true;
    const auto mate = mate_at_end(request.history.current(), result.pv);
    return mate && *mate > 0 && *mate <= *limits.mate && result.value >= kMateValue;
  }
  return false;
}

SearchInfo Thinker::summary(const Request& request, const SearchResult& result) const {
  SearchInfo info;
  const mcts::SearchCounters& counters = search_->counters();
  const int64_t us = std::max<int64_t>(clock_().count() - begun_us_, 1);
  info.depth = std::max(depth_of(result.visits), 1);
  info.nodes = result.visits;
  info.deepest = std::max(counters.max_depth, int(result.pv.size()));
  info.time_ms = us / 1000;
  const uint64_t fresh = result.visits > visits_at_start_ ? result.visits - visits_at_start_ : 0;
  info.nodes_per_second = fresh * 1'000'000 / uint64_t(us);
  info.hash_full = int(std::min<size_t>(1000, counters.bytes / (size_t(request.settings.hash_mb) * 1049)));

  const xiangqi::Position& root = request.history.current();
  const auto moves = ranked(request, result);
  const size_t lines = std::min(moves.size(), size_t(request.settings.multi_pv));
  for (size_t i = 0; i < lines; ++i) {
    const RootMove& m = moves[i];
    const double value = m.visits ? m.value : result.value;
    InfoLine line;
    line.pv = search_->line(m.move);
    if (line.pv.empty()) line.pv = {m.move};
    const auto mate = mate_at_end(root, line.pv);
    if (mate && (*mate == 1 || value * (*mate > 0 ? 1 : -1) >= kMateValue)) line.mate = mate;
    line.centipawns = centipawns(value);
    line.wdl = per_mille(line.mate ? (*line.mate > 0 ? 1 : -1) : value, result.net_wdl[1]);
    info.lines.push_back(std::move(line));
  }
  return info;
}

BestMove Thinker::choose(const Request& request, const SearchResult& result) const {
  const PlaySettings& settings = request.settings;
  const auto moves = ranked(request, result);
  if (moves.empty()) return {};
  Move chosen = moves.front().move;
  if (settings.temperature > 0 && !settings.analyse && wins_.empty() &&
      request.history.plies() < settings.temperature_plies) {
    // Shares relative to the most visited move: no overflow at low temperatures.
    uint32_t most = 1;
    for (const RootMove& m : moves) most = std::max(most, m.visits);
    std::vector<double> shares;
    double sum = 0;
    for (const RootMove& m : moves)
      sum += shares.emplace_back(m.visits ? det_exp(det_log(double(m.visits) / most) / settings.temperature)
                                          : 0);
    Random random(settings.seed, "temperature", searches_);
    double left = random.uniform() * sum;
    for (size_t i = 0; i < moves.size() && sum > 0; ++i)
      if (shares[i] > 0 && (left -= shares[i]) < 0) {
        chosen = moves[i].move;
        break;
      }
  }
  BestMove best{chosen, {}};
  if (result.pv.size() >= 2 && result.pv.front() == chosen) best.ponder = result.pv[1];
  return best;
}

void Thinker::evaluate(const Request& request, const Control& control) {
  std::vector<std::string> lines;
  try {
    if (!request.history.current().has_legal_move()) {
      lines = {"eval: no legal move, the mover has lost"};
    } else if (!net_key_.empty()) {
      lines = opinion(request);
    }
  } catch (const std::exception& e) {
    net_key_.clear();
    lines = {fmt::format("error: {}", e.what())};
  }
  hold_(request, control);
  for (const auto& line : lines) events_.message(line);
}

std::vector<std::string> Thinker::opinion(const Request& request) {
  mcts::SearchParams params;
  params.visits = 1;
  SearchResult result = mcts::Search(params, xiangqi::rule_set(request.settings.rules))
                            .run(*evaluator_, request.history, Random(request.settings.seed, "eval", 0));
  const bool red = request.history.current().side_to_move() == xiangqi::Color::Red;
  const float* wdl = result.net_wdl;
  std::string value = fmt::format("eval: value {:+.3f} (win {:.3f} draw {:.3f} loss {:.3f}), {} to move",
                                  result.net_value, wdl[0], wdl[1], wdl[2], red ? "red" : "black");
  std::ranges::stable_sort(result.moves, std::greater{}, &RootMove::prior);
  std::string priors = "eval: priors";
  for (size_t i = 0; i < std::min<size_t>(result.moves.size(), 8); ++i)
    priors += fmt::format(" {} {:.1f}%", to_uci(result.moves[i].move), 100 * result.moves[i].prior);
  return {std::move(value), std::move(priors)};
}

}  // namespace chuhe::play
