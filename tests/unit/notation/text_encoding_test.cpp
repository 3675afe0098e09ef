#include "xiangqi/notation/text_encoding.h"

#include <gmock/gmock.h>

namespace chuhe::xiangqi {
namespace {

TEST(TextEncoding, TellsUtf8FromGb18030) {
  const std::string gb = "\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5";  // 炮二平五
  EXPECT_EQ(detect_encoding("plain"), Encoding::Utf8);
  EXPECT_EQ(detect_encoding("炮二平五"), Encoding::Utf8);
  EXPECT_EQ(detect_encoding("\xEF\xBB\xBF炮"), Encoding::Utf8);
  EXPECT_EQ(detect_encoding(gb), Encoding::Gb18030);
  EXPECT_EQ(to_utf8(gb, Encoding::Gb18030).value(), "炮二平五");
  EXPECT_EQ(to_utf8("\xEF\xBB\xBF炮", Encoding::Utf8).value(), "炮");
  EXPECT_EQ(from_utf8("炮二平五", Encoding::Gb18030), gb);
}

TEST(TextEncoding, EverySignComesBack) {
  std::string all;
  for (char32_t c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 37)
    if (c < 0xD800 || (c > 0xF8FF && c < 0xF0000)) append_code_point(all, c);
  EXPECT_TRUE(is_valid_utf8(all));
  EXPECT_EQ(to_utf8(from_utf8(all, Encoding::Gb18030), Encoding::Gb18030).value(), all);
}

TEST(TextEncoding, RefusesBrokenText) {
  for (const char* bad :
       {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE7\x82", "\x80", "\xF8"})
    EXPECT_FALSE(is_valid_utf8(bad)) << bad;
  EXPECT_THAT(to_utf8("a\nb\xff", Encoding::Gb18030).error(), testing::HasSubstr("line 2: byte 4 (0xFF)"));
  EXPECT_THAT(to_utf8("ab\xe7\x82", Encoding::Utf8).error(), testing::HasSubstr("line 1: byte 3 (0xE7)"));
  EXPECT_THAT(to_utf8("\xFF\xFEx", Encoding::Utf8).error(), testing::HasSubstr("UTF-16"));
  EXPECT_THROW(encoding_named("big5"), Error);
  // A private code point: which of them have a place depends on the edition of the standard.
  try {
    EXPECT_EQ(to_utf8(from_utf8("\uE78D", Encoding::Gb18030), Encoding::Gb18030).value(), "\uE78D");
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("U+E78D"));
  }
  EXPECT_THROW(from_utf8("\xE7\x82", Encoding::Gb18030), Error);
}

TEST(TextEncoding, ChineseSignsTakeTwoColumns) {
  EXPECT_EQ(columns_of("abc"), 3);
  EXPECT_EQ(columns_of("炮8平5"), 6);
  EXPECT_EQ(columns_of("é１"), 3);
}

}  // namespace
}  // namespace chuhe::xiangqi
