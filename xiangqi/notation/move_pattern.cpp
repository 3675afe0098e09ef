#include "xiangqi/notation/move_pattern.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "xiangqi/notation/tandem.h"
#include "xiangqi/notation/text_encoding.h"

namespace chuhe::xiangqi {
namespace {

using Mark = MovePattern::Mark;

struct Sign {
  // PlusMinus and LetterB mean one thing in the head of a text and another elsewhere.
  enum Kind : uint8_t { PieceSign, Digit, MarkSign, Direction, PlusMinus, LetterB } kind;
  int value;
};

constexpr Sign piece(PieceType t) {
  return {Sign::PieceSign, int(t)};
}

std::optional<Sign> letter_sign(char32_t c) {
  switch (c) {
    case 'K':
      return piece(PieceType::King);
    case 'A':
      return piece(PieceType::Advisor);
    case 'E':
      return piece(PieceType::Elephant);
    case 'H':
    case 'N':
      return piece(PieceType::Horse);
    case 'R':
      return piece(PieceType::Rook);
    case 'C':
      return piece(PieceType::Cannon);
    case 'P':
      return piece(PieceType::Pawn);
    case 'B':
      return Sign{Sign::LetterB, 0};
    case 'F':
      return Sign{Sign::MarkSign, int(Mark::Front)};
    default:
      return std::nullopt;
  }
}

std::optional<Sign> chinese_sign_of(char32_t c) {
  switch (c) {
    case U'帅':
    case U'帥':
    case U'将':
    case U'將':
      return piece(PieceType::King);
    case U'仕':
    case U'士':
      return piece(PieceType::Advisor);
    case U'相':
    case U'象':
      return piece(PieceType::Elephant);
    case U'马':
    case U'馬':
    case U'傌':
      return piece(PieceType::Horse);
    case U'车':
    case U'車':
    case U'俥':
      return piece(PieceType::Rook);
    case U'炮':
    case U'砲':
    case U'包':
      return piece(PieceType::Cannon);
    case U'兵':
    case U'卒':
      return piece(PieceType::Pawn);
    case U'前':
      return Sign{Sign::MarkSign, int(Mark::Front)};
    case U'中':
      return Sign{Sign::MarkSign, int(Mark::Middle)};
    case U'后':
    case U'後':
      return Sign{Sign::MarkSign, int(Mark::Rear)};
    case U'进':
    case U'進':
      return Sign{Sign::Direction, +1};
    case U'退':
      return Sign{Sign::Direction, -1};
    case U'平':
      return Sign{Sign::Direction, 0};
    default:
      break;
  }
  constexpr std::u32string_view kDigits = U"一二三四五六七八九";
  const size_t digit = kDigits.find(c);
  if (digit == std::u32string_view::npos) return std::nullopt;
  return Sign{Sign::Digit, int(digit) + 1};
}

std::optional<Sign> sign_of(char32_t c) {
  if (c >= '1' && c <= '9') return Sign{Sign::Digit, int(c - '0')};
  if (c == '+' || c == '-') return Sign{Sign::PlusMinus, c == '+' ? 1 : -1};
  if (c == '=' || c == '.') return Sign{Sign::Direction, 0};
  if (c >= 'a' && c <= 'z') return letter_sign(c - 'a' + 'A');
  return c < 0x80 ? letter_sign(c) : chinese_sign_of(c);
}

/// What names the piece: file, mark, ordinal or place, in any of the accepted orders. False if it is none of
/// them.
bool read_head(std::vector<Sign> head, MovePattern& out) {
  const auto is = [](Sign::Kind kind) { return [kind](const Sign& s) { return s.kind == kind; }; };
  const bool has_piece = std::any_of(head.begin(), head.end(), is(Sign::PieceSign));
  bool letter_taken = has_piece;  // a first B is the elephant if nothing else is the piece
  std::string shape;              // P piece, D digit, M mark
  std::vector<int> digits;
  for (Sign& s : head) {
    if (s.kind == Sign::LetterB && !letter_taken) {
      s = piece(PieceType::Elephant);
      letter_taken = true;
    } else if (s.kind == Sign::LetterB) {
      s = {Sign::MarkSign, int(Mark::Rear)};
    } else if (s.kind == Sign::PlusMinus) {
      s = {Sign::MarkSign, int(s.value > 0 ? Mark::Front : Mark::Rear)};
    }
    if (s.kind == Sign::Direction) return false;
    if (s.kind == Sign::PieceSign) out.type = PieceType(s.value);
    if (s.kind == Sign::MarkSign) out.mark = Mark(s.value);
    if (s.kind == Sign::Digit) digits.push_back(s.value);
    shape += s.kind == Sign::PieceSign ? 'P' : s.kind == Sign::MarkSign ? 'M' : 'D';
  }
  if (shape == "PM" || shape == "MP") return true;
  if (shape == "PD" || shape == "MPD" || shape == "PMD" || shape == "MDP" || shape == "PDM") {
    out.file = digits[0];
    return true;
  }
  if (shape == "DP" && out.type == PieceType::Pawn) {
    out.ordinal = digits[0];
    return true;
  }
  if (shape == "DD" || (shape == "DPD" && out.type == PieceType::Pawn)) {
    out.place = digits[0];
    out.file = digits[1];
    return true;
  }
  return false;
}

Result<MovePattern> no_pattern(std::string_view text, bool short_form) {
  return Result<MovePattern>::failure(
      fmt::format("'{}' is no move: expected piece, file{} and number, such as {}", quoted(text),
                  short_form ? "" : ", direction", short_form ? "炮25" : "炮二平五, 前车进一, C2=5 or R+=8"));
}

}  // namespace

std::string half_width(std::string_view text) {
  std::string out;
  if (!is_valid_utf8(text)) return out;
  while (!text.empty()) {
    char32_t c = take_code_point(text);
    if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
    if (c == 0x3000) c = ' ';
    if (c == 0x2212 || c == 0x2013 || c == 0x2014) c = '-';
    append_code_point(out, c);
  }
  return out;
}

std::string quoted(std::string_view text) {
  constexpr int kLongest = 24;
  if (!is_valid_utf8(text)) return "(bytes that are not UTF-8)";
  std::string out;
  for (int n = 0; !text.empty(); ++n) {
    if (n == kLongest) return out + "...";
    const char32_t c = take_code_point(text);
    append_code_point(out, c < 0x20 || c == 0x7F ? U'?' : c);
  }
  return out;
}

bool resembles_move(std::string_view word) {
  constexpr int kLongestMove = 6;  // a10a10
  int signs = 0, known = 0;
  const std::string plain = half_width(word);
  for (std::string_view rest = plain; !rest.empty();) {
    const char32_t c = take_code_point(rest);
    const bool of_square = (c >= 'a' && c <= 'i') || (c >= 'A' && c <= 'I') || c == '0';
    ++signs;
    known += of_square || sign_of(c);
  }
  return signs <= kLongestMove && 2 * known > signs;
}

Result<MovePattern> parse_pattern(std::string_view text, bool direction_may_lack) {
  const std::string plain = half_width(text);
  std::vector<Sign> signs;
  for (std::string_view rest = plain; !rest.empty();) {
    const auto sign = sign_of(take_code_point(rest));
    if (!sign) return no_pattern(text, direction_may_lack);
    signs.push_back(*sign);
  }
  MovePattern out;
  if (signs.size() < 3 || signs.back().kind != Sign::Digit) return no_pattern(text, direction_may_lack);
  out.amount = signs.back().value;
  signs.pop_back();
  const Sign before = signs.back();
  if (before.kind == Sign::Direction || before.kind == Sign::PlusMinus) {
    out.forward = before.value;
    signs.pop_back();
  }
  if ((!out.forward && !direction_may_lack) || !read_head(signs, out))
    return no_pattern(text, direction_may_lack);
  return out;
}

bool MovePattern::fits(const Position& p, Move m) const {
  const Color side = p.side_to_move();
  if (type_of(p.piece_on(m.from())) != type) return false;
  if (file != 0 && file_number(side, m.from()) != file) return false;
  const int advance = advance_of(side, m.to()) - advance_of(side, m.from());
  if (forward && *forward != (advance > 0) - (advance < 0)) return false;
  const bool by_file = advance == 0 || !moves_along_files(type);
  if (amount != (by_file ? file_number(side, m.to()) : std::abs(advance))) return false;
  if (mark == Mark::None && ordinal == 0 && place == 0) return true;
  const Tandem t = tandem_of(p, m.from());
  if (t.count < 2) return false;
  if (mark == Mark::Front && t.place != 1) return false;
  if (mark == Mark::Rear && t.place != t.count) return false;
  if (mark == Mark::Middle && (t.place == 1 || t.place == t.count)) return false;
  return (ordinal == 0 || ordinal == t.number) && (place == 0 || place == t.place);
}

}  // namespace chuhe::xiangqi
