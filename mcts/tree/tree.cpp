#include "mcts/tree/tree.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"

namespace chuhe::mcts {

using xiangqi::Move;

void Tree::reset() {
  nodes_.clear();
  edges_.clear();
  free_blocks_.fill(kNone);
  nodes_[nodes_.append(1)] = Node();
  node_count_ = 1;
}

NodeIndex Tree::allocate_block(uint32_t capacity) {
  NodeIndex& head = free_blocks_[size_t(std::countr_zero(capacity))];
  if (head == kNone) return NodeIndex(nodes_.append(capacity));
  const NodeIndex first = head;
  head = nodes_[first].children;
  return first;
}

void Tree::free_block(NodeIndex first, uint32_t capacity) {
  NodeIndex& head = free_blocks_[size_t(std::countr_zero(capacity))];
  nodes_[first].children = head;
  head = first;
}

void Tree::set_edges(NodeIndex node, std::span<const Move> moves) {
  const EdgeIndex first = EdgeIndex(edges_.append(2 * moves.size()));
  for (size_t i = 0; i < moves.size(); ++i) edges_[first + i] = moves[i].bits;
  nodes_[node].edges = first;
  nodes_[node].edge_count = uint8_t(moves.size());
}

void Tree::set_priors(NodeIndex index, std::span<const float> priors) {
  Node& node = nodes_[index];
  CHUHE_DCHECK(priors.size() == node.edge_count && node.child_count == 0);
  uint16_t* codes = &edges_[node.edges + node.edge_count];
  for (size_t i = 0; i < priors.size(); ++i) codes[i] = encode_prior(priors[i]);
  order_edge(node, 0);
}

// Brings the highest prior from `position` on, the first of equal ones, to `position`; the others keep their
// order.
void Tree::order_edge(Node& node, int position) {
  uint16_t* moves = &edges_[node.edges];
  uint16_t* codes = moves + node.edge_count;
  int16_t highest = -1;  // signed, since that is the maximum that every x86-64 has
  for (int i = position; i < node.edge_count; ++i) highest = std::max(highest, int16_t(codes[i]));
  int best = position;
  while (codes[best] != uint16_t(highest)) ++best;
  if (best == position) return;
  const uint16_t move = moves[best];
  std::copy_backward(moves + position, moves + best, moves + best + 1);
  std::copy_backward(codes + position, codes + best, codes + best + 1);
  moves[position] = move;
  codes[position] = uint16_t(highest);
}

NodeIndex Tree::add_child(NodeIndex index) {
  const uint32_t count = nodes_[index].child_count, capacity = nodes_[index].child_capacity();
  if (count == capacity) {
    const NodeIndex block = allocate_block(std::max(1u, 2 * capacity));
    const NodeIndex old = nodes_[index].children;
    for (uint32_t i = 0; i < count; ++i) nodes_[block + i] = nodes_[old + i];
    if (count > 0) free_block(old, capacity);
    nodes_[index].children = block;
  }
  Node& node = nodes_[index];
  const NodeIndex child = node.children + count;
  nodes_[child] = Node();
  ++node_count_;
  if (++node.child_count < node.edge_count) order_edge(node, node.child_count);
  return child;
}

void Tree::open_root() {
  Node& node = root();
  const uint32_t count = node.child_count, old_capacity = node.child_capacity(), edges = node.edge_count;
  if (count == edges) return;
  const NodeIndex old = node.children;
  const NodeIndex block = allocate_block(std::bit_ceil(edges));
  for (uint32_t i = 0; i < edges; ++i) nodes_[block + i] = i < count ? nodes_[old + i] : Node();
  if (count > 0) free_block(old, old_capacity);
  Node& opened = root();  // the allocation may have moved it
  opened.children = block;
  opened.child_count = uint8_t(edges);
  node_count_ += edges - count;
  for (uint32_t i = count + 1; i < edges; ++i) order_edge(opened, int(i));
}

bool Tree::reroot(std::span<const uint8_t> path) {
  NodeIndex index = kRoot;
  for (const uint8_t edge : path) {
    if (edge >= nodes_[index].child_count) {
      reset();
      return false;
    }
    index = nodes_[index].children + edge;
  }
  if (!nodes_[index].is_expanded()) {
    reset();
    return false;
  }
  if (index == kRoot) return true;
  Tree kept;
  kept.copy_below(*this, index, kRoot);
  *this = std::move(kept);
  return true;
}

// Returns whether visits were taken out below, so that the parent's sums change too.
bool Tree::copy_below(const Tree& from, NodeIndex source_index, NodeIndex target) {
  const Node& source = from[source_index];
  CHUHE_CHECK(source.in_flight == 0, "a tree with evaluations under way cannot be re-rooted");
  if (source.edges == kEndByPolicy) {
    nodes_[target] = Node();
    return true;
  }
  Node node = source;
  if (source.edge_count > 0) {
    node.edges = EdgeIndex(edges_.append(2 * size_t(source.edge_count)));
    std::copy_n(&from.edges_[source.edges], 2 * source.edge_count, &edges_[node.edges]);
  }
  if (source.child_count > 0) node.children = allocate_block(source.child_capacity());
  node_count_ += source.child_count;
  bool changed = false;
  for (uint32_t i = 0; i < source.child_count; ++i) {
    if (!copy_below(from, source.children + i, node.children + i)) continue;
    const Node &old_child = from[source.children + i], &child = nodes_[node.children + i];
    node.visits -= old_child.visits - child.visits;
    node.value_sum += old_child.value_sum - child.value_sum;
    changed = true;
  }
  nodes_[target] = node;
  return changed;
}

namespace {

std::string path_text(const Tree& tree, const std::vector<uint8_t>& path) {
  std::string text = "root";
  NodeIndex index = Tree::kRoot;
  for (const uint8_t edge : path) {
    text += ' ';
    text += xiangqi::to_uci(tree.move(tree[index], edge));
    index = tree[index].children + edge;
  }
  return text;
}

// Sums of thousands of values in double precision.
constexpr double kSumTolerance = 1e-6;

}  // namespace

#define CHUHE_AUDIT(condition, ...) \
  CHUHE_CHECK(condition, "{}", path_text(*this, path) + ": " + fmt::format(__VA_ARGS__))

void Tree::audit_node(NodeIndex index, bool is_open, std::vector<uint8_t>& path, size_t& seen) const {
  CHUHE_AUDIT(index < nodes_.size(), "node {} of {}", index, nodes_.size());
  const Node& node = nodes_[index];
  ++seen;
  CHUHE_AUDIT(std::abs(node.value_sum) <= node.visits + kSumTolerance, "value sum {} of {} visits",
              node.value_sum, node.visits);
  CHUHE_AUDIT(node.child_count <= node.edge_count, "{} children of {} edges", node.child_count,
              node.edge_count);
  if (node.edge_count == 0) {
    CHUHE_AUDIT(node.is_end() ? node.visits > 0 : node.edges == kNone && node.visits == 0,
                "no edges, {} visits", node.visits);
    CHUHE_AUDIT(std::abs(node.value_sum - double(node.own_value) * node.visits) <= kSumTolerance,
                "an end worth {} sums to {}", node.own_value, node.value_sum);
    return;
  }
  CHUHE_AUDIT(size_t(node.edges) + 2u * node.edge_count <= edges_.size(), "edges at {}", node.edges);
  if (node.visits == 0) {
    CHUHE_AUDIT(node.in_flight > 0 && node.child_count == 0, "edges without an evaluation on its way");
    return;
  }
  CHUHE_AUDIT(!is_open || node.child_count == node.edge_count, "the root is not open");
  double mass = 0;
  for (int i = 0; i < node.edge_count; ++i) {
    mass += prior(node, i);
    const int sorted = std::min<int>(i, node.child_count);
    CHUHE_AUDIT(sorted == 0 || prior_code(node, sorted - 1) >= prior_code(node, i), "edge {} out of order",
                i);
    CHUHE_AUDIT(bool(move(node, i)), "edge {} has no move", i);
  }
  CHUHE_AUDIT(std::abs(mass - 1) < 2e-3, "priors sum to {}", mass);
  uint64_t visits = 1, in_flight = 0;
  double sum = 0;
  for (int i = 0; i < node.child_count; ++i) {
    path.push_back(uint8_t(i));
    audit_node(node.children + uint32_t(i), false, path, seen);
    path.pop_back();
    const Node& child = nodes_[node.children + uint32_t(i)];
    visits += child.visits;
    in_flight += child.in_flight;
    sum -= child.value_sum;
  }
  // Simulations end at a node once it is proven.
  const uint64_t ended = node.proof() == Proof::None ? 0 : node.visits - visits;
  CHUHE_AUDIT(visits + ended == node.visits, "{} visits, its children make {}", node.visits, visits);
  CHUHE_AUDIT(in_flight == node.in_flight, "{} in flight, its children make {}", node.in_flight, in_flight);
  if (ended > 0) sum += double(ended) * node.value();
  CHUHE_AUDIT(std::abs(node.value_sum - sum - double(node.own_value)) <= kSumTolerance * (1 + std::abs(sum)),
              "value sum {}, children and own make {}", node.value_sum, sum + node.own_value);
}

#undef CHUHE_AUDIT

void Tree::audit(bool root_open) const {
  std::vector<uint8_t> path;
  size_t seen = 0;
  audit_node(kRoot, root_open, path, seen);
  CHUHE_CHECK(seen == node_count_, "{} nodes counted, {} reached", node_count_, seen);
  // Every place belongs to the root, to one node's block or to one free block.
  std::vector<uint8_t> owned(nodes_.size(), 0);
  const auto own = [&](NodeIndex first, uint32_t capacity) {
    for (uint32_t i = 0; i < capacity; ++i) {
      CHUHE_CHECK(first + i < owned.size() && !owned[first + i], "place {} is used twice", first + i);
      owned[first + i] = 1;
    }
  };
  own(kRoot, 1);
  std::vector<NodeIndex> todo = {kRoot};
  while (!todo.empty()) {
    const Node& node = nodes_[todo.back()];
    todo.pop_back();
    if (node.child_count > 0) own(node.children, node.child_capacity());
    for (uint32_t i = 0; i < node.child_count; ++i) todo.push_back(node.children + i);
  }
  for (size_t size = 0; size < free_blocks_.size(); ++size)
    for (NodeIndex block = free_blocks_[size]; block != kNone; block = nodes_[block].children)
      own(block, 1u << size);
  CHUHE_CHECK(std::count(owned.begin(), owned.end(), 0) == 0, "places without an owner");
}

}  // namespace chuhe::mcts
