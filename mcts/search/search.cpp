#include "mcts/search/search.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "mcts/search/repetition.h"
#include "mcts/search/root.h"
#include "mcts/search/select.h"
#include "mcts/tree/tree.h"
#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"

namespace chuhe::mcts {

using xiangqi::Move;
using xiangqi::MoveList;

namespace {

// A simulation whose row is out, or that ran into such a one (row -1). Its path is kept as edge numbers:
// nodes may move.
struct Pending {
  int row;
  uint32_t path_begin, path_size;  // in Impl::pending_edges
  MoveSet closing;                 // the leaf's moves that end the game by repetition
};

enum class Step { Row, End, Collision };

uint16_t to_fixed(float value, float unit) {
  return uint16_t(std::clamp(value * unit + 0.5f, 0.0f, 65535.0f));
}

}  // namespace

struct Search::Impl {
  Impl(const SearchParams& p, const xiangqi::RuleSet& r, xiangqi::JudgeMemory* m)
      : params(p),
        rules(r),
        own_memory(m ? nullptr : std::make_unique<xiangqi::JudgeMemory>()),
        memory(m ? m : own_memory.get()),
        terms(p),
        is_gumbel(p.algorithm == "gumbel"),
        repetition(first_repetition(p.tree_repetition)) {
    if (p.algorithm != "puct" && p.algorithm != "gumbel")
      throw Error("search algorithm '{}': expected puct or gumbel", p.algorithm);
  }

  // The parts of one simulation, in order.
  Step simulate(nn::EvalBatch& batch);
  int select(NodeIndex index) const;
  Step visit_leaf(NodeIndex index, nn::EvalBatch& batch);
  std::optional<xiangqi::GameEnd> end_here(const MoveList& legal);
  bool decide_end(NodeIndex index, const MoveList& legal);
  void add_row(NodeIndex index, const MoveList& legal, nn::EvalBatch& batch);
  void mark_in_flight(int row, const MoveSet& closing = {});
  void back_up(double value);
  void prove_path();
  void absorb_row(const Pending& pending, const nn::EvalBatch& batch);

  bool continues(const xiangqi::GameHistory& next, std::vector<uint8_t>& path) const;
  void prepare_root();
  bool can_start() const {
    return !stopped && started < budget && tree.root().in_flight < kMaxInFlight &&
           tree.has_room(size_t(params.max_nodes));
  }
  double draw_value_at(size_t depth) const { return depth % 2 == 0 ? params.draw_value : -params.draw_value; }
  int best_edge() const;
  void follow(int edge, std::vector<Move>& line) const;
  int best_puct_edge() const;
  void fill_moves(SearchResult& result, const MoveList& legal) const;

  SearchParams params;
  xiangqi::RuleSet rules;
  std::unique_ptr<xiangqi::JudgeMemory> own_memory;
  xiangqi::JudgeMemory* memory;
  SelectTerms terms;
  bool is_gumbel;
  FirstRepetition repetition;

  Tree tree;
  std::optional<xiangqi::GameHistory>
      history;  // at the root between simulations; none before the first start
  int root_plies = 0;
  std::vector<uint64_t> ripe;  // keys of the game's positions whose next occurrence ends it
  Random random{0};
  std::vector<float> root_priors;  // PUCT: with noise, by edge
  GumbelRoot gumbel;
  int budget = 0, started = 0;
  bool stopped = false;

  // The current simulation: nodes from the root on, and the edges between them.
  std::vector<NodeIndex> path;
  std::vector<uint8_t> edges;
  std::vector<Pending> pending;
  std::vector<uint8_t> pending_edges;
  mutable SearchCounters counters;
};

int Search::Impl::select(NodeIndex index) const {
  if (index != Tree::kRoot)
    return is_gumbel ? select_gumbel(tree, tree[index], terms) : select_puct(tree, tree[index], terms);
  return is_gumbel ? gumbel.select(tree, terms, started) : select_puct_root(tree, root_priors, terms);
}

Step Search::Impl::simulate(nn::EvalBatch& batch) {
  path.assign(1, Tree::kRoot);
  edges.clear();
  NodeIndex index = Tree::kRoot;
  while (tree[index].is_expanded() && (index == Tree::kRoot || tree[index].proof() == Proof::None)) {
    const int edge = select(index);
    const NodeIndex child =
        edge < tree[index].child_count ? tree[index].children + NodeIndex(edge) : tree.add_child(index);
    history->push(tree.move(tree[index], edge));
    path.push_back(child);
    edges.push_back(uint8_t(edge));
    index = child;
  }
  counters.max_depth = std::max(counters.max_depth, int(edges.size()));
  const Step step = visit_leaf(index, batch);
  history->pop(int(edges.size()));
  return step;
}

Step Search::Impl::visit_leaf(NodeIndex index, nn::EvalBatch& batch) {
  if (tree[index].visits == 0) {
    if (tree[index].in_flight > 0) return Step::Collision;
    MoveList legal;
    history->current().legal_moves(legal);
    if (!decide_end(index, legal)) {
      add_row(index, legal, batch);
      return Step::Row;
    }
  }
  ++counters.terminals;
  const Node& node = tree[index];
  back_up(node.proof() == Proof::None ? double(node.own_value) : node.value());
  prove_path();
  return Step::End;
}

// By the rules, or by the policy for a position that occurs for the second time within the tree.
std::optional<xiangqi::GameEnd> Search::Impl::end_here(const MoveList& legal) {
  const bool inside = repetition != FirstRepetition::PlayedOn && rules.repetition_count > 0 &&
                      history->occurrences() > 1 && history->previous_occurrence() >= root_plies - 1;
  const bool judged = inside && repetition == FirstRepetition::Judged;
  const auto end = xiangqi::game_end(*history, legal, rules, judged ? 2 : 0, memory);
  if (!end && inside) return xiangqi::GameEnd{xiangqi::Outcome::Draw, xiangqi::EndReason::Repetition};
  return end;
}

// Is the game over at this new node? Then it becomes an end.
bool Search::Impl::decide_end(NodeIndex index, const MoveList& legal) {
  const int occurrences = history->occurrences();
  const auto end = end_here(legal);
  if (!end) return false;
  Node& node = tree[index];
  const bool repeats = end->reason == xiangqi::EndReason::Repetition ||
                       end->reason == xiangqi::EndReason::PerpetualCheck ||
                       end->reason == xiangqi::EndReason::PerpetualChase;
  counters.judged_repetitions += repeats;
  node.edges = repeats && occurrences < rules.repetition_count ? kEndByPolicy : kEndByRule;
  if (end->outcome == xiangqi::Outcome::Draw) {
    node.own_value = float(draw_value_at(edges.size()));
    node.draw = 65535;
  } else {
    const bool wins = end->outcome == xiangqi::win_for(history->current().side_to_move());
    node.own_value = wins ? 1.0f : -1.0f;
    if (node.edges == kEndByRule) node.prove(wins ? Proof::Win : Proof::Loss);
  }
  return true;
}

void Search::Impl::add_row(NodeIndex index, const MoveList& legal, nn::EvalBatch& batch) {
  uint16_t indices[xiangqi::kMaxMoves];
  nn::policy_indices(legal, history->current().side_to_move(), indices);
  const int row = batch.add(nn::pack(*history, rules, true, memory), {indices, size_t(legal.size())});
  tree.set_edges(index, {legal.begin(), size_t(legal.size())});
  mark_in_flight(row, closing_moves(*history, legal, ripe, int(edges.size())));
  ++counters.rows;
}

void Search::Impl::mark_in_flight(int row, const MoveSet& closing) {
  for (const NodeIndex index : path) ++tree[index].in_flight;
  pending.push_back({row, uint32_t(pending_edges.size()), uint32_t(edges.size()), closing});
  pending_edges.insert(pending_edges.end(), edges.begin(), edges.end());
}

void Search::Impl::back_up(double value) {
  for (size_t i = path.size(); i-- > 0; value = -value) {
    Node& node = tree[path[i]];
    ++node.visits;
    node.value_sum += value;
  }
}

// Carries a proof from the end of the path towards the root: one lost child proves a win, all children won a
// loss.
void Search::Impl::prove_path() {
  for (size_t i = path.size() - 1; i > 0 && tree[path[i]].proof() != Proof::None; --i) {
    Node& parent = tree[path[i - 1]];
    if (parent.proof() != Proof::None) continue;
    if (tree[path[i]].proof() == Proof::Loss) {
      parent.prove(Proof::Win);
      continue;
    }
    if (parent.child_count < parent.edge_count) return;
    const Node* children = &tree[parent.children];
    if (std::all_of(children, children + parent.child_count,
                    [](const Node& c) { return c.proof() == Proof::Win; }))
      parent.prove(Proof::Loss);
  }
}

void Search::Impl::absorb_row(const Pending& p, const nn::EvalBatch& batch) {
  path.assign(1, Tree::kRoot);
  for (uint32_t i = 0; i < p.path_size; ++i)
    path.push_back(tree[path.back()].children + pending_edges[p.path_begin + i]);
  for (const NodeIndex index : path) --tree[index].in_flight;
  if (p.row < 0) return;
  const nn::EvalBatch::Wdl wdl = batch.wdl(p.row);
  if (p.closing.any())
    tree.set_priors(path.back(), closing_first(batch.priors(p.row), p.closing));
  else
    tree.set_priors(path.back(), batch.priors(p.row));
  Node& node = tree[path.back()];
  node.own_value = float(double(wdl.value()) + draw_value_at(p.path_size) * double(wdl.draw));
  node.draw = to_fixed(wdl.draw, 65535);
  node.moves_left = to_fixed(batch.moves_left(p.row), 64);
  back_up(node.own_value);
  if (p.path_size == 0) prepare_root();
}

void Search::Impl::prepare_root() {
  tree.open_root();
  if (is_gumbel) {
    gumbel = GumbelRoot(tree, params, budget, random);
    return;
  }
  root_priors.clear();
  for (int i = 0; i < tree.root().edge_count; ++i) root_priors.push_back(tree.prior(tree.root(), i));
  mix_noise(root_priors, params.noise_alpha, params.noise_share, random);
}

// Does the game `next` go on from the last search's position? Then `path` leads there in the tree.
bool Search::Impl::continues(const xiangqi::GameHistory& next, std::vector<uint8_t>& path_out) const {
  if (!history || next.plies() < root_plies || !(next.start() == history->start())) return false;
  for (int i = 0; i < root_plies; ++i)
    if (next.facts()[size_t(i)].move != history->facts()[size_t(i)].move) return false;
  // Draws are counted from the root's side: sums made for the other side are of no use.
  if (params.draw_value != 0 && (next.plies() - root_plies) % 2 != 0) return false;
  NodeIndex index = Tree::kRoot;
  for (int i = root_plies; i < next.plies(); ++i) {
    const Node& node = tree[index];
    int edge = 0;
    while (edge < node.child_count && tree.move(node, edge) != next.facts()[size_t(i)].move) ++edge;
    if (edge == node.child_count) return false;
    path_out.push_back(uint8_t(edge));
    index = node.children + NodeIndex(edge);
  }
  return true;
}

int Search::Impl::best_puct_edge() const {
  const Node& root = tree.root();
  int best = 0;
  for (int i = 1; i < root.child_count; ++i) {
    const Node &a = tree[root.children + NodeIndex(i)], &b = tree[root.children + NodeIndex(best)];
    if (proof_rank(a) != proof_rank(b)) {
      if (proof_rank(a) > proof_rank(b)) best = i;
    } else if (a.visits > b.visits || (a.visits == b.visits && a.visits > 0 && -a.value() > -b.value())) {
      best = i;
    }
  }
  return best;
}

// Appends the root's move `edge` and the most visited ones after it.
void Search::Impl::follow(int edge, std::vector<Move>& line) const {
  const Node& root = tree.root();
  line.push_back(tree.move(root, edge));
  if (edge >= root.child_count) return;
  for (const Node* node = &tree[root.children + NodeIndex(edge)]; node->child_count > 0;) {
    const Node* children = &tree[node->children];
    const Node* next = std::max_element(children, children + node->child_count,
                                        [](const Node& a, const Node& b) { return a.visits < b.visits; });
    if (next->visits == 0) break;
    line.push_back(tree.move(*node, int(next - children)));
    node = next;
  }
}

int Search::Impl::best_edge() const {
  return is_gumbel ? gumbel.best(tree, terms) : best_puct_edge();
}

void Search::Impl::fill_moves(SearchResult& result, const MoveList& legal) const {
  const Node& root = tree.root();
  std::vector<double> targets;
  result.value = float(root.value());
  double prior_mass = 0;  // 1 but for the rounding of the priors kept
  for (int i = 0; i < root.edge_count; ++i) prior_mass += double(tree.prior(root, i));
  if (is_gumbel) {
    ImprovedPolicy improved(tree, terms);
    targets = std::move(improved.shares);
    if (root.proof() == Proof::None) result.value = float(improved.value);
  }
  for (const Move move : legal) {
    int edge = 0;
    while (tree.move(root, edge) != move) ++edge;
    const Node& child = tree[root.children + NodeIndex(edge)];
    RootMove& out = result.moves.emplace_back();
    out.move = move;
    out.prior = tree.prior(root, edge);
    out.visits = child.visits;
    out.value = child.visits > 0 ? float(-child.value()) : 0;
    if (is_gumbel) {
      out.target = targets[size_t(edge)];
    } else {
      out.target = root.visits > 1 ? child.visits / double(root.visits - 1) : double(out.prior) / prior_mass;
    }
  }
}

Search::Search(const SearchParams& params, const xiangqi::RuleSet& rules, xiangqi::JudgeMemory* memory)
    : impl_(std::make_unique<Impl>(params, rules, memory)) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

void Search::start(const xiangqi::GameHistory& history, Random random, int visits, bool reuse_tree) {
  Impl& s = *impl_;
  CHUHE_CHECK(s.pending.empty(), "a search starts while rows of the last one are out");
  std::vector<uint8_t> path;
  const bool kept = reuse_tree && s.continues(history, path) && s.tree.reroot(path);
  if (!kept) s.tree.reset();
  s.history = history;
  s.root_plies = history.plies();
  s.ripe = ripe_positions(history, s.rules);
  s.random = random;
  s.budget = visits > 0 ? visits : s.params.visits;
  s.started = 0;
  s.stopped = false;
  s.counters = {};
  if (kept) s.prepare_root();
}

int Search::gather(nn::EvalBatch& batch, int max) {
  return gather(batch, max, std::numeric_limits<int>::max());
}

int Search::gather(nn::EvalBatch& batch, int max, int max_ends) {
  Impl& s = *impl_;
  if (!s.history || s.stopped || max <= 0 || batch.full()) return 0;
  if (!s.tree.root().is_expanded()) {
    if (s.tree.root().in_flight > 0) return 0;
    MoveList legal;
    s.history->current().legal_moves(legal);
    CHUHE_CHECK(!legal.empty(), "a search of a position without a legal move: {}",
                s.history->current().to_fen());
    s.path.assign(1, Tree::kRoot);
    s.edges.clear();
    s.add_row(Tree::kRoot, legal, batch);
    return 1;
  }
  int added = 0, ends = 0;
  for (int collisions = 0;
       added < max && collisions < max && ends < max_ends && !batch.full() && s.can_start();) {
    const Step step = s.simulate(batch);
    switch (step) {
      case Step::Row:
      case Step::End:
        ++(step == Step::Row ? added : ends);
        ++s.started;
        ++s.counters.simulations;
        break;
      case Step::Collision:
        ++s.counters.collisions;
        ++collisions;
        // The halving's schedule counts visits, so a simulation that brings none must leave no trace.
        if (s.is_gumbel) return added;
        s.mark_in_flight(-1);
        break;
    }
  }
  return added;
}

void Search::absorb(const nn::EvalBatch& batch) {
  Impl& s = *impl_;
  for (const Pending& pending : s.pending) s.absorb_row(pending, batch);
  s.pending.clear();
  s.pending_edges.clear();
}

bool Search::done() const {
  const Impl& s = *impl_;
  if (!s.history) return true;
  return s.pending.empty() && (s.stopped || (s.tree.root().is_expanded() && !s.can_start()));
}

void Search::stop() {
  impl_->stopped = true;
}

SearchResult Search::result() const {
  const Impl& s = *impl_;
  CHUHE_CHECK(s.history.has_value(), "no search was started");
  SearchResult result;
  MoveList legal;
  s.history->current().legal_moves(legal);
  const Node& root = s.tree.root();
  if (!root.is_expanded()) {  // stopped before its first evaluation
    for (const Move move : legal)
      result.moves.push_back(
          {.move = move, .prior = 1.0f / float(legal.size()), .target = 1.0 / legal.size()});
    result.best = legal[0];
    result.pv = {legal[0]};
    return result;
  }
  s.fill_moves(result, legal);
  const int best = s.best_edge();
  result.best = s.tree.move(root, best);
  result.visits = root.visits - 1;
  const float draw = float(root.draw) / 65535;
  result.net_value = root.own_value - float(s.params.draw_value * double(draw));
  result.net_wdl[0] = std::max(0.0f, (1 - draw + result.net_value) / 2);
  result.net_wdl[1] = draw;
  result.net_wdl[2] = std::max(0.0f, (1 - draw - result.net_value) / 2);
  result.net_moves_left = float(root.moves_left) / 64;
  s.follow(best, result.pv);
  return result;
}

std::vector<Move> Search::line(Move first) const {
  const Impl& s = *impl_;
  const Node& root = s.tree.root();
  std::vector<Move> out;
  if (!root.is_expanded()) return out;
  for (int edge = 0; edge < root.edge_count; ++edge)
    if (s.tree.move(root, edge) == first) s.follow(edge, out);
  return out;
}

const SearchCounters& Search::counters() const {
  SearchCounters& c = impl_->counters;
  c.nodes = impl_->tree.node_count();
  c.edges = impl_->tree.edge_units() / 2;
  c.bytes = impl_->tree.bytes();
  return c;
}

void Search::audit() const {
  impl_->tree.audit(impl_->tree.root().is_expanded());
}

void Search::forget() {
  impl_->tree.reset();
  impl_->history.reset();
  impl_->pending.clear();
  impl_->pending_edges.clear();
}

SearchResult Search::run(nn::Evaluator& evaluator, const xiangqi::GameHistory& history, Random random,
                         int leaves) {
  start(history, random);
  const auto batch = evaluator.make_batch(leaves);
  while (!done()) {
    batch->clear();
    gather(*batch, leaves);
    if (batch->size() > 0) evaluator.evaluate(*batch);
    absorb(*batch);
  }
  return result();
}

}  // namespace chuhe::mcts
