#include "xiangqi/cases/disputed.h"

#include <fmt/format.h>

namespace chuhe::xiangqi {
namespace {

/// One entry for each disputed statement:
///   {"cxa-fig00", "FEN as in the row", "moves as in the row", "cxa2020", "why"},
const std::vector<DisputedCase> kDisputed = {};

}  // namespace

std::span<const DisputedCase> disputed_cases() {
  return kDisputed;
}

void excuse_disputed(const Case& c, std::vector<CheckedStatement>& statements) {
  excuse_disputed(c, statements, disputed_cases());
}

void excuse_disputed(const Case& c, std::vector<CheckedStatement>& statements,
                     std::span<const DisputedCase> list) {
  const std::string moves = fmt::format("{}", fmt::join(c.moves, " "));
  for (const DisputedCase& d : list) {
    if (d.id != c.id || d.fen != c.fen || d.moves != moves) continue;
    for (CheckedStatement& s : statements)
      if (s.subject == d.subject && s.finding == Finding::Wrong) s.finding = Finding::Disputed;
  }
}

}  // namespace chuhe::xiangqi
