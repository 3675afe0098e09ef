#pragma once
// Moves as people write them (docs/notation.md). A text has a meaning only in a position: files are counted
// from the mover's own right, and pieces of a kind on one file are told apart as front and rear.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

enum class Notation : uint8_t {
  Chinese,       // 炮二平五, 马8进7 (article 7.5)
  ChineseShort,  // 炮25, 马87: no sign for forward and sideways; some of these texts are ambiguous
  Wxf,           // C2=5, H8+7
  Iccs,          // H2-E2
  Uci,           // h2e2
  UciFromOne,    // h3e3, a10a9: ranks 1 to 10, Fairy-Stockfish's dialect
};

/// "chinese", "chinese_short", "wxf", "iccs", "uci", "uci1": for command lines.
std::string_view name_of(Notation notation);
/// The notation of that name. Throws Error listing the names.
Notation notation_named(std::string_view name);
/// All names, for help texts: "chinese, chinese_short, ...".
std::string notation_list();

/// The text of a legal move of `before`. Chinese text is UTF-8 with simplified signs; pieces of a kind on one
/// file always get their mark, even if only one of them could make the move. Texts read back to the same move
/// in every notation, but for ChineseShort.
std::string to_text(const Position& before, Move legal, Notation notation);

/// All legal moves that the text can mean. A failure says why the text is no move of that notation at all.
/// Accepted beyond what to_text writes: full-width and half-width digits, letters and signs, traditional and
/// regional signs (進 後 帥 將 車 俥 馬 傌 砲 包), either side's name of a piece, N/H and B/E, lower case,
/// "." or "=" for sideways, the mark before or after the piece, f/b for + and -, no mark where the move tells
/// the piece, the file beside the mark (前兵四平五), ICCS without its hyphen. Chinese signs and WXF letters
/// may be mixed; texts without a direction are taken only as ChineseShort.
Result<std::vector<Move>> fitting_moves(const Position& before, std::string_view text, Notation notation);

/// The one legal move that the text means. Text that fits no legal move or several is a failure of one line,
/// which names the position and lists the candidates.
Result<Move> parse_move(const Position& before, std::string_view text, Notation notation);

/// The same, the notation recognised from the text. Two squares are taken with ranks from 0 unless a rank 10
/// shows the other dialect.
Result<Move> parse_move_any(const Position& before, std::string_view text);
/// The notation that the text seems to be in: its form only, whether or not it is a move.
Notation guess_notation(std::string_view text);

/// "卒" and the like: the sign of a piece as written in moves and on boards.
std::string_view chinese_sign(Piece piece);
/// "K", "A", "E", "H", "R", "C", "P": WXF's letters.
char wxf_letter(PieceType type);

}  // namespace chuhe::xiangqi
