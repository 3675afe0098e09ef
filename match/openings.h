#pragma once
// Lists of openings: one line each,
//
//   <FEN, any dialect> [moves <uci> ...]      or      startpos [moves <uci> ...]
//   <EPD: board side - - opcodes;>            a comment opcode  c0 "startpos moves <uci> ...";  tells how the
//   position arose, so that the game has a history
//
// Empty lines and lines that begin with # are skipped.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "xiangqi/board/position.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::match {

struct Opening {
  std::string start_fen;  // empty: the start position
  std::vector<xiangqi::Move> moves;
  /// The position in which the players take over.
  xiangqi::Position position() const;
};

struct OpeningBook {
  std::string name;  // of the file, or "built-in"
  std::vector<Opening> openings;
  int duplicates = 0;   // lines that led to a position already there, left out
  uint64_t digest = 0;  // of the text
};

/// Throws Error "<name>:<line>: ..." for a line that is no position, an illegal move, or a position in which
/// the game is over; and if there is no opening.
OpeningBook parse_openings(std::string_view text, const std::string& name);
OpeningBook load_openings(const std::filesystem::path& path);
/// configs/openings/balanced.epd, as it was when the program was built.
std::string_view default_openings_text();
OpeningBook default_openings();
/// "" or a path: the default or that file.
OpeningBook openings_or_default(const std::string& path);

/// An EPD line: value in pawns for the side to move, by a search of that depth.
std::string to_epd(const Opening& opening, double value, int depth);

}  // namespace chuhe::match
