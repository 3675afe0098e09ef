#include "mcts/tree/tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace chuhe::mcts {
namespace {

using xiangqi::Move;

TEST(Prior, KeepsElevenBits) {
  for (double p = 1; p > 1e-9; p *= 0.937) {
    const double kept = double(decode_prior(encode_prior(float(p))));
    EXPECT_NEAR(kept / p, 1, 1.0 / 2048) << p;
  }
  EXPECT_EQ(encode_prior(1.5f), encode_prior(1.0f));
  EXPECT_EQ(encode_prior(-1.0f), encode_prior(0.0f));
  EXPECT_GT(decode_prior(encode_prior(0.0f)), 0.0f);
}

std::vector<Move> some_moves(int n) {
  std::vector<Move> moves;
  for (int i = 0; i < n; ++i) moves.push_back(Move(xiangqi::Square(i % 90), xiangqi::Square((i + 1) % 90)));
  return moves;
}

// A root of `priors.size()` edges with one visit.
Tree evaluated_root(const std::vector<float>& priors) {
  Tree tree;
  tree.set_edges(Tree::kRoot, some_moves(int(priors.size())));
  tree.set_priors(Tree::kRoot, priors);
  tree.root().visits = 1;
  return tree;
}

TEST(Tree, ChildrenComeByPriorAndEqualOnesInOrder) {
  Tree tree = evaluated_root({0.125f, 0.25f, 0.125f, 0.25f, 0.125f, 0.125f});
  const auto moves = some_moves(6);
  std::vector<Move> order;
  for (int i = 0; i < 6; ++i) {
    tree.add_child(Tree::kRoot);
    order.push_back(tree.move(tree.root(), i));
  }
  EXPECT_EQ(order, (std::vector{moves[1], moves[3], moves[0], moves[2], moves[4], moves[5]}));
  EXPECT_EQ(tree.node_count(), 7u);
}

TEST(Tree, BlocksAreUsedAgain) {
  Tree tree = evaluated_root(std::vector<float>(64, 1.0f / 64));
  for (int i = 0; i < 64; ++i) tree.add_child(Tree::kRoot);
  const size_t places = tree.places();
  EXPECT_EQ(places, 1u + 1 + 2 + 4 + 8 + 16 + 32 + 64);
  // The blocks that the root outgrew serve a child.
  const NodeIndex child = tree.root().children;
  tree.set_edges(child, some_moves(20));
  tree.set_priors(child, std::vector<float>(20, 0.05f));
  tree[child].visits = 1;
  tree.root().visits = 2;
  for (int i = 0; i < 20; ++i) tree.add_child(child);
  EXPECT_EQ(tree.places(), places);
  tree.audit(true);
}

TEST(Tree, AuditNamesTheNode) {
  Tree tree = evaluated_root({0.5f, 0.25f, 0.25f});
  tree.open_root();
  tree.audit(true);
  tree.root().visits = 3;
  EXPECT_DEATH(tree.audit(true), "root: 3 visits, its children make 1");
  tree.root().visits = 2;
  const NodeIndex child = tree.root().children;
  tree[child].visits = 1;
  EXPECT_DEATH(tree.audit(true), "root a0b0: no edges, 1 visits");
  tree[child].edges = kEndByRule;
  tree[child].own_value = 1;
  EXPECT_DEATH(tree.audit(true), "root a0b0: an end worth 1");
  tree[child].value_sum = 1;
  EXPECT_DEATH(tree.audit(true), "root: value sum 0");
  tree.root().value_sum = -1;
  tree.audit(true);
  tree[child].value_sum = 2;
  EXPECT_DEATH(tree.audit(true), "root a0b0: value sum 2 of 1 visits");
}

TEST(Tree, AuditSeesLostChildren) {
  Tree tree = evaluated_root({0.5f, 0.25f, 0.25f});
  tree.add_child(Tree::kRoot);
  tree.add_child(Tree::kRoot);
  tree.audit(false);
  EXPECT_DEATH(tree.audit(true), "not open");
  tree.root().child_count = 1;
  EXPECT_DEATH(tree.audit(false), "3 nodes counted, 2 reached");
}

// root -> a (end by policy), b -> c
TEST(Tree, RerootingTakesPolicyEndsOut) {
  Tree tree = evaluated_root({0.5f, 0.5f});
  tree.open_root();
  const NodeIndex b = tree.root().children + 1;
  tree.set_edges(b, some_moves(3));
  tree.set_priors(b, std::vector<float>{0.5f, 0.3f, 0.2f});
  tree[b].own_value = 0.25f;
  tree.add_child(b);
  tree.add_child(b);
  const NodeIndex end = tree[b].children, leaf = end + 1;
  tree[end] = {.value_sum = -3, .visits = 3, .edges = kEndByPolicy, .own_value = -1};
  tree.set_edges(leaf, some_moves(1));
  tree.set_priors(leaf, std::vector<float>{1.0f});
  tree[leaf].visits = 1;
  tree[leaf].value_sum = tree[leaf].own_value = 0.5f;
  tree[b].visits = 5;
  tree[b].value_sum = 0.25 + 3 - 0.5;
  tree.root().visits = 6;
  tree.root().value_sum = -2.75;
  tree.audit(true);
  ASSERT_TRUE(tree.reroot(std::vector<uint8_t>{1}));
  tree.audit(false);
  EXPECT_EQ(tree.node_count(), 3u);
  EXPECT_EQ(tree.root().visits, 2u);
  EXPECT_DOUBLE_EQ(tree.root().value_sum, 0.25 - 0.5);
  EXPECT_EQ(tree[tree.root().children].visits, 0u);
  tree.open_root();
  tree.audit(true);
}

TEST(Tree, RerootingToAnUnvisitedNodeEmptiesTheTree) {
  Tree tree = evaluated_root({0.5f, 0.5f});
  tree.open_root();
  EXPECT_FALSE(tree.reroot(std::vector<uint8_t>{1}));
  EXPECT_EQ(tree.node_count(), 1u);
  EXPECT_EQ(tree.root().visits, 0u);
}

}  // namespace
}  // namespace chuhe::mcts
