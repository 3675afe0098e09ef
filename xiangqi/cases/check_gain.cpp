// Gains in one go: by a complete exchange or by consecutive checks; and whether a piece can be recaptured.

#include "base/error.h"
#include "xiangqi/cases/checks.h"
#include "xiangqi/rules/gains.h"

namespace chuhe::xiangqi {
namespace {

constexpr int kGainNodes = 1'000'000;

/// One question about gains, with what its searches share. Every captor counts, kings and pawns too.
class GainQuestion {
 public:
  explicit GainQuestion(const Position& p)
      : board_(p), before_(p), budget_(kGainNodes), search_(board_, rule_set("cxa2020"), budget_, mates_) {
    before_.pass();
    search_.pawns_capture = true;
  }

  /// A capture, no check itself, after which the gain stands (28.3, 29.1). `target`: of that point only.
  Move by_exchange(Square target) {
    MoveList captures;
    board_.moves(captures, true);
    for (Move m : captures)
      if ((target == kNoSquare || m.to() == target) && wins(m)) return m;
    return Move();
  }

  /// The first of consecutive checks that win something which no single capture wins, what hangs meanwhile
  /// counted.
  Move by_checks() {
    MoveList list;
    GainFinder opponent(before_, rule_set("cxa2020"), {}, mates_);
    for (const Gain& g : opponent.captures()) search_.loose |= set_of(g.victim);
    board_.moves(list);
    for (Move m : list)
      if (!board_.position().empty(m.to()) && wins(m)) search_.not_elsewhere |= set_of(board_.id(m.to()));
    for (Move m : list)
      if (search_.run_begins(m, nullptr)) return m;
    return Move();
  }

  bool budget_exceeded() const { return budget_.exceeded; }

 private:
  bool wins(Move m) {
    const auto undo = board_.play(m);
    const bool checks = board_.in_check(board_.side_to_move());
    board_.take_back(m, undo);
    return !checks && search_.first_stands(m);
  }

  NamedBoard board_, before_;  // before_: the same position, the opponent to move
  NodeBudget budget_;
  MateMemo mates_;
  GainSearch search_;
};

void check_recapture(PlayedCase& c) {
  if (!c.expected.recapture) return;
  bool found = false;
  for (Move m : c.last.legal_moves()) found |= !c.moves.empty() && m.to() == c.moves.back().to();
  c.compare("recapture", found ? "yes" : "no", *c.expected.recapture ? "yes" : "no");
}

}  // namespace

void check_gain(PlayedCase& c) {
  check_recapture(c);
  const Expectation& e = c.expected;
  if (!e.gain) return;
  const bool by_checks = e.gain_form == GainForm::Checks;
  const std::string subject = by_checks ? "gain by checks" : "gain by exchange";
  Position line_end = c.last;
  if (const std::string wrong = play_all(line_end, e.gain_line); !wrong.empty()) {
    c.add(subject, Finding::Wrong, "line: " + wrong, "a line of legal moves");
    return;
  }
  GainQuestion question(c.last);
  const Move first = by_checks ? question.by_checks() : question.by_exchange(e.gain_target);
  std::string said = first ? "yes, " + to_uci(first) : "no";
  if (question.budget_exceeded()) said += " (search budget exceeded)";
  c.add(subject, bool(first) == *e.gain ? Finding::Right : Finding::Wrong, said,
        (*e.gain ? "yes" : "no") + (e.gain_line.empty() ? "" : " line=" + to_text(e.gain_line)));
}

}  // namespace chuhe::xiangqi
