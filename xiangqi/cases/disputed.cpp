#include "xiangqi/cases/disputed.h"

#include <fmt/format.h>

namespace chuhe::xiangqi {
namespace {

/// One entry for each disputed statement:
///   {"cxa-fig00", "FEN as in the row", "moves as in the row", "cxa2020", "why"},
const std::vector<DisputedCase> kDisputed = {
    {"cxa-fig29x1", "2bak2r1/4aP3/4b4/2r1C4/4P4/2B6/4R3R/B8/1p7/c3K4 w",
     "i3h3 h9i9 h3i3 i9g9 i3g3 g9h9 g3h3 h9i9", "cxa1999~",
     "derived from labels of 2020, which never count pawns: in 1999 the pawn's new attack on the advisor "
     "counts while the "
     "other side attacks with every move (27.2), so both are forbidden (26.3)"},
};

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
