#pragma once
// The searches again, written to be obviously right instead of fast: a map from move paths to nodes,
// recursion, every formula computed from scratch over all edges, std::log and std::exp, a rules check of its
// own. One leaf at a time.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "mcts/search/search_params.h"
#include "nn/api/evaluator.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::test {

struct SlowNode {
  std::vector<xiangqi::Move> moves;  // by prior, highest first; equal ones in the order of legal_moves()
  std::vector<double> priors;
  double own_value = 0;  // of its evaluation or end, from its mover's side
  bool is_end = false;
  int visits = 0;
  double sum = 0;
  int proof = 0;  // 1: the mover wins by force, -1: loses
  double mean() const { return sum / visits; }
  double value() const { return proof != 0 ? proof : mean(); }
};

class SlowSearch {
 public:
  SlowSearch(const mcts::SearchParams& params, nn::Evaluator& evaluator, const xiangqi::GameHistory& root,
             Random random);
  void run(int simulations);

  int visits(xiangqi::Move move) const;
  double value(xiangqi::Move move) const;  // from the root's side
  double target(xiangqi::Move move) const;
  double root_value() const;
  xiangqi::Move best() const;
  size_t visited_nodes() const { return nodes_.size(); }

 private:
  using Path = std::vector<uint16_t>;
  double simulate(const Path& path, xiangqi::GameHistory history);
  SlowNode evaluate(const Path& path, const xiangqi::GameHistory& history);
  struct End {
    double value;
    bool proven;  // a win or loss that does not hang on the policy of repetitions
  };
  std::vector<double> closing_first(const Path& path, const xiangqi::GameHistory& history,
                                    std::span<const float> priors) const;
  std::optional<End> end_of(const xiangqi::GameHistory& history) const;
  int prove(const Path& path, const SlowNode& node) const;
  const SlowNode* child(const Path& path, const SlowNode& node, int edge) const;
  int select(const Path& path) const;
  int select_puct(const Path& path, const SlowNode& node) const;
  int select_gumbel(const Path& path, const SlowNode& node) const;
  int select_gumbel_root() const;
  std::vector<double> sigmas(const Path& path, const SlowNode& node) const;
  std::vector<double> improved_policy(const Path& path, const SlowNode& node) const;
  std::vector<double> completed_q(const Path& path, const SlowNode& node) const;
  int edge_of(xiangqi::Move move) const;
  std::vector<double> noisy_root_priors(const SlowNode& node);

  mcts::SearchParams params_;
  nn::Evaluator& evaluator_;
  xiangqi::GameHistory root_;
  Random random_;
  std::map<Path, SlowNode> nodes_;
  std::vector<double> root_priors_;
  std::vector<double> root_gumbels_;
  std::vector<int> considered_visits_;
  int simulation_ = 0;
};

}  // namespace chuhe::test
