// Mate by consecutive checks.

#include "base/error.h"
#include "xiangqi/cases/checks.h"

namespace chuhe::xiangqi {
namespace {

// The longest problems that are known need fewer than 30 checks; the bound on the work, many times what they
// take, only keeps a hopeless position from running on.
constexpr int kMostChecks = 40;
constexpr int64_t kMostNodes = 3'000'000;
// Positions with checks without end cannot be searched to the end. That so many checks do not mate is enough
// to say that there is no mate threat: the official figures need at most 7.
constexpr int kEnoughChecks = 10;

/// Empty, or what is wrong with a line that claims to be a mate by `checks` checks.
std::string fault_of(Position p, const std::vector<Move>& line, int checks) {
  if (int(line.size()) != 2 * checks - 1)
    return fmt::format("pv of {} plies for {} checks", line.size(), checks);
  for (size_t i = 0; i < line.size(); ++i) {
    if (!p.is_legal(line[i])) return fmt::format("pv move {}, {}, is not legal", i + 1, to_uci(line[i]));
    p.play(line[i]);
    if (i % 2 == 0 && !p.in_check())
      return fmt::format("pv move {}, {}, gives no check", i + 1, to_uci(line[i]));
  }
  return p.has_legal_move() ? "pv does not mate" : "";
}

}  // namespace

void check_mate(PlayedCase& c, MateSolver& solver) {
  const Expectation& e = c.expected;
  if (!e.mate_in && !e.kill) return;
  const auto mate = solver.solve(c.last, kMostChecks, kMostNodes);
  const std::string subject = e.kill ? "kill" : "mate_in";
  std::string said = mate ? "mate_in=" + std::to_string(mate->checks)
                          : fmt::format("no mate by {} checks", solver.refuted_checks());
  if (e.kill && !*e.kill) {
    const bool shown = !mate && solver.refuted_checks() >= kEnoughChecks;
    c.add(subject, shown ? Finding::Right : Finding::Wrong, said, "no mate by checks");
    return;
  }
  const std::string wanted = e.mate_in ? "mate_in=" + std::to_string(*e.mate_in) : "a mate by checks";
  bool right = mate && (!e.mate_in || mate->checks == *e.mate_in);
  if (right && !e.mating_line.empty()) {
    if (const std::string fault = fault_of(c.last, e.mating_line, mate->checks); !fault.empty()) {
      right = false;
      said = fault + "; " + said + " pv=" + to_text(mate->line);
    }
  }
  c.add(subject, right ? Finding::Right : Finding::Wrong, said, wanted);
}

}  // namespace chuhe::xiangqi
