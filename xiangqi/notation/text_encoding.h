#pragma once
// UTF-8 and GB18030, the two encodings of Chinese game files.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace chuhe::xiangqi {

enum class Encoding : uint8_t { Utf8, Gb18030 };

/// "utf-8", "gb18030".
std::string_view name_of(Encoding encoding);
/// Throws Error listing the names.
Encoding encoding_named(std::string_view name);

bool is_valid_utf8(std::string_view bytes);
/// UTF-8 if the bytes begin with its mark or are valid UTF-8 (as plain ASCII is), else GB18030.
Encoding detect_encoding(std::string_view bytes);
/// The bytes as UTF-8 without a byte order mark. A failure names the first bad byte.
Result<std::string> to_utf8(std::string_view bytes, Encoding encoding);
/// UTF-8 text in the encoding. Throws Error for what is not UTF-8 and for the few private code points that
/// GB18030 lacks.
std::string from_utf8(std::string_view text, Encoding encoding);

/// Takes one code point off the front of non-empty valid UTF-8 text.
char32_t take_code_point(std::string_view& text);
void append_code_point(std::string& out, char32_t c);
/// Columns on a terminal: 2 for Chinese signs and full-width forms.
int columns_of(std::string_view text);

}  // namespace chuhe::xiangqi
