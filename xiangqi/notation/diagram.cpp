#include "xiangqi/notation/diagram.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "xiangqi/notation/move_text.h"
#include "xiangqi/notation/text_encoding.h"

namespace chuhe::xiangqi {
namespace {

// Lengths of the image in pixels.
constexpr int kCell = 60, kMargin = 54, kTitleHeight = 40, kPieceRadius = 26;
constexpr std::string_view kRed = "#b3261e", kBlack = "#1d1d1f", kInk = "#5b4a32", kWood = "#f3e3c3";

/// As text of an XML document, in an attribute or between tags.
std::string escaped(std::string_view text) {
  if (!is_valid_utf8(text)) return "?";
  std::string out;
  for (char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += uint8_t(c) < 0x20 ? ' ' : c;  // XML has no place for control characters
    }
  return out;
}

struct Point {
  double x, y;
};

struct Canvas {
  int top;  // of the board's first rank line
  std::string out;

  Point at(int file, int rank) const {
    return {double(kMargin + file * kCell), double(top + (kRanks - 1 - rank) * kCell)};
  }
  Point at(Square s) const { return at(file_of(s), rank_of(s)); }
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out += fmt::format(format, std::forward<Args>(args)...);
    out += '\n';
  }
  void line(Point a, Point b) {
    add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)", a.x, a.y, b.x, b.y);
  }
  /// Centred on the point. Said of every text, and the baseline by number: some programs know no better way.
  void text(Point p, int size, std::string_view fill, std::string_view what) {
    add(R"(<text x="{:.1f}" y="{:.1f}" font-size="{}" fill="{}" text-anchor="middle">{}</text>)", p.x,
        p.y + size * 0.36, size, fill, escaped(what));
  }
};

void draw_board(Canvas& c) {
  c.add(R"(<g stroke="{}" stroke-width="1.5" fill="none">)", kInk);
  const Point corner = c.at(0, 9);
  constexpr int kFrame = 6;
  c.add(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" stroke-width="3"/>)", corner.x - kFrame,
        corner.y - kFrame, 8 * kCell + 2 * kFrame, 9 * kCell + 2 * kFrame);
  for (int rank = 0; rank < kRanks; ++rank) c.line(c.at(0, rank), c.at(8, rank));
  for (int file = 0; file < kFiles; ++file) {
    const bool edge = file == 0 || file == 8;  // only the edges cross the river
    c.line(c.at(file, 0), c.at(file, edge ? 9 : 4));
    if (!edge) c.line(c.at(file, 5), c.at(file, 9));
  }
  for (int back : {0, 7}) {
    c.line(c.at(3, back), c.at(5, back + 2));
    c.line(c.at(5, back), c.at(3, back + 2));
  }
  c.add("</g>");
  const double river = (c.at(0, 4).y + c.at(0, 5).y) / 2;
  c.text({c.at(2, 4).x, river}, 28, kInk, "楚 河");
  c.text({c.at(6, 4).x, river}, 28, kInk, "漢 界");
  for (int file = 0; file < kFiles; ++file)
    c.text({c.at(file, 0).x, c.at(file, 0).y + kCell * 0.72}, 15, kInk, std::string(1, char('a' + file)));
  for (int rank = 0; rank < kRanks; ++rank)
    c.text({kMargin - kCell * 0.7, c.at(0, rank).y}, 15, kInk, std::to_string(rank));
}

void draw_pieces(Canvas& c, const Position& position) {
  for (Square s : position.occupied()) {
    const Piece piece = position.piece_on(s);
    const std::string_view ink = color_of(piece) == Color::Red ? kRed : kBlack;
    const Point p = c.at(s);
    c.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="#fff8e7" stroke="{}" stroke-width="2.5"/>)", p.x,
          p.y, kPieceRadius, ink);
    c.text(p, 30, ink, chinese_sign(piece));
  }
}

/// Beside the straight line, to the right of its direction, so that a move and the move back do not cover
/// each other.
void draw_arrow(Canvas& c, const Arrow& arrow) {
  constexpr double kAside = 9, kHead = 15, kHalfHead = 8, kDisc = 9;
  const Point from = c.at(arrow.move.from()), to = c.at(arrow.move.to());
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length == 0) return;
  const Point along{(to.x - from.x) / length, (to.y - from.y) / length}, aside{-along.y, along.x};
  const auto place = [&](double forward, double sideways) {
    return Point{from.x + along.x * forward + aside.x * (kAside + sideways),
                 from.y + along.y * forward + aside.y * (kAside + sideways)};
  };
  const double tip = length - kPieceRadius * 0.4;
  const Point tail = place(kPieceRadius * 0.4, 0), neck = place(tip - kHead, 0), end = place(tip, 0);
  const Point left = place(tip - kHead, -kHalfHead), right = place(tip - kHead, kHalfHead);
  const std::string colour = escaped(arrow.colour);
  c.add(R"(<g stroke="{0}" fill="{0}" opacity="0.85">)", colour);
  c.add(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke-width="5"/>)", tail.x, tail.y, neck.x,
        neck.y);
  c.add(R"(<polygon points="{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}" stroke="none"/>)", end.x, end.y,
        left.x, left.y, right.x, right.y);
  c.add("</g>");
  if (arrow.label.empty()) return;
  const Point label = place(length * 0.38, 0);
  c.add(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" fill="#ffffff" stroke="{}" stroke-width="2"/>)",
        label.x, label.y, kDisc, colour);
  c.text(label, arrow.label.size() > 2 ? 9 : 12, "#000000", arrow.label);
}

std::string_view board_sign(Piece p) {
  constexpr std::array<std::string_view, kPieces> kSigns = {"．", "帅", "仕", "相", "马", "车", "炮", "兵",
                                                            "将", "士", "象", "馬", "車", "砲", "卒"};
  return kSigns[size_t(p)];
}

}  // namespace

std::string text_board(const Position& position, BoardSigns signs) {
  constexpr std::string_view kLetters = ".KABNRCPkabnrcp";
  const bool letters = signs == BoardSigns::Letters;
  std::string out;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    out += std::to_string(rank);
    for (int file = 0; file < kFiles; ++file) {
      const Piece p = position.piece_on(make_square(file, rank));
      out += ' ';
      out += letters ? kLetters.substr(size_t(p), 1) : board_sign(p);
    }
    out += '\n';
    if (rank == 5) out += fmt::format(" {:~^{}}\n", " river ", letters ? 17 : 26);
  }
  out += ' ';
  for (int file = 0; file < kFiles; ++file) out += fmt::format(" {:<{}}", char('a' + file), letters ? 1 : 2);
  while (out.ends_with(' ')) out.pop_back();
  return out + fmt::format("\n{} to move\n", position.side_to_move() == Color::Red ? "Red" : "Black");
}

std::string svg_board(const Position& position, std::span<const Arrow> arrows, std::string_view title) {
  Canvas c{kMargin + (title.empty() ? 0 : kTitleHeight), ""};
  const int width = 2 * kMargin + 8 * kCell, height = c.top + kMargin + 9 * kCell;
  c.add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}")", width,
        height);
  c.add(R"( font-family="'Noto Serif CJK SC','Noto Sans CJK SC','SimSun',serif">)");
  if (!title.empty()) c.add("<title>{}</title>", escaped(title));
  c.add(R"(<rect width="{}" height="{}" fill="{}"/>)", width, height, kWood);
  if (!title.empty()) c.text({width / 2.0, kTitleHeight * 0.8}, 18, kInk, title);
  draw_board(c);
  draw_pieces(c, position);
  for (const Arrow& arrow : arrows) draw_arrow(c, arrow);
  return c.out + "</svg>\n";
}

}  // namespace chuhe::xiangqi
