#pragma once
// What a text says of a move: the part of reading that needs no position.

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {

/// A Chinese or WXF text taken apart. What the text does not say stays empty.
struct MovePattern {
  enum class Mark : uint8_t { None, Front, Middle, Rear };
  PieceType type = PieceType::Pawn;
  int file = 0;                // the mover's number of the file that the piece comes from
  Mark mark = Mark::None;      // among its kind on a file
  int ordinal = 0;             // over all pawns that share a file: 三兵
  int place = 0;               // from the front of its file: the 2 of WXF's 26=5
  std::optional<int> forward;  // +1, 0 (sideways), -1
  int amount = 0;

  /// Whether the legal move m of p is one that the text can mean.
  bool fits(const Position& p, Move m) const;
};

/// Takes the text apart. Without a direction (short forms) only if that is allowed.
Result<MovePattern> parse_pattern(std::string_view text, bool direction_may_lack);

/// Whether a word is so like a move that it must be a misspelt one: more than half of its few signs stand in
/// moves.
bool resembles_move(std::string_view word);

/// Full-width forms as ASCII, dashes as '-'; other signs as they are. Empty if the text is not valid UTF-8.
std::string half_width(std::string_view text);
/// The text for a message: control characters replaced, cut if long.
std::string quoted(std::string_view text);

}  // namespace chuhe::xiangqi
