// Gains in one go: by a complete exchange or by consecutive checks; and whether a piece can be recaptured.

#include "base/error.h"
#include "xiangqi/cases/checks.h"
#include "xiangqi/rules/gain_search.h"

namespace chuhe::xiangqi {
namespace {

constexpr int kGainNodes = 1'000'000;

/// A capture, no check itself, after which the gain stands (28.3, 29.1). `target`: of that point only.
Move exchange_gain(const Position& p, Square target, NodeBudget& budget) {
  NamedBoard board(p);
  GainSearch search(board, rule_set("cxa2020"), budget);
  search.pawns_capture = true;
  MoveList captures;
  board.moves(captures, true);
  for (Move m : captures) {
    if (target != kNoSquare && m.to() != target) continue;
    const Balance won = Balance{}.won(board.piece_on(m.to()), m.to());
    const auto undo = board.play(m);
    const bool gains = !board.in_check(board.side_to_move()) && search.stands(m.to(), won);
    board.take_back(m, undo);
    if (gains) return m;
  }
  return Move();
}

Move run_gain(const Position& p, NodeBudget& budget) {
  NamedBoard board(p);
  GainSearch search(board, rule_set("cxa2020"), budget);
  search.pawns_capture = true;
  MoveList list;
  board.moves(list);
  for (Move m : list)
    if (search.run_begins(m, nullptr)) return m;
  return Move();
}

}  // namespace

void check_gain(PlayedCase& c) {
  const Expectation& e = c.expected;
  if (e.recapture) {
    const auto legal = c.last.legal_moves();
    bool found = false;
    for (Move m : legal) found |= !c.moves.empty() && m.to() == c.moves.back().to();
    c.compare("recapture", found ? "yes" : "no", *e.recapture ? "yes" : "no");
  }
  if (!e.gain) return;
  NodeBudget budget(kGainNodes);
  const bool by_checks = e.gain_form == GainForm::Checks;
  const Move first = by_checks ? run_gain(c.last, budget) : exchange_gain(c.last, e.gain_target, budget);
  c.add(by_checks ? "gain by checks" : "gain by exchange",
        bool(first) == *e.gain ? Finding::Right : Finding::Wrong,
        fmt::format("{}{}", first ? "yes, " + to_uci(first) : "no",
                    budget.exceeded ? " (search budget exceeded)" : ""),
        fmt::format("{} line={}", *e.gain ? "yes" : "no", to_text(e.gain_line)));
}

}  // namespace chuhe::xiangqi
