#pragma once
// One search of one position, over any evaluator. It has no thread, clock or file; one owner. The caller
// drives it:
//
//   search.start(history, random);
//   while (!search.done()) {
//     batch.clear();
//     search.gather(batch, max);
//     if (batch.size() > 0) evaluator.evaluate(batch);
//     search.absorb(batch);
//   }
//
// which is what run() does. Many searches may share a batch: each remembers its own rows. What the search
// does and why: docs/search.md.

#include <memory>
#include <vector>

#include "base/random.h"
#include "mcts/search/search_params.h"
#include "nn/api/evaluator.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::mcts {

struct RootMove {
  xiangqi::Move move;
  float prior = 0;  // of the net, without noise
  uint32_t visits = 0;
  float value = 0;    // from the root's side to move: proven (1, -1), or the mean of its visits; 0 without
  double target = 0;  // share of the training target (see SearchResult)
};

struct SearchResult {
  /// A proven win if there is one, and no proven loss if that can be helped; then PUCT: most visits (ties:
  /// the better value, then the higher prior); Gumbel: the last survivor of the halving.
  xiangqi::Move best;
  std::vector<RootMove> moves;  // all legal moves, in the order of legal_moves()
  uint32_t visits = 0;          // of all moves, a reused subtree's included, the root's own evaluation not
  /// Of the root, from its side to move: proven, else PUCT: the mean of its visits; Gumbel: the mean of the
  /// completed values under the target (the plain mean would be that of moves tried on purpose).
  float value = 0;
  float net_value = 0;  // the net's win - loss for the root
  float net_wdl[3] = {0, 1, 0};
  float net_moves_left = 0;
  std::vector<xiangqi::Move> pv;
  // RootMove::target, the training target, summing to 1 over moves: PUCT visits (noise-forced ones included);
  // Gumbel softmax(logits
  // + sigma(completed Q)).
};

/// Since start(). A simulation ends in a row (an evaluation), an end of the game or a proven node; the root's
/// own row is none.
struct SearchCounters {
  uint64_t simulations = 0, rows = 0, terminals = 0, judged_repetitions = 0, collisions = 0;
  size_t nodes = 0, edges = 0, bytes = 0;
  int max_depth = 0;
};

class Search {
 public:
  /// `memory` (of the same rule set, must outlive the search) lets many searches share what the judge found
  /// out; without it the search keeps its own. Results do not depend on it.
  Search(const SearchParams& params, const xiangqi::RuleSet& rules, xiangqi::JudgeMemory* memory = nullptr);
  ~Search();
  Search(Search&&) noexcept;
  Search& operator=(Search&&) noexcept;

  /// Starts on the history's current position, which must have a legal move. Copies the history. If the
  /// position continues the last search's (its moves extend the previous ones and reuse is on), that subtree
  /// is kept; noise is mixed in again. `visits` > 0 overrides params.visits for this search. So many
  /// simulations are made in any case: what a kept subtree holds comes on top.
  void start(const xiangqi::GameHistory& history, Random random, int visits = 0, bool reuse_tree = false);
  /// Appends up to `max` leaves to the batch and remembers their rows; ends that the rules decide are backed
  /// up at once. Returns the number appended; 0 means that nothing can be evaluated now: either done(), or
  /// results are awaited.
  int gather(nn::EvalBatch& batch, int max);
  /// The same, but returns after `max_ends` ends at the latest, whatever it has appended: near a mate nearly
  /// every simulation is one, and a program that must answer a `stop` cannot wait for `max` leaves.
  int gather(nn::EvalBatch& batch, int max, int max_ends);
  /// Takes the results of the rows gathered since the last absorb; call it even if this search added none.
  void absorb(const nn::EvalBatch& batch);
  bool done() const;
  /// Ends the search at its present visits (time is up). Rows that are out must still be absorbed.
  void stop();
  SearchResult result() const;
  /// The expected play after one of the root's moves, that move first; empty before the root's evaluation.
  std::vector<xiangqi::Move> line(xiangqi::Move first) const;
  const SearchCounters& counters() const;
  /// Checks the tree's invariants; a failed check names the node.
  void audit() const;
  void forget();  // drops the tree (ucinewgame)

  /// The ten-line loop, gathering up to `leaves` rows at once.
  SearchResult run(nn::Evaluator& evaluator, const xiangqi::GameHistory& history, Random random,
                   int leaves = 1);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chuhe::mcts
