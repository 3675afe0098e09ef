#include "gauntlet/suite_score.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "mcts/search/search.h"
#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"

namespace chuhe::gauntlet {

using xiangqi::GameHistory;
using xiangqi::Move;
using xiangqi::MoveList;

namespace {

constexpr double kNearer = 0.5;  // half way between a draw and a win

bool contains(const std::vector<Move>& moves, Move m) {
  return std::find(moves.begin(), moves.end(), m) != moves.end();
}

/// Grades a choice between `chosen`, which are equally good to the net.
void grade(SuiteAnswer& answer, const SuitePosition& asked, const std::vector<Move>& chosen) {
  int best = 0, sound = 0;
  for (const Move m : chosen) {
    best += contains(asked.best, m);
    sound += contains(asked.best, m) || contains(asked.also, m);
  }
  answer.move = chosen.front();
  answer.best = double(best) / double(chosen.size());
  answer.sound = double(sound) / double(chosen.size());
}

SuiteAnswer policy_answer(const SuitePosition& asked, const MoveList& legal, std::span<const float> priors,
                          double value) {
  SuiteAnswer answer;
  const float greatest = *std::max_element(priors.begin(), priors.end());
  std::vector<Move> chosen;
  for (int i = 0; i < legal.size(); ++i) {
    if (priors[size_t(i)] == greatest) chosen.push_back(legal[i]);
    if (contains(asked.best, legal[i])) answer.mass += double(priors[size_t(i)]);
  }
  grade(answer, asked, chosen);
  answer.value = value;
  return answer;
}

SuiteAnswer search_answer(const SuitePosition& asked, const mcts::SearchResult& result) {
  SuiteAnswer answer;
  grade(answer, asked, {result.best});
  for (const mcts::RootMove& m : result.moves)
    if (contains(asked.best, m.move)) answer.mass += m.target;
  answer.value = double(result.value);
  return answer;
}

GameHistory history_of(const SuitePosition& asked, const xiangqi::RuleSet& rules) {
  return GameHistory(asked.position, rules.natural_limit_checks);
}

std::vector<SuiteAnswer> ask_policy(nn::Evaluator& evaluator, nn::EvalBatch& batch, const Suite& suite,
                                    const xiangqi::RuleSet& rules) {
  std::vector<SuiteAnswer> answers;
  for (size_t from = 0; from < suite.positions.size(); from += kSuiteBatch) {
    const auto part = std::span(suite.positions)
                          .subspan(from, std::min<size_t>(kSuiteBatch, suite.positions.size() - from));
    batch.clear();
    for (const SuitePosition& asked : part) {
      const MoveList legal = asked.position.legal_moves();
      std::vector<uint16_t> indices(size_t(legal.size()));
      nn::policy_indices(legal, asked.position.side_to_move(), indices.data());
      batch.add(nn::pack(history_of(asked, rules), rules), indices);
    }
    evaluator.evaluate(batch);
    for (size_t i = 0; i < part.size(); ++i)
      answers.push_back(policy_answer(part[i], part[i].position.legal_moves(), batch.priors(int(i)),
                                      double(batch.wdl(int(i)).value())));
  }
  return answers;
}

/// Many searches share a batch, each with one leaf out: that is how a search goes that is alone.
std::vector<SuiteAnswer> ask_searches(nn::Evaluator& evaluator, nn::EvalBatch& batch, const Suite& suite,
                                      int visits, const xiangqi::RuleSet& rules,
                                      const mcts::SearchParams& params) {
  std::vector<SuiteAnswer> answers;
  for (size_t from = 0; from < suite.positions.size(); from += kSuiteBatch) {
    const auto part = std::span(suite.positions)
                          .subspan(from, std::min<size_t>(kSuiteBatch, suite.positions.size() - from));
    std::vector<mcts::Search> searches;
    for (const SuitePosition& asked : part) {
      searches.emplace_back(params, rules);
      searches.back().start(history_of(asked, rules), Random(1, "suite", hash_text(asked.id)), visits);
    }
    const auto done = [](const mcts::Search& s) { return s.done(); };
    while (!std::all_of(searches.begin(), searches.end(), done)) {
      batch.clear();
      for (mcts::Search& search : searches)
        if (!search.done()) search.gather(batch, 1);
      if (batch.size() > 0) evaluator.evaluate(batch);
      for (mcts::Search& search : searches) search.absorb(batch);
    }
    for (size_t i = 0; i < part.size(); ++i) answers.push_back(search_answer(part[i], searches[i].result()));
  }
  return answers;
}

struct Average {
  double sum = 0;
  int count = 0;
  void add(double x) {
    sum += x;
    ++count;
  }
  Mean mean() const { return count > 0 ? Mean(sum / count) : Mean(); }
};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    words.emplace_back(text.substr(from, to - from));
    from = to + 1;
  }
  return words;
}

}  // namespace

std::string metric_name(const Suite& suite, std::string_view what) {
  return fmt::format("suite/{}/{}", suite.name, what);
}

MetricList suite_metrics(const Suite& suite, const std::vector<SuiteAnswers>& levels) {
  MetricList metrics;
  const auto add = [&](std::string_view what, Mean mean) {
    if (mean) metrics.emplace_back(metric_name(suite, what), *mean);
  };
  for (const SuiteAnswers& level : levels) {
    const SuiteTally t = tally(suite, level);
    add(level_name(level.visits), t.best);
    if (level.visits > 0) continue;
    add("mass", t.mass);
    add("sign", t.sign);
    add("error", t.error);
  }
  return metrics;
}

mcts::SearchParams suite_search() {
  mcts::SearchParams params;
  params.algorithm = "gumbel";
  params.gumbel_scale = 0;
  params.noise_share = 0;
  return params;
}

std::vector<SuiteAnswers> ask_suite(nn::Evaluator& evaluator, const Suite& suite,
                                    const std::vector<int>& visits, const xiangqi::RuleSet& rules,
                                    const mcts::SearchParams& search) {
  const auto batch = evaluator.make_batch(kSuiteBatch);
  std::vector<SuiteAnswers> levels;
  for (const int v : visits)
    levels.push_back({v, v == 0 ? ask_policy(evaluator, *batch, suite, rules)
                                : ask_searches(evaluator, *batch, suite, v, rules, search)});
  return levels;
}

SuiteTally tally(const Suite& suite, const SuiteAnswers& answers, std::string_view theme) {
  CHUHE_CHECK(answers.answers.size() == suite.positions.size());
  SuiteTally t;
  Average best, sound, mass, sign, result, error;
  for (size_t i = 0; i < suite.positions.size(); ++i) {
    const SuitePosition& asked = suite.positions[i];
    const SuiteAnswer& answer = answers.answers[i];
    if (!theme.empty() && asked.theme != theme) continue;
    ++t.positions;
    if (!asked.best.empty()) {
      best.add(answer.best);
      sound.add(answer.sound);
      mass.add(answer.mass);
    }
    if (!asked.result) continue;
    const double known = double(*asked.result);
    if (known != 0) sign.add(answer.value * known > 0);
    result.add(std::abs(answer.value - known) < kNearer);
    error.add(std::abs(answer.value - known));
  }
  t.best = best.mean();
  t.sound = sound.mean();
  t.mass = mass.mean();
  t.sign = sign.mean();
  t.result = result.mean();
  t.error = error.mean();
  return t;
}

std::vector<std::string> themes_of(const Suite& suite) {
  std::vector<std::string> themes;
  for (const SuitePosition& p : suite.positions)
    if (std::find(themes.begin(), themes.end(), p.theme) == themes.end()) themes.push_back(p.theme);
  return themes;
}

void SuiteSettings::describe(Fields& f) {
  f("names", names,
    "suites of known positions that nets are asked beside their rating, comma separated: patterns, mates, "
    "endings, "
    "compositions, or files (docs/suites.md); \"\" = none");
  f("visits", visits, "visits of these answers, comma separated; 0 = the policy alone");
}

std::vector<Suite> SuiteSettings::open() const {
  std::vector<Suite> suites;
  for (const std::string& name : words_of(names)) {
    suites.push_back(open_suite(name));
    for (size_t i = 0; i + 1 < suites.size(); ++i)
      if (suites[i].name == suites.back().name)
        throw Error("suite.names: '{}' is there twice", suites.back().name);
  }
  return suites;
}

std::vector<int> SuiteSettings::visit_counts() const {
  return parse_visits(visits, "suite.visits");
}

std::vector<int> parse_visits(std::string_view text, std::string_view where) {
  std::vector<int> counts;
  for (const std::string& word : words_of(text)) {
    int n = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (error != std::errc() || end != word.data() + word.size() || n < 0 || n > 1'000'000)
      throw Error("{}: '{}', expected whole numbers from 0 to 1000000 with commas between them, such as 0,16",
                  where, word);
    if (std::find(counts.begin(), counts.end(), n) != counts.end())
      throw Error("{}: {} is there twice", where, n);
    counts.push_back(n);
  }
  if (counts.empty()) throw Error("{}: is empty, expected numbers of visits such as 0,16", where);
  return counts;
}

std::string level_name(int visits) {
  return visits == 0 ? "policy" : fmt::format("visits{}", visits);
}

std::string summary_of(const Suite& suite, const std::vector<SuiteAnswers>& levels) {
  const auto text = [](Mean m) { return m ? fmt::format("{:.3f}", *m) : std::string("none"); };
  std::string line = "suite=" + suite.name;
  for (const SuiteAnswers& level : levels) {
    const SuiteTally t = tally(suite, level);
    line += fmt::format(" {}={}", level_name(level.visits), text(t.best));
    if (level.visits == 0) line += fmt::format(" mass={}", text(t.mass));
  }
  const SuiteTally first = tally(suite, levels.front());
  return line +
         fmt::format(" sign={} error={} positions={}", text(first.sign), text(first.error), first.positions);
}

}  // namespace chuhe::gauntlet
