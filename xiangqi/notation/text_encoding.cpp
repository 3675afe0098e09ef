#include "xiangqi/notation/text_encoding.h"

#include <iconv.h>

#include <array>
#include <cerrno>

namespace chuhe::xiangqi {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr std::array<std::string_view, 2> kNames = {"utf-8", "gb18030"};

/// Length of the valid UTF-8 sequence at the front; 0 if there is none (overlong, surrogate, cut off, too
/// big).
size_t sequence_length(std::string_view s) {
  const auto byte = [&](size_t i) { return i < s.size() ? uint8_t(s[i]) : uint8_t(0); };
  const auto follows = [&](size_t i, uint8_t low = 0x80, uint8_t high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const uint8_t first = byte(0);
  if (s.empty()) return 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const uint8_t low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const uint8_t low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Bytes up to the first that is not valid UTF-8.
size_t valid_prefix(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size()) {
    const size_t length = sequence_length(bytes.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

struct Converted {
  std::string text;
  size_t read;  // bytes of the input that could be converted
};

Converted convert(std::string_view in, const char* to, const char* from) {
  const iconv_t converter = iconv_open(to, from);
  if (converter == iconv_t(-1))
    throw Error("this system cannot convert {} to {}: its iconv lacks the GB18030 module", from, to);
  Converted out{"", 0};
  char* source = const_cast<char*>(in.data());  // iconv does not write there
  size_t left = in.size();
  std::array<char, 4096> buffer;
  bool more = true;
  while (more) {
    char* sink = buffer.data();
    size_t room = buffer.size();
    more = iconv(converter, &source, &left, &sink, &room) == size_t(-1) && errno == E2BIG;
    out.text.append(buffer.data(), size_t(sink - buffer.data()));
  }
  iconv_close(converter);
  out.read = in.size() - left;
  return out;
}

std::string bad_byte(std::string_view bytes, size_t at, Encoding encoding) {
  int line = 1;
  for (char c : bytes.substr(0, at)) line += c == '\n';
  return fmt::format("line {}: byte {} (0x{:02X}) is not valid {}", line, at + 1, uint8_t(bytes[at]),
                     name_of(encoding));
}

}  // namespace

std::string_view name_of(Encoding encoding) {
  return kNames[size_t(encoding)];
}

Encoding encoding_named(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return Encoding(i);
  throw Error("unknown encoding '{}': expected utf-8 or gb18030", name);
}

bool is_valid_utf8(std::string_view bytes) {
  return valid_prefix(bytes) == bytes.size();
}

Encoding detect_encoding(std::string_view bytes) {
  return bytes.starts_with(kMark) || is_valid_utf8(bytes) ? Encoding::Utf8 : Encoding::Gb18030;
}

Result<std::string> to_utf8(std::string_view bytes, Encoding encoding) {
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    return Result<std::string>::failure("the text is UTF-16: expected utf-8 or gb18030");
  if (encoding == Encoding::Utf8) {
    const size_t valid = valid_prefix(bytes);
    if (valid < bytes.size()) return Result<std::string>::failure(bad_byte(bytes, valid, encoding));
    return std::string(bytes.starts_with(kMark) ? bytes.substr(kMark.size()) : bytes);
  }
  Converted out = convert(bytes, "UTF-8", "GB18030");
  if (out.read < bytes.size()) return Result<std::string>::failure(bad_byte(bytes, out.read, encoding));
  return std::move(out.text);
}

std::string from_utf8(std::string_view text, Encoding encoding) {
  if (encoding == Encoding::Utf8) return std::string(text);
  Converted out = convert(text, "GB18030", "UTF-8");
  if (out.read < text.size()) {
    std::string_view rest = text.substr(out.read);
    if (sequence_length(rest) == 0) throw Error("{}", bad_byte(text, out.read, Encoding::Utf8));
    throw Error("the sign U+{:04X} has no place in gb18030", uint32_t(take_code_point(rest)));
  }
  return std::move(out.text);
}

char32_t take_code_point(std::string_view& text) {
  const size_t length = sequence_length(text);
  CHUHE_CHECK(length > 0, "not valid UTF-8");
  char32_t c = uint8_t(text[0]);
  if (length > 1) c &= 0x7Fu >> length;
  for (size_t i = 1; i < length; ++i) c = c << 6 | (uint8_t(text[i]) & 0x3F);
  text.remove_prefix(length);
  return c;
}

void append_code_point(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += char(c);
    return;
  }
  if (c < 0x800) {
    out += char(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    out += char(0xE0 | c >> 12);
    out += char(0x80 | (c >> 6 & 0x3F));
  } else {
    out += char(0xF0 | c >> 18);
    out += char(0x80 | (c >> 12 & 0x3F));
    out += char(0x80 | (c >> 6 & 0x3F));
  }
  out += char(0x80 | (c & 0x3F));
}

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                      (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                      (c >= 0xFFE0 && c <= 0xFFE6) || c >= 0x20000;
    columns += wide ? 2 : 1;
  }
  return columns;
}

}  // namespace chuhe::xiangqi
