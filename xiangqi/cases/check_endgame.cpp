// Endings: exact values, traditional claims, material.

#include "base/error.h"
#include "xiangqi/cases/checks.h"

namespace chuhe::xiangqi {
namespace {

// For proving a claim, which is worth less than for checking an exact value.
constexpr uint64_t kClaimTableBytes = uint64_t(64) << 20;
constexpr int kClaimChecks = 30;
constexpr int64_t kClaimNodes = 1'000'000;

std::string win_name(Color winner) {
  return winner == Color::Red ? "red_wins" : "black_wins";
}

std::string result_name(const EndgameValue& value, Color side) {
  if (value.wdl == Wdl::Draw) return "draw";
  return win_name(value.wdl == Wdl::Win ? side : ~side);
}

void check_exact(PlayedCase& c, EndgameTables& tables) {
  if (!c.expected.exact) return;
  const Color side = c.last.side_to_move();
  std::string wanted = *c.expected.exact;
  if (wanted == "win" || wanted == "loss") wanted = win_name(wanted == "win" ? side : ~side);
  const EndgameValue value = tables.probe(c.last);
  std::string said = result_name(value, side);
  if (c.expected.exact_plies) {
    said += fmt::format(" plies={}", value.plies);
    wanted += fmt::format(" plies={}", *c.expected.exact_plies);
  }
  c.compare("egtb", said, wanted);
}

/// What is known for certain about the position; nothing if nothing is.
std::optional<std::string> proved(const PlayedCase& c, EndgameTables& tables, MateSolver& solver) {
  if (EndgameTable::bytes_to_solve(Material::of(c.last)) <= kClaimTableBytes)
    return result_name(tables.probe(c.last), c.last.side_to_move());
  if (solver.solve(c.last, kClaimChecks, kClaimNodes)) return win_name(c.last.side_to_move());
  return std::nullopt;
}

void check_claim(PlayedCase& c, EndgameTables& tables, MateSolver& solver) {
  if (!c.expected.claim) return;
  const std::string& claim = *c.expected.claim;
  if (claim == "none") {
    c.add("claim", Finding::Unproved, "nothing to prove", "no claim");
  } else if (const auto said = proved(c, tables, solver)) {
    c.compare("claim", *said, claim);
  } else {
    c.add("claim", Finding::Unproved, "no proof", claim);
  }
}

}  // namespace

void check_endgame(PlayedCase& c, EndgameTables& tables, MateSolver& solver) {
  if (c.expected.bare)
    c.compare("material", c.last.is_bare() ? "no mating material" : "mating material",
              *c.expected.bare ? "no mating material" : "mating material");
  check_exact(c, tables);
  check_claim(c, tables, solver);
}

}  // namespace chuhe::xiangqi
