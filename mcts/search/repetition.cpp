#include "mcts/search/repetition.h"

#include <algorithm>

#include "base/error.h"

namespace chuhe::mcts {

FirstRepetition first_repetition(const std::string& name) {
  if (name == "first") return FirstRepetition::Judged;
  if (name == "draw") return FirstRepetition::Drawn;
  if (name == "rule") return FirstRepetition::PlayedOn;
  throw Error("tree_repetition '{}': expected first, draw or rule", name);
}

std::vector<uint64_t> ripe_positions(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules) {
  std::vector<uint64_t> ripe;
  const auto facts = history.facts();
  if (facts.empty() || rules.repetition_count == 0) return ripe;
  for (const auto& f : facts.last(size_t(std::min<int>(facts.back().reversible, history.plies()))))
    if (f.occurrences + 1 >= rules.repetition_count) ripe.push_back(f.key);
  return ripe;
}

MoveSet closing_moves(const xiangqi::GameHistory& history, const xiangqi::MoveList& legal,
                      std::span<const uint64_t> ripe, int depth) {
  MoveSet closing;
  if (ripe.empty() || depth == 0 || history.facts().back().reversible < depth) return closing;
  for (int i = 0; i < legal.size(); ++i) {
    if (!history.current().empty(legal[i].to())) continue;
    xiangqi::Position next = history.current();
    next.play(legal[i]);
    closing[size_t(i)] = std::find(ripe.begin(), ripe.end(), next.key()) != ripe.end();
  }
  return closing;
}

std::vector<float> closing_first(std::span<const float> priors, const MoveSet& closing) {
  const double first = 1.01 * double(*std::max_element(priors.begin(), priors.end()));
  std::vector<float> out;
  double sum = 0;
  for (size_t i = 0; i < priors.size(); ++i) sum += closing[i] ? first : double(priors[i]);
  for (size_t i = 0; i < priors.size(); ++i)
    out.push_back(float((closing[i] ? first : double(priors[i])) / sum));
  return out;
}

}  // namespace chuhe::mcts
