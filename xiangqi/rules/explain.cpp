#include "xiangqi/rules/explain.h"

#include <fmt/format.h>

namespace chuhe::xiangqi {

std::string explain(const Verdict& verdict, const GameHistory&, const RuleSet&, Language) {
  std::string out = fmt::format("{} ({}), article {}: {}\n", name_of(verdict.outcome),
                                name_of(verdict.reason), verdict.article, verdict.explanation);
  if (verdict.must_change) out += "the offender must change; the outcome holds if it repeats once more\n";
  out += fmt::format("the cycle, {} plies:\n", verdict.cycle.size());
  for (const CyclePly& ply : verdict.cycle)
    out += fmt::format("  ply {:3} {} {} ({})\n", ply.ply + 1, to_uci(ply.move), name_of(ply.finding.ply_class),
                       chinese_name_of(ply.finding.ply_class));
  return out;
}

}  // namespace chuhe::xiangqi
