#pragma once
// What the tree is made of. A node is one position on one path from the root; its children lie side by side,
// and its edges (all legal moves with their priors) lie in a pool of their own:
//
//   nodes   ... | P | ...            | c0 | c1 | c2 | -- | ...        32 bytes each; a block of 1, 2, 4 .. 128
//                 | |                  ^ P.children: child i is the position after edge i
//                 | +------------------+
//                 v P.edges
//   edges   ... | m0 m1 m2 m3 .. mk | p0 p1 p2 p3 .. pk | ...          2 + 2 bytes per legal move, in units of 16 bits
//                 moves               priors, 16-bit floats
//
// A child gets a node when it is first visited, and that is always the edge of the highest prior among those
// not visited yet: unvisited children differ in nothing else. So the visited ones are the edges 0 ..
// child_count - 1, and only they and the edge after them need a look. Edges are put in order lazily: the
// first child_count + 1 are sorted (by prior, then in the order of legal_moves()), the others still lie
// behind in the order of legal_moves(). Most nodes never get a second child, so most edges are never sorted.
//
// At the root all children have nodes from the start: noise and Gumbel's sampling choose among them in
// another order.
//
// Bytes per node: 32 + 4 per legal move (about 40 in the middle of a game), plus the spare places of child
// blocks, which grow by doubling: 200 to 230 in all (docs/search.md has what was measured).

#include <bit>
#include <cstdint>

namespace chuhe::mcts {

using NodeIndex = uint32_t;
using EdgeIndex = uint32_t;
constexpr uint32_t kNone = 0xffffffff;
/// Node::edges of an end of the game. The second kind was decided by the policy tree_repetition, which
/// depends on where the root is: it does not survive re-rooting.
constexpr uint32_t kEndByRule = 0xfffffffe, kEndByPolicy = 0xfffffffd;

/// What the rules prove for the side to move, whatever is played: from mates and other ends by rule, up the
/// tree.
enum class Proof : uint8_t { None = 0, Win = 1, Loss = 2 };
constexpr int kMaxInFlight = (1 << 14) - 1;

/// All values are from the side to move at the node.
struct Node {
  double value_sum = 0;        // over the visits
  uint32_t visits = 0;         // simulations that passed or ended here, the node's own evaluation among them
  EdgeIndex edges = kNone;     // first of its 2 * edge_count units; kNone before evaluation, or kEnd...
  NodeIndex children = kNone;  // first of its block of bit_ceil(child_count)
  float own_value = 0;  // what the node's own evaluation, or its end, is worth: draws counted at draw_value
  uint16_t draw = 0;    // the net's draw share, in units of 1/65535
  uint16_t moves_left = 0;      // the net's, in 1/64 plies
  uint16_t in_flight : 14 = 0;  // simulations below here, or ending here, whose evaluation is awaited
  uint16_t proof_code : 2 = 0;  // Proof
  uint8_t edge_count = 0;
  uint8_t child_count = 0;

  bool is_end() const { return edges == kEndByRule || edges == kEndByPolicy; }
  bool is_expanded() const { return visits > 0 && edge_count > 0; }
  uint32_t child_capacity() const { return child_count == 0 ? 0 : std::bit_ceil(uint32_t(child_count)); }
  Proof proof() const { return Proof(proof_code); }
  void prove(Proof p) { proof_code = uint16_t(p) & 3; }
  double mean() const { return value_sum / visits; }
  /// The best knowledge of its value: proven, or the mean of its visits (there must be some).
  double value() const { return proof_code == 0 ? mean() : proof() == Proof::Win ? 1.0 : -1.0; }
};
static_assert(sizeof(Node) == 32 && alignof(Node) == 8);

/// Priors in 16 bits: 5 of exponent and 10 of mantissa (so it fits a signed 16-bit lane), 2^-31 .. 1,
/// relative error below 2^-11. Smaller ones, 0 included, become 2^-31: a logarithm always exists.
constexpr uint32_t kPriorBase = (127u - 31) << 23;
constexpr uint16_t encode_prior(float p) {
  const uint32_t bits = std::bit_cast<uint32_t>(p);
  if (bits <= kPriorBase || p < 0) return 0;
  const uint32_t code = (bits - kPriorBase + (1u << 12)) >> 13;
  return uint16_t(code < (31u << 10) ? code : 31u << 10);
}
constexpr float decode_prior(uint16_t code) {
  return std::bit_cast<float>((uint32_t(code) << 13) + kPriorBase);
}
static_assert(decode_prior(encode_prior(1.0f)) == 1.0f && decode_prior(encode_prior(0.0f)) > 0);

}  // namespace chuhe::mcts
