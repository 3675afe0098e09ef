#pragma once
// Game files: PGN with tags and movetext as Chinese programs write them (docs/notation.md). Several games a
// file; Chinese, WXF, ICCS or UCI moves; UTF-8 or GB18030.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xiangqi/board/position.h"
#include "xiangqi/notation/move_text.h"
#include "xiangqi/notation/text_encoding.h"

namespace chuhe::xiangqi {

/// Tags of our own beside the usual ones: under which rules a game was played and why it ended.
inline constexpr std::string_view kRuleSetTag = "RuleSet";        // "cxa2007"
inline constexpr std::string_view kEndReasonTag = "EndReason";    // "perpetual_check"
inline constexpr std::string_view kEndArticleTag = "EndArticle";  // "26.1"
inline constexpr std::string_view kTerminationTag =
    "Termination";  // "normal", "rules infraction", "adjudication"

/// One game. What follows from other members is no tag here: Game, Variant, Result, FEN, Format, PlyCount,
/// and White where it repeats Red (a file that names only White and Black has White read as Red).
struct PgnGame {
  std::vector<std::pair<std::string, std::string>> tags;  // in the order of the file, names unique; UTF-8
  Position start;
  std::vector<Move> moves;  // each legal
  /// Of moves.size() + 1 entries: [0] stands before the first move, [i] after move i. "" = none.
  std::vector<std::string> comments{""};
  std::string result = "*";               // "1-0" Red wins, "0-1" Black wins, "1/2-1/2", "*"
  Notation notation = Notation::Chinese;  // of the movetext

  /// "" if there is none.
  std::string_view tag(std::string_view name) const;
  /// Changes the tag or adds it at the end.
  void set_tag(std::string_view name, std::string_view value);
  void add_move(Move m, std::string_view comment = "");
  bool operator==(const PgnGame&) const = default;
};

struct PgnOptions {
  std::optional<Encoding> encoding;  // none: UTF-8 if it is valid, else GB18030
  bool keep_legal = false;           // keep the legal beginning of a faulty game; else the game is left out
};

/// What is wrong with a game.
struct PgnFault {
  int line = 0;         // from 1
  int game = 0;         // from 1
  int ply = 0;          // from 1; 0 if the fault is no move's
  std::string message;  // one line: "FILE:LINE: game 3, ply 60: ...", and what was expected
};

struct PgnFile {
  std::vector<PgnGame> games;
  std::vector<PgnFault> faults;  // one at most per game
  int games_read = 0;            // also those that are left out
  Encoding encoding = Encoding::Utf8;
};

/// Reads a whole file's bytes; `name` stands in messages. Throws Error if the bytes are in no known encoding;
/// all other faults are listed, and reading goes on with the next game.
PgnFile read_pgn(std::string_view bytes, std::string_view name, const PgnOptions& options = {});

/// The game as text that ends in an empty line, wrapped at 80 columns (a Chinese sign takes two). read_pgn
/// gives the same game back, but for comments: a line break in one is read as a blank, "}" is written as ")",
/// blanks at its ends are dropped. A short Chinese text that is ambiguous is written in full.
std::string write_pgn(const PgnGame& game, Encoding encoding = Encoding::Utf8);

}  // namespace chuhe::xiangqi
