#pragma once
// Checks a case with the project's own code: what it says, beside what the case expects.

#include <memory>
#include <string>
#include <vector>

#include "xiangqi/cases/case_file.h"
#include "xiangqi/cases/expectation.h"

namespace chuhe::xiangqi {

enum class Finding : uint8_t {
  Right,
  Wrong,
  Disputed,  // differs, and stands in the project's list of disputed cases with its reason
  Unproved,  // a traditional claim that nothing here can prove
  NoTest,    // a note, or a verdict that its source disputes; never a row's outcome
};
inline constexpr int kFindings = 5;
std::string_view name_of(Finding f);  // "right"

struct CheckedStatement {
  std::string subject;  // "cxa2020~", "labels", "kill", "egtb", ...: finer than the category
  Finding finding = Finding::Right;
  std::string said, expected;
};

struct CheckedCase {
  Finding outcome = Finding::Right;  // Right, Wrong, Disputed or Unproved: the gravest of its statements
  std::vector<CheckedStatement> statements;
  int skipped = 0;  // statements left out because they take long (CaseOptions::deep)
};

struct CaseOptions {
  bool deep = false;  // perft depths with more than kLongPerft leaves, too
};
inline constexpr uint64_t kLongPerft = 200'000'000;

/// Holds what checks share (tables of endings, a mate solver's memory). Results do not depend on the order of
/// the cases.
class CaseChecker {
 public:
  explicit CaseChecker(const CaseOptions& options = {});
  ~CaseChecker();
  /// Never throws for a case, however strange: what cannot be checked is wrong, and `said` tells why.
  CheckedCase check(const Case& c, const Expectation& expected);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace chuhe::xiangqi
