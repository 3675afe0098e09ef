#include "slow_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"

namespace chuhe::test {

using xiangqi::Color;
using xiangqi::GameHistory;
using xiangqi::Move;
using xiangqi::Position;

namespace {

// 11 significant binary digits, at least 2^-31: what the tree keeps of a prior.
double kept_prior(double p) {
  if (p <= std::ldexp(1.0, -31)) return std::ldexp(1.0, -31);
  int exponent = 0;
  const double mantissa = std::frexp(p, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, 11) + 0.5), exponent - 11);
}

bool same_board(const Position& a, const Position& b) {
  if (a.side_to_move() != b.side_to_move()) return false;
  for (xiangqi::Square s = 0; s < xiangqi::kSquares; ++s)
    if (a.piece_on(s) != b.piece_on(s)) return false;
  return true;
}

// The schedule as DeepMind's mctx states it: a list of visit counts, halved again and again.
std::vector<int> considered_visits(int considered, int simulations) {
  std::vector<int> sequence;
  if (considered <= 1) {
    for (int i = 0; i < simulations; ++i) sequence.push_back(i);
    return sequence;
  }
  const int log2max = int(std::ceil(std::log2(considered)));
  std::vector<int> visits(size_t(considered), 0);
  int count = considered;
  while (int(sequence.size()) < simulations) {
    const int extra = std::max(1, int(simulations / double(log2max * count)));
    for (int e = 0; e < extra; ++e) {
      sequence.insert(sequence.end(), visits.begin(), visits.begin() + count);
      for (int i = 0; i < count; ++i) ++visits[size_t(i)];
    }
    count = std::max(2, count / 2);
  }
  sequence.resize(size_t(simulations));
  return sequence;
}

}  // namespace

SlowSearch::SlowSearch(const mcts::SearchParams& params, nn::Evaluator& evaluator, const GameHistory& root,
                       Random random)
    : params_(params), evaluator_(evaluator), root_(root), random_(random) {}

void SlowSearch::run(int simulations) {
  nodes_[{}] = evaluate({}, root_);
  SlowNode& root = nodes_[{}];
  root.visits = 1;
  root.sum = root.own_value;
  if (params_.algorithm == "puct") {
    root_priors_ = noisy_root_priors(root);
  } else {
    for (size_t i = 0; i < root.moves.size(); ++i)
      root_gumbels_.push_back(params_.gumbel_scale == 0 ? 0 : params_.gumbel_scale * random_.gumbel());
    considered_visits_ =
        considered_visits(std::min(params_.gumbel_moves, int(root.moves.size())), simulations);
  }
  for (simulation_ = 0; simulation_ < simulations; ++simulation_) simulate({}, root_);
}

double SlowSearch::simulate(const Path& path, GameHistory history) {
  if (!nodes_.contains(path)) nodes_[path] = evaluate(path, history);
  SlowNode& node = nodes_[path];
  double value = node.proof != 0 ? node.proof : node.own_value;
  if (node.visits > 0 && !node.is_end && (node.proof == 0 || path.empty())) {
    const Move move = node.moves[size_t(select(path))];
    Path below = path;
    below.push_back(move.bits);
    history.push(move);
    value = -simulate(below, history);
  }
  ++node.visits;
  node.sum += value;
  if (!node.is_end) node.proof = prove(path, node);
  return value;
}

int SlowSearch::prove(const Path& path, const SlowNode& node) const {
  bool all_lost = true;
  for (size_t i = 0; i < node.moves.size(); ++i) {
    const SlowNode* c = child(path, node, int(i));
    if (c && c->proof == -1) return 1;
    all_lost = all_lost && c && c->proof == 1;
  }
  return all_lost ? -1 : 0;
}

SlowNode SlowSearch::evaluate(const Path& path, const GameHistory& history) {
  SlowNode node;
  if (!path.empty()) {
    if (const auto end = end_of(history)) {
      node.is_end = true;
      node.own_value = float(end->value);
      if (end->proven) node.proof = int(end->value);
      return node;
    }
  }
  const auto legal = history.current().legal_moves();
  const auto batch = evaluator_.make_batch(1);
  std::vector<uint16_t> indices;
  for (const Move m : legal)
    indices.push_back(uint16_t(nn::policy_index(nn::oriented(m, history.current().side_to_move()))));
  batch->add(nn::pack(history, xiangqi::rule_set("checks_only")), indices);
  evaluator_.evaluate(*batch);
  const bool root_side = history.current().side_to_move() == root_.current().side_to_move();
  node.own_value = float(double(batch->wdl(0).value()) +
                         (root_side ? params_.draw_value : -params_.draw_value) * double(batch->wdl(0).draw));
  std::vector<int> order(size_t(legal.size()));
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> priors;
  for (const double p : closing_first(path, history, batch->priors(0))) priors.push_back(kept_prior(p));
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return priors[size_t(a)] > priors[size_t(b)]; });
  for (const int i : order) {
    node.moves.push_back(legal[i]);
    node.priors.push_back(priors[size_t(i)]);
  }
  return node;
}

// Below the root, moves that bring a position of the game (not of the tree) for the third time come first.
std::vector<double> SlowSearch::closing_first(const Path& path, const GameHistory& history,
                                              std::span<const float> priors) const {
  const auto legal = history.current().legal_moves();
  std::vector<double> out(priors.begin(), priors.end());
  if (path.empty()) return out;
  const double first = 1.01 * *std::max_element(out.begin(), out.end());
  std::vector<Position> game;
  for (int ply = 0; ply <= root_.plies(); ++ply) game.push_back(root_.position_at(ply));
  bool any = false;
  for (int i = 0; i < legal.size(); ++i) {
    Position next = history.current();
    next.play(legal[i]);
    const auto seen =
        std::count_if(game.begin(), game.end(), [&](const Position& p) { return same_board(p, next); });
    if (seen < 2) continue;
    out[size_t(i)] = first;
    any = true;
  }
  if (!any) return out;
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& p : out) p = double(float(p / sum));
  return out;
}

// checks_only, from its description: mate and stalemate lose; the one who alone checked all the way round a
// repetition loses, other repetitions are drawn; bare material; 120 plies.
std::optional<SlowSearch::End> SlowSearch::end_of(const GameHistory& history) const {
  const Position& now = history.current();
  const double draw =
      now.side_to_move() == root_.current().side_to_move() ? params_.draw_value : -params_.draw_value;
  if (now.legal_moves().empty()) return End{-1, true};
  std::vector<Position> all;
  for (int ply = 0; ply <= history.plies(); ++ply) all.push_back(history.position_at(ply));
  int occurrences = 0, previous = -1;
  for (int ply = 0; ply < history.plies(); ++ply) {
    if (!same_board(all[size_t(ply)], now)) continue;
    ++occurrences;
    previous = ply;
  }
  ++occurrences;
  const bool both_in_tree = occurrences >= 2 && previous >= root_.plies();
  if (occurrences >= 3 || (params_.tree_repetition == "first" && both_in_tree)) {
    bool all_checks[2] = {true, true};
    for (int ply = previous + 1; ply <= history.plies(); ++ply) {
      const Position& after = all[size_t(ply)];
      if (!after.in_check()) all_checks[int(~after.side_to_move())] = false;
    }
    const int mover = int(now.side_to_move());
    if (all_checks[mover] && !all_checks[1 - mover]) return End{-1, occurrences >= 3};
    if (!all_checks[mover] && all_checks[1 - mover]) return End{1, occurrences >= 3};
    return End{draw, false};
  }
  if (params_.tree_repetition == "draw" && both_in_tree) return End{draw, false};
  if (now.is_bare() || history.counted_plies() >= 120) return End{draw, false};
  return std::nullopt;
}

const SlowNode* SlowSearch::child(const Path& path, const SlowNode& node, int edge) const {
  Path below = path;
  below.push_back(node.moves[size_t(edge)].bits);
  const auto found = nodes_.find(below);
  return found == nodes_.end() ? nullptr : &found->second;
}

int SlowSearch::select(const Path& path) const {
  const SlowNode& node = nodes_.at(path);
  if (params_.algorithm == "puct") return select_puct(path, node);
  return path.empty() ? select_gumbel_root() : select_gumbel(path, node);
}

int SlowSearch::select_puct(const Path& path, const SlowNode& node) const {
  const std::vector<double>& priors = path.empty() ? root_priors_ : node.priors;
  const double reduction = path.empty() ? params_.root_fpu_reduction : params_.fpu_reduction;
  const double n = node.visits;
  const double c = params_.cpuct_init + std::log((1 + n + params_.cpuct_base) / params_.cpuct_base);
  double mass = 0;
  for (size_t i = 0; i < node.moves.size(); ++i)
    if (child(path, node, int(i))) mass += priors[i];
  const double fpu = node.mean() - reduction * std::sqrt(mass);
  int best = -1;
  double best_score = 0;
  for (size_t i = 0; i < node.moves.size(); ++i) {
    const SlowNode* c_node = child(path, node, int(i));
    const double q = c_node ? -c_node->value() : fpu;
    const double score = q + c * std::sqrt(n) * priors[i] / (1 + (c_node ? c_node->visits : 0));
    if (best >= 0 && score <= best_score) continue;
    best = int(i);
    best_score = score;
  }
  return best;
}

std::vector<double> SlowSearch::completed_q(const Path& path, const SlowNode& node) const {
  double mass = 0, weighted = 0;
  int visits = 0;
  for (size_t i = 0; i < node.moves.size(); ++i)
    if (child(path, node, int(i))) mass += node.priors[i];
  for (size_t i = 0; i < node.moves.size(); ++i) {
    const SlowNode* c = child(path, node, int(i));
    if (!c) continue;
    weighted += node.priors[i] / mass * -c->value();
    visits += c->visits;
  }
  const double v_mix = (node.own_value + visits * weighted) / (1 + visits);
  std::vector<double> q;
  for (size_t i = 0; i < node.moves.size(); ++i) {
    const SlowNode* c = child(path, node, int(i));
    q.push_back(c ? -c->value() : v_mix);
  }
  q.push_back(v_mix);
  return q;
}

// By edge; the mixed value's own entry is dropped.
std::vector<double> SlowSearch::sigmas(const Path& path, const SlowNode& node) const {
  std::vector<double> q = completed_q(path, node);
  const double low = *std::min_element(q.begin(), q.end()), high = *std::max_element(q.begin(), q.end());
  int most = 0;
  for (size_t i = 0; i < node.moves.size(); ++i)
    if (const SlowNode* c = child(path, node, int(i))) most = std::max(most, c->visits);
  for (double& x : q) x = (params_.c_visit + most) * params_.c_scale * (x - low) / std::max(high - low, 1e-8);
  q.pop_back();
  return q;
}

std::vector<double> SlowSearch::improved_policy(const Path& path, const SlowNode& node) const {
  std::vector<double> logits = sigmas(path, node);
  for (size_t i = 0; i < logits.size(); ++i) logits[i] += std::log(node.priors[i]);
  const double top = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double& x : logits) sum += x = std::exp(x - top);
  for (double& x : logits) x /= sum;
  return logits;
}

int SlowSearch::select_gumbel(const Path& path, const SlowNode& node) const {
  const std::vector<double> policy = improved_policy(path, node);
  int total = 0;
  for (size_t i = 0; i < node.moves.size(); ++i)
    if (const SlowNode* c = child(path, node, int(i))) total += c->visits;
  int best = -1;
  double best_score = 0;
  for (size_t i = 0; i < node.moves.size(); ++i) {
    const SlowNode* c = child(path, node, int(i));
    const double score = policy[i] - (c ? c->visits : 0) / double(1 + total);
    // Equal up to the rounding of a different order of summation counts as equal: the lower edge wins.
    if (best >= 0 && score <= best_score + 1e-13) continue;
    best = int(i);
    best_score = score;
  }
  return best;
}

int SlowSearch::select_gumbel_root() const {
  const SlowNode& root = nodes_.at({});
  const std::vector<double> sigma = sigmas({}, root);
  int best = -1;
  double best_score = 0;
  for (size_t i = 0; i < root.moves.size(); ++i) {
    const SlowNode* c = child({}, root, int(i));
    if ((c ? c->visits : 0) != considered_visits_[size_t(simulation_)]) continue;
    const double score = root_gumbels_[i] + std::log(root.priors[i]) + sigma[i];
    if (best >= 0 && score <= best_score) continue;
    best = int(i);
    best_score = score;
  }
  return best;
}

std::vector<double> SlowSearch::noisy_root_priors(const SlowNode& node) {
  std::vector<double> priors = node.priors;
  if (params_.noise_share == 0) return priors;
  std::vector<float> noise(priors.size());
  random_.dirichlet(params_.noise_alpha * 35 / double(priors.size()), noise);
  for (size_t i = 0; i < priors.size(); ++i)
    priors[i] = double(float((1 - params_.noise_share) * priors[i] + params_.noise_share * double(noise[i])));
  return priors;
}

int SlowSearch::edge_of(Move move) const {
  const auto& moves = nodes_.at({}).moves;
  return int(std::find(moves.begin(), moves.end(), move) - moves.begin());
}

int SlowSearch::visits(Move move) const {
  const SlowNode* c = child({}, nodes_.at({}), edge_of(move));
  return c ? c->visits : 0;
}

double SlowSearch::value(Move move) const {
  const SlowNode* c = child({}, nodes_.at({}), edge_of(move));
  return c ? -c->value() : 0;
}

double SlowSearch::target(Move move) const {
  if (params_.algorithm == "gumbel") return improved_policy({}, nodes_.at({}))[size_t(edge_of(move))];
  return visits(move) / double(nodes_.at({}).visits - 1);
}

double SlowSearch::root_value() const {
  const SlowNode& root = nodes_.at({});
  if (root.proof != 0 || params_.algorithm == "puct") return root.value();
  const auto policy = improved_policy({}, root);
  const auto q = completed_q({}, root);
  double value = 0;
  for (size_t i = 0; i < policy.size(); ++i) value += policy[i] * q[i];
  return value;
}

Move SlowSearch::best() const {
  const SlowNode& root = nodes_.at({});
  const bool gumbel = params_.algorithm == "gumbel";
  const std::vector<double> sigma = gumbel ? sigmas({}, root) : std::vector<double>();
  const auto rank = [&](size_t i) {
    const double second =
        gumbel ? root_gumbels_[i] + std::log(root.priors[i]) + sigma[i] : value(root.moves[i]);
    const SlowNode* c = child({}, root, int(i));
    return std::tuple(c ? -c->proof : 0, visits(root.moves[i]), second);
  };
  size_t best = 0;
  for (size_t i = 1; i < root.moves.size(); ++i)
    if (rank(i) > rank(best)) best = i;
  return root.moves[best];
}

}  // namespace chuhe::test
