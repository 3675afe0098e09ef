#include "xiangqi/notation/diagram.h"

#include <gmock/gmock.h>

#include "xiangqi/notation/move_text.h"

namespace chuhe::xiangqi {
namespace {

using ::testing::HasSubstr;

int count(const std::string& text, const std::string& what) {
  int n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Every element is closed in the right order, and every attribute is quoted.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || count(tag, "\"") % 2 != 0) return false;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
  }
  return open.empty();
}

TEST(Diagram, TextBoardOfTheStart) {
  EXPECT_EQ(text_board(Position()),
            "9 r n b a k a b n r\n"
            "8 . . . . . . . . .\n"
            "7 . c . . . . . c .\n"
            "6 p . p . p . p . p\n"
            "5 . . . . . . . . .\n"
            " ~~~~~ river ~~~~~\n"
            "4 . . . . . . . . .\n"
            "3 P . P . P . P . P\n"
            "2 . C . . . . . C .\n"
            "1 . . . . . . . . .\n"
            "0 R N B A K A B N R\n"
            "  a b c d e f g h i\n"
            "Red to move\n");
  const std::string chinese = text_board(Position(), BoardSigns::Chinese);
  EXPECT_THAT(chinese, HasSubstr("9 車 馬 象 士 将 士 象 馬 車\n"));
  EXPECT_THAT(chinese, HasSubstr("0 车 马 相 仕 帅 仕 相 马 车\n"));
}

TEST(Diagram, SvgHasBoardPiecesAndArrows) {
  const Arrow arrows[] = {{parse_uci("h2e2"), "crimson", "1"}, {parse_uci("h9g7"), "#1f6fb2", "2"}};
  const std::string svg = svg_board(Position(), arrows, "a < b & \"c\" \x01");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(well_formed(svg)) << svg;
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot;  </text>"));
  EXPECT_EQ(count(svg, "r=\"26\""), 32);
  EXPECT_EQ(count(svg, ">车<"), 4);
  EXPECT_EQ(count(svg, ">卒<"), 5);
  EXPECT_EQ(count(svg, "<polygon"), 2);
  EXPECT_EQ(count(svg, "crimson"), 3);  // line and fill of the arrow, the label's disc
  EXPECT_THAT(svg, HasSubstr(">1</text>"));
  // 10 ranks, 2 whole and 7 broken files, 4 palace diagonals, 2 arrows.
  EXPECT_EQ(count(svg, "<line"), 10 + 2 + 14 + 4 + 2);
  EXPECT_EQ(svg.find("href"), std::string::npos);
}

TEST(Diagram, PiecesStandWhereTheyShould) {
  const Position p = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K3R w").value();
  const std::string svg = svg_board(p, {}, "");
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, "r=\"26\""), 3);
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"534.0\" cy=\"594.0\" r=\"26\""));  // i0
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"234.0\" cy=\"54.0\" r=\"26\""));   // d9
}

}  // namespace
}  // namespace chuhe::xiangqi
