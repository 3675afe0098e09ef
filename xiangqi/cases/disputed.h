#pragma once
// Cases of which the project says, with its reason, that the case and not the judge is at fault: a
// second-hand row that contradicts an article, or a point that the articles leave open. docs/rules.md repeats
// each.

#include <span>
#include <string_view>
#include <vector>

#include "xiangqi/cases/case_check.h"

namespace chuhe::xiangqi {

/// Matched by its whole content, so that no other row is excused because it bears the same id.
struct DisputedCase {
  std::string_view id, fen, moves;
  std::string_view subject;  // of the statement: "cxa2020", "labels", ...
  std::string_view reason;
};

std::span<const DisputedCase> disputed_cases();

/// Turns wrong statements that are listed as disputed into Disputed ones. What agrees stays right.
void excuse_disputed(const Case& c, std::vector<CheckedStatement>& statements);
/// The same with another list (tests).
void excuse_disputed(const Case& c, std::vector<CheckedStatement>& statements,
                     std::span<const DisputedCase> list);

}  // namespace chuhe::xiangqi
