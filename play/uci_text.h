#pragma once
// UCI text, both ways, without state. Squares are a0..i9; rank base 1 (a1..i10) is understood and, on
// request, written.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "play/limits.h"
#include "play/thinker.h"
#include "xiangqi/rules/game_history.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::play {

std::vector<std::string_view> words_of(std::string_view line);
/// The text with everything but printable ASCII as '?', cut to `most` characters: fit for an info string.
std::string printable(std::string_view text, size_t most = 60);
/// ASCII letters lowered and compared.
bool same_name(std::string_view a, std::string_view b);

struct PositionText {
  xiangqi::GameHistory history;
  std::string note;  // for people, or empty
};
/// The words after `position`: "startpos [moves ...]" or "fen F [moves ...]"; F has 1 to 6 fields. Moves that
/// make no sense with ranks from `rank_base` but are all legal with the other base are read so, and the note
/// says it.
Result<PositionText> parse_position(std::span<const std::string_view> words, const xiangqi::RuleSet& rules,
                                    int rank_base);

/// The words after `go`. Unknown words are skipped; a failure names the word that wants a number.
Result<Limits> parse_go(std::span<const std::string_view> words, const xiangqi::Position& position,
                        int rank_base);

/// The lines of one report: a block of `multipv` lines.
std::vector<std::string> info_lines(const SearchInfo& info, bool show_wdl, int rank_base);
std::string best_move_line(const BestMove& best, int rank_base);

/// A board for people, with FEN, key, checks and repetitions.
std::vector<std::string> drawing(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules);

}  // namespace chuhe::play
