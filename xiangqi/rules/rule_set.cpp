#include "xiangqi/rules/rule_set.h"

#include <array>

#include <fmt/ranges.h>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

constexpr Clause kOneSidedCheck{
    Predicate::AllChecksOneSided, Ruling::OffenderLoses, "26.1",
    "one side checked with every move of the cycle and the other did not: perpetual check is never allowed"};
constexpr Clause kStands{Predicate::AnyRepetition, Ruling::Draw, "26.2",
                         "neither side alone broke a prohibition: the repetition draws"};
constexpr Clause kPlainRepetition{Predicate::AnyRepetition, Ruling::Draw, "-",
                                  "every repetition draws under this rule set"};

constexpr std::array kChecksOnly{kOneSidedCheck, kStands};
constexpr std::array kNone{kPlainRepetition};

constexpr int kNaturalLimitPlies = 120, kNaturalLimitChecks = 10;

constexpr RuleSet kRuleSets[] = {
    {"checks_only", 3, kNaturalLimitPlies, kNaturalLimitChecks, true, kChecksOnly},
    {"none", 3, kNaturalLimitPlies, kNaturalLimitChecks, true, kNone},
};

constexpr std::string_view kClassNames[] = {"idle",     "follow", "block", "offer",
                                            "exchange", "chase",  "kill",  "check"};
constexpr std::string_view kChineseClassNames[] = {"闲", "跟", "拦", "献", "兑", "捉", "杀", "将"};

}  // namespace

std::string_view name_of(PlyClass c) {
  return kClassNames[size_t(c)];
}
std::string_view chinese_name_of(PlyClass c) {
  return kChineseClassNames[size_t(c)];
}

std::vector<std::string_view> rule_set_names() {
  std::vector<std::string_view> names;
  for (const RuleSet& r : kRuleSets) names.push_back(r.name);
  return names;
}

const RuleSet& rule_set(std::string_view name) {
  for (const RuleSet& r : kRuleSets)
    if (r.name == name) return r;
  throw Error("unknown rule set '{}', expected one of: {}", name, fmt::join(rule_set_names(), ", "));
}

}  // namespace chuhe::xiangqi
