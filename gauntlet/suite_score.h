#pragma once
// What a net answers to a suite: its policy alone, and searches of given visits. A function of the net, the
// suite and the settings: no chance, no clock, no order of evaluation in it.

#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/metrics.h"
#include "gauntlet/suite.h"
#include "mcts/search/search_params.h"
#include "nn/infer/factory.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::gauntlet {

/// Rows of a batch, and searches that go on at once.
inline constexpr int kSuiteBatch = 64;

/// How searches of a suite are made: as a gauntlet's, without chance.
mcts::SearchParams suite_search();

/// To one position.
struct SuiteAnswer {
  xiangqi::Move move;  // the greatest prior, or the search's choice
  /// Is it among the best moves, or among best and also? 0 or 1; a share if several moves have the greatest
  /// prior, so that an evaluator that knows nothing is not judged by the order of the moves.
  double best = 0, sound = 0;
  double mass = 0;   // prior probability, or share of the search's target, of all best moves together
  double value = 0;  // win - loss for the side to move, by the net or the search
};

/// All answers at one number of visits; 0 = the policy alone.
struct SuiteAnswers {
  int visits;
  std::vector<SuiteAnswer> answers;  // one for each position of the suite
};

std::vector<SuiteAnswers> ask_suite(nn::Evaluator& evaluator, const Suite& suite,
                                    const std::vector<int>& visits, const xiangqi::RuleSet& rules,
                                    const mcts::SearchParams& search = suite_search());

/// The mean over the positions that it can be asked of; none if there are none.
using Mean = std::optional<double>;

struct SuiteTally {
  int positions = 0;
  Mean best, sound, mass;  // of positions with best moves
  Mean sign;               // of won and lost positions: the value has the right sign
  Mean result;             // of positions with a result: the value is nearer to it (1, 0, -1) than to another
  Mean error;              // of these: |value - result|
};
/// Of the positions of one theme; of all for "".
SuiteTally tally(const Suite& suite, const SuiteAnswers& answers, std::string_view theme = {});
/// In the order in which they first occur.
std::vector<std::string> themes_of(const Suite& suite);

/// "suite/mates/policy".
std::string metric_name(const Suite& suite, std::string_view what);
/// Of one suite: "policy" and "visits16" (best moves chosen), and the net's "mass", "sign" and "error" if it
/// was asked without a search. Means of nothing are left out.
MetricList suite_metrics(const Suite& suite, const std::vector<SuiteAnswers>& levels);

/// Which suites are scored beside a rating: a table in other settings.
struct SuiteSettings {
  std::string names;            // comma separated, as for open_suite; "" = none
  std::string visits = "0,16";  // comma separated
  void describe(Fields& f);
  /// Throws Error naming the key for a name or number that is none.
  std::vector<Suite> open() const;
  std::vector<int> visit_counts() const;
};
/// "0,16" as numbers from 0 to 1000000. Throws Error that begins with `where`.
std::vector<int> parse_visits(std::string_view text, std::string_view where);

/// "policy" or "visits16".
std::string level_name(int visits);
/// Of one suite: "suite=mates policy=0.31 mass=0.22 visits16=0.52 sign=0.80 error=0.61 positions=242".
/// Without "net=": that comes before it. sign and error are the net's, at the first of the levels.
std::string summary_of(const Suite& suite, const std::vector<SuiteAnswers>& levels);

}  // namespace chuhe::gauntlet
