// Moves as text, both ways.

#include "base/error.h"
#include "xiangqi/cases/checks.h"
#include "xiangqi/notation/move_text.h"

namespace chuhe::xiangqi {
namespace {

std::string_view short_name(Notation notation) {
  return notation == Notation::Chinese ? "cn" : notation == Notation::Wxf ? "wxf" : "iccs";
}

/// Empty, or how the text and the move do not belong together in the position.
std::string fault_of(const Position& p, Move m, const std::string& text, Notation notation) {
  if (!p.is_legal(m)) return to_uci(m) + " is not legal";
  if (const std::string written = to_text(p, m, notation); written != text)
    return fmt::format("{} is written {}", to_uci(m), written);
  const Result<Move> read = parse_move(p, text, notation);
  if (!read.ok()) return read.error();
  return *read == m ? "" : fmt::format("{} reads as {}", text, to_uci(*read));
}

void check_game(PlayedCase& c) {
  std::string fault;
  Position p = c.start;
  if (c.expected.game.size() != c.moves.size())
    fault = fmt::format("{} texts for {} moves", c.expected.game.size(), c.moves.size());
  for (size_t i = 0; fault.empty() && i < c.moves.size(); ++i) {
    fault = fault_of(p, c.moves[i], c.expected.game[i], Notation::Chinese);
    if (!fault.empty()) fault = fmt::format("move {}: {}", i + 1, fault);
    p.play(c.moves[i]);
  }
  c.add("game_cn", fault.empty() ? Finding::Right : Finding::Wrong, fault.empty() ? "the same" : fault,
        "every move as in the game's text, and back");
}

}  // namespace

void check_notation(PlayedCase& c) {
  for (const MoveText& t : c.expected.texts) {
    const std::string fault = fault_of(c.last, t.move, t.text, t.notation);
    c.add(std::string(short_name(t.notation)), fault.empty() ? Finding::Right : Finding::Wrong,
          fault.empty() ? t.text : fault, fmt::format("{} = {}", to_uci(t.move), t.text));
  }
  if (!c.expected.game.empty()) check_game(c);
}

}  // namespace chuhe::xiangqi
