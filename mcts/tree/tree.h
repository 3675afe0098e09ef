#pragma once
// The arena of one search tree: nodes and edges by 32-bit index (layout: node.h). One owner, no locks.
// References to nodes hold until the next add_child() or set_edges(); indices of children hold until their
// parent gets another child.

#include <array>
#include <span>
#include <vector>

#include "mcts/tree/node.h"
#include "mcts/tree/pool.h"
#include "xiangqi/board/types.h"

namespace chuhe::mcts {

class Tree {
 public:
  Tree() { reset(); }

  /// Only the root is left, fresh.
  void reset();
  static constexpr NodeIndex kRoot = 0;
  Node& operator[](NodeIndex i) { return nodes_[i]; }
  const Node& operator[](NodeIndex i) const { return nodes_[i]; }
  Node& root() { return nodes_[kRoot]; }
  const Node& root() const { return nodes_[kRoot]; }

  xiangqi::Move move(const Node& node, int edge) const {
    return xiangqi::Move::of_bits(edges_[node.edges + uint32_t(edge)]);
  }
  uint16_t prior_code(const Node& node, int edge) const {
    return edges_[node.edges + node.edge_count + uint32_t(edge)];
  }
  float prior(const Node& node, int edge) const { return decode_prior(prior_code(node, edge)); }
  const uint16_t* prior_codes(const Node& node) const { return &edges_[node.edges + node.edge_count]; }

  /// Gives an unevaluated node its legal moves (1 to 128); their priors follow in set_priors, in the same
  /// order.
  void set_edges(NodeIndex node, std::span<const xiangqi::Move> moves);
  void set_priors(NodeIndex node, std::span<const float> priors);
  /// The node of edge child_count, which becomes a visited one. May move the node's other children.
  NodeIndex add_child(NodeIndex node);
  /// Gives all edges of the root a node, and puts all of them in order.
  void open_root();

  /// Makes the position reached by `path` (edge numbers) the root; everything that is not below it is given
  /// up. False, and an empty tree, if there is no evaluated node. Ends decided by policy become unvisited and
  /// their visits are taken out.
  bool reroot(std::span<const uint8_t> path);

  /// Nodes in use, the spare places of child blocks not counted; units of edges; all memory held.
  size_t node_count() const { return node_count_; }
  size_t edge_units() const { return edges_.size(); }
  size_t bytes() const { return nodes_.bytes() + edges_.bytes(); }
  /// Places taken in the arena, and whether one more simulation surely fits into `max_nodes` of them.
  size_t places() const { return nodes_.size(); }
  bool has_room(size_t max_nodes) const {
    return nodes_.size() + 2 * xiangqi::kMaxMoves <= max_nodes &&
           edges_.size() + 2 * xiangqi::kMaxMoves < kEndByPolicy;
  }

  /// Checks every node's invariants; a failed check names the node by its path.
  void audit(bool root_open) const;

 private:
  NodeIndex allocate_block(uint32_t capacity);
  void free_block(NodeIndex first, uint32_t capacity);
  void order_edge(Node& node, int position);
  bool copy_below(const Tree& from, NodeIndex source, NodeIndex target);
  void audit_node(NodeIndex index, bool is_open, std::vector<uint8_t>& path, size_t& seen) const;

  Pool<Node> nodes_;
  Pool<uint16_t> edges_;
  std::array<NodeIndex, 8> free_blocks_;  // by log2 of the capacity; linked through Node::children
  size_t node_count_ = 0;
};

}  // namespace chuhe::mcts
