#include "xiangqi/rules/rule_set.h"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "base/error.h"

namespace chuhe::xiangqi {
namespace {

using enum Ruling;
using enum Predicate;

constexpr std::string_view kPerpetualCheck = "one side gave check with every move and the other did not";
constexpr std::string_view kPerpetualCheckZh = "单方面长将";
constexpr std::string_view kBothForbidden = "both sides checked, threatened mate or chased with every move";
constexpr std::string_view kBothForbiddenZh = "双方均为禁止着法，不变作和";
constexpr std::string_view kOneForbidden =
    "one side checked, threatened mate or chased with every move, the other made an allowed move";
constexpr std::string_view kOneForbiddenZh = "一方为禁止着法，另一方为允许着法，应由前者变着，不变判负";
constexpr std::string_view kBothAllowed = "both sides made at least one allowed move";
constexpr std::string_view kBothAllowedZh = "双方均有允许着法，不变作和";
constexpr std::string_view kSoleChaser =
    "both sides chased with every move; one chased an unprotected piece each time, the other escaped or "
    "chased "
    "jointly";
constexpr std::string_view kSoleChaserZh =
    "双方互捉，其中一方长捉无根子，另一方联合捉子，应由长捉无根子一方变着";

constexpr std::array kClauses1999{
    Clause{AllChecksOneSided, OffenderLoses, "24.1, 26.1", kPerpetualCheck, kPerpetualCheckZh},
    Clause{AllAttacksMutual, Draw, "26.3", kBothForbidden, kBothForbiddenZh},
    Clause{AttacksOneSided, OffenderMustChange, "24.3, 26.4", kOneForbidden, kOneForbiddenZh},
    Clause{AnyRepetition, Draw, "26.2", kBothAllowed, kBothAllowedZh},
};
constexpr std::array kExempt1999{
    ExemptionClause{Exemption::KingAttack, "27.1"},       ExemptionClause{Exemption::PawnAttack, "27.2"},
    ExemptionClause{Exemption::StoodBefore, "29.2"},      ExemptionClause{Exemption::CapturerMated, "29.4"},
    ExemptionClause{Exemption::HiddenRoot, "28.16"},      ExemptionClause{Exemption::KingEvasion, "27.1"},
    ExemptionClause{Exemption::SameTypeExchange, "28.5"}, ExemptionClause{Exemption::LoneAttacker, "27.3"},
    ExemptionClause{Exemption::LaidOpen, "25.3"},
};

constexpr std::array kClauses2007{
    Clause{AllChecksOneSided, OffenderLoses, "26.1", kPerpetualCheck, kPerpetualCheckZh},
    Clause{SoleChaserOfUnrooted, OffenderMustChange, "26.3, 29.8", kSoleChaser, kSoleChaserZh},
    Clause{AllAttacksMutual, Draw, "26.3", kBothForbidden, kBothForbiddenZh},
    Clause{AttacksOneSided, OffenderMustChange, "26.4", kOneForbidden, kOneForbiddenZh},
    Clause{AnyRepetition, Draw, "26.2", kBothAllowed, kBothAllowedZh},
};
constexpr std::array kExempt2007{
    ExemptionClause{Exemption::KingAttack, "27.1"},       ExemptionClause{Exemption::PawnAttack, "27.2"},
    ExemptionClause{Exemption::StoodBefore, "29.3"},      ExemptionClause{Exemption::CapturerMated, "29.3"},
    ExemptionClause{Exemption::HiddenRoot, "28.15"},      ExemptionClause{Exemption::KingEvasion, "27.1"},
    ExemptionClause{Exemption::SameTypeExchange, "27.6"}, ExemptionClause{Exemption::SelfInflicted, "28.18"},
    ExemptionClause{Exemption::LoneAttacker, "27.3"},     ExemptionClause{Exemption::LaidOpen, "29.2"},
};

constexpr std::array kClauses2020{
    Clause{AllChecksOneSided, OffenderLoses, "25.1", kPerpetualCheck, kPerpetualCheckZh},
    Clause{SoleChaserOfUnrooted, OffenderMustChange, "26.9", kSoleChaser, kSoleChaserZh},
    Clause{AllAttacksMutual, Draw, "25.3", kBothForbidden, kBothForbiddenZh},
    Clause{AttacksOneSided, OffenderMustChange, "25.4", kOneForbidden, kOneForbiddenZh},
    Clause{AnyRepetition, Draw, "25.2", kBothAllowed, kBothAllowedZh},
};
constexpr std::array kExempt2020{
    ExemptionClause{Exemption::KingAttack, "26.1"},       ExemptionClause{Exemption::PawnAttack, "26.1"},
    ExemptionClause{Exemption::StoodBefore, "26.5"},      ExemptionClause{Exemption::CapturerMated, "26.5"},
    ExemptionClause{Exemption::HiddenRoot, "26.5"},       ExemptionClause{Exemption::KingEvasion, "26.1.2"},
    ExemptionClause{Exemption::SameTypeExchange, "26.4"}, ExemptionClause{Exemption::SelfInflicted, "26.3"},
    ExemptionClause{Exemption::LoneAttacker, "26.2"},     ExemptionClause{Exemption::LaidOpen, "26.5"},
};

constexpr std::array kClausesAsian{
    Clause{AllChecksOneSided, OffenderLoses, "WXF 1", kPerpetualCheck, kPerpetualCheckZh},
    Clause{ChaseOfOnePieceOneSided, OffenderMustChange, "WXF 2",
           "one side chased the same unprotected piece with every move and the other did not chase one",
           "单方面长捉同一无根子"},
    Clause{AnyRepetition, Draw, "WXF 3", "no side alone gave perpetual check or perpetual chase",
           "双方均无单方面长将、长捉"},
};
constexpr std::array kExemptAsian{
    ExemptionClause{Exemption::KingAttack, "WXF 2"},
    ExemptionClause{Exemption::PawnAttack, "WXF 2"},
    ExemptionClause{Exemption::StoodBefore, "WXF 2"},
    ExemptionClause{Exemption::SameTypeExchange, "WXF 2"},
};

constexpr std::array<ExemptionClause, 0> kNoExemptions{};

constexpr std::array kClausesChecksOnly{
    Clause{AllChecksOneSided, OffenderLoses, "26.1", kPerpetualCheck, kPerpetualCheckZh},
    Clause{AnyRepetition, Draw, "26.2", "neither side alone gave perpetual check", "双方均无单方面长将"},
};
constexpr std::array kClausesNone{
    Clause{AnyRepetition, Draw, "-", "every repetition draws under this rule set", "一切循环均作和"},
};

constexpr Limit kThree{3, "24"}, kSixtyRounds{120, "4.2.4"}, kTenChecks{10, "23.3"};
// 2007 speaks of a mate on the very next move; 1999 and the figures of 2020 do not.
constexpr Limit kMatedSoon1999{4, "29.4"}, kMatedAtOnce2007{1, "29.3"}, kMatedSoon2020{4, "26.5"},
    kNotAsked{};

constexpr Procedure kProcedure1999{"24.1", "24.2", "24.3", "if the cycle is repeated once more",
                                   "若再重复一次循环，即判负"};
constexpr Procedure kProcedure2007{"", "", "24", "if it has not changed within two of its own moves",
                                   "单方面两着（含）以内仍未变着，即判负"};
constexpr Procedure kProcedureAsian{"", "", "", "if it does not change", "不变判负"};

constexpr RuleSet kRuleSets[] = {
    {"cxa2007", "Chinese rules of 2007 (trial edition, lecture of 2011)", "2007年试行规则", kThree,
     kSixtyRounds, kTenChecks, true, Detector::Chinese, kMatedAtOnce2007, false, kProcedure2007, kExempt2007,
     kClauses2007},
    {"cxa1999", "Chinese rules of 1999", "1999年竞赛规则", kThree, kSixtyRounds, kTenChecks, true,
     Detector::Chinese, kMatedSoon1999, true, kProcedure1999, kExempt1999, kClauses1999},
    {"cxa2020", "Chinese rules of 2020", "2020年竞赛规则", kThree, kSixtyRounds, kTenChecks, true,
     Detector::Chinese, kMatedSoon2020, false, kProcedure2007, kExempt2020, kClauses2020},
    {"axf", "Asian federation rules", "亚洲象棋联合会规则", kThree, kSixtyRounds, kTenChecks, true,
     Detector::Asian, kNotAsked, false, kProcedureAsian, kExemptAsian, kClausesAsian},
    {"checks_only", "only perpetual check is forbidden", "只禁长将", kThree, kSixtyRounds, kTenChecks, true,
     Detector::ChecksOnly, kNotAsked, false, Procedure{}, kNoExemptions, kClausesChecksOnly},
    {"none", "every repetition draws", "循环一律作和", kThree, kSixtyRounds, kTenChecks, true,
     Detector::ChecksOnly, kNotAsked, false, Procedure{}, kNoExemptions, kClausesNone},
};

constexpr std::string_view kClassNames[] = {"idle",     "follow", "block", "offer",
                                            "exchange", "chase",  "kill",  "check"};
constexpr std::string_view kChineseClassNames[] = {"闲", "跟", "拦", "献", "兑", "捉", "杀", "将"};
constexpr std::string_view kFormNames[] = {"direct", "exchange", "checks", "mate"};
constexpr std::string_view kChineseFormNames[] = {"直接捉", "交换得子", "抽吃", "连将杀"};
constexpr std::string_view kRootNames[] = {"none", "false", "short", "rooted"};
constexpr std::string_view kChineseRootNames[] = {"无根", "假根", "少根", "有根"};
constexpr std::array<std::string_view, kExemptions> kExemptionNames = {
    "king_attack",  "pawn_attack",        "stood_before",   "capturer_mated", "hidden_root",
    "king_evasion", "same_type_exchange", "self_inflicted", "lone_attacker",  "laid_open"};

}  // namespace

std::string_view name_of(PlyClass c) {
  return kClassNames[size_t(c)];
}
std::string_view chinese_name_of(PlyClass c) {
  return kChineseClassNames[size_t(c)];
}
std::string_view name_of(GainForm f) {
  return kFormNames[size_t(f)];
}
std::string_view chinese_name_of(GainForm f) {
  return kChineseFormNames[size_t(f)];
}
std::string_view name_of(Root r) {
  return kRootNames[size_t(r)];
}
std::string_view chinese_name_of(Root r) {
  return kChineseRootNames[size_t(r)];
}
std::string_view name_of(Exemption e) {
  return kExemptionNames[size_t(e)];
}

bool RuleSet::exempts(Exemption e) const {
  return std::ranges::any_of(exemptions, [e](const ExemptionClause& c) { return c.exemption == e; });
}

std::vector<std::string_view> rule_set_names() {
  std::vector<std::string_view> names;
  for (const RuleSet& r : kRuleSets) names.push_back(r.name);
  return names;
}

std::string rule_set_list() {
  return fmt::format("{}", fmt::join(rule_set_names(), ", "));
}

const RuleSet& rule_set(std::string_view name) {
  for (const RuleSet& r : kRuleSets)
    if (r.name == name) return r;
  throw Error("unknown rule set '{}', expected one of: {}", name, rule_set_list());
}

}  // namespace chuhe::xiangqi
