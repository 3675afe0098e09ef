#pragma once
// What the PGN reader and writer must agree on.

#include <optional>
#include <string>
#include <string_view>

#include "xiangqi/notation/move_text.h"

namespace chuhe::xiangqi {

inline constexpr std::string_view kGameName = "Chinese Chess";
inline constexpr std::string_view kVariantName = "xiangqi";

/// "Chinese", "ChineseShort", "WXF", "ICCS", "UCI", "UCI1".
std::string_view format_tag(Notation notation);
/// Upper or lower case.
std::optional<Notation> notation_of_format(std::string_view format);

/// A result in any of its spellings, also 红胜, 黑胜, 和棋; "" if it is none.
std::string_view result_of(std::string_view text);

/// As a comment is read back: line breaks as blanks, trimmed, no closing brace.
std::string plain_comment(std::string_view comment);

/// ASCII upper and lower case alike.
bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace chuhe::xiangqi
