// The reading half of move_text.h.

#include <fmt/format.h>

#include "xiangqi/notation/move_pattern.h"
#include "xiangqi/notation/move_text.h"
#include "xiangqi/notation/text_encoding.h"

namespace chuhe::xiangqi {
namespace {

bool is_coordinates(Notation n) {
  return n == Notation::Iccs || n == Notation::Uci || n == Notation::UciFromOne;
}

/// "h2e2" of "H2-E2" and the like.
std::string bare_squares(std::string_view text) {
  std::string out;
  for (char c : half_width(text))
    if (c >= 'A' && c <= 'Z') {
      out += char(c - 'A' + 'a');
    } else {
      out += c;
    }
  const size_t hyphen = out.find('-');
  if (hyphen == 2 || hyphen == 3) out.erase(hyphen, 1);
  return out;
}

/// In the notation asked for and, where that takes thought, as squares too.
std::string list_moves(const Position& p, const std::vector<Move>& moves, Notation notation) {
  std::string out;
  for (Move m : moves) {
    if (!out.empty()) out += ", ";
    if (is_coordinates(notation)) {
      out += to_text(p, m, notation);
    } else {
      const Notation shown = notation == Notation::Wxf ? notation : Notation::Chinese;
      out += fmt::format("{} ({})", to_text(p, m, shown), to_uci(m));
    }
  }
  return out;
}

std::string no_move(const Position& p, std::string_view text, Notation notation) {
  std::vector<Move> near;
  std::string what;
  if (is_coordinates(notation)) {
    const Move m = parse_uci(bare_squares(text), notation == Notation::UciFromOne);
    what = fmt::format("from {}{}", char('a' + file_of(m.from())),
                       rank_of(m.from()) + (notation == Notation::UciFromOne));
    for (Move legal : p.legal_moves())
      if (legal.from() == m.from()) near.push_back(legal);
  } else {
    const PieceType type = parse_pattern(text, true).value().type;
    what = fmt::format("of {}", chinese_sign(make_piece(p.side_to_move(), type)));
    for (Move legal : p.legal_moves())
      if (type_of(p.piece_on(legal.from())) == type) near.push_back(legal);
  }
  return fmt::format("'{}' is no legal move in {}; legal moves {}: {}", quoted(text), p.to_fen(), what,
                     near.empty() ? "none" : list_moves(p, near, notation));
}

}  // namespace

Result<std::vector<Move>> fitting_moves(const Position& before, std::string_view text, Notation notation) {
  using Moves = Result<std::vector<Move>>;
  std::vector<Move> fits;
  if (is_coordinates(notation)) {
    const Move m = parse_uci(bare_squares(text), notation == Notation::UciFromOne);
    if (!m)
      return Moves::failure(fmt::format("'{}' is no move: expected two squares, such as {}", quoted(text),
                                        to_text(Position(), parse_uci("h2e2"), notation)));
    if (before.is_legal(m)) fits.push_back(m);
    return fits;
  }
  const auto pattern = parse_pattern(text, notation == Notation::ChineseShort);
  if (!pattern) return Moves::failure(pattern.error());
  for (Move m : before.legal_moves())
    if (pattern->fits(before, m)) fits.push_back(m);
  return fits;
}

Result<Move> parse_move(const Position& before, std::string_view text, Notation notation) {
  const auto fits = fitting_moves(before, text, notation);
  if (!fits) return Result<Move>::failure(fits.error());
  if (fits->size() == 1) return fits->front();
  if (fits->empty()) return Result<Move>::failure(no_move(before, text, notation));
  return Result<Move>::failure(fmt::format("'{}' is ambiguous in {}: it can be {}", quoted(text),
                                           before.to_fen(), list_moves(before, *fits, notation)));
}

Result<Move> parse_move_any(const Position& before, std::string_view text) {
  return parse_move(before, text, guess_notation(text));
}

Notation guess_notation(std::string_view text) {
  const std::string squares = bare_squares(text);
  if (parse_uci(squares)) return half_width(text) == squares ? Notation::Uci : Notation::Iccs;
  if (parse_uci(squares, 1)) return Notation::UciFromOne;
  const auto pattern = parse_pattern(text, true);
  if (pattern && !pattern->forward) return Notation::ChineseShort;
  for (unsigned char c : half_width(text))
    if (c >= 0x80) return Notation::Chinese;
  return Notation::Wxf;
}

}  // namespace chuhe::xiangqi
