#include "xiangqi/notation/move_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "xiangqi/notation/tandem.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"chinese", "chinese_short", "wxf", "iccs", "uci", "uci1"};
constexpr std::array<std::string_view, 10> kChineseDigits = {"〇", "一", "二", "三", "四",
                                                             "五", "六", "七", "八", "九"};

/// The last part of a text: where to. `amount` is the target's file, or for steps along a file their number.
struct Step {
  int forward;  // +1, 0 (sideways), -1
  int amount;
};

Step step_of(Color side, PieceType type, Move m) {
  const int advance = advance_of(side, m.to()) - advance_of(side, m.from());
  const int forward = (advance > 0) - (advance < 0);
  const bool by_file = forward == 0 || !moves_along_files(type);
  return {forward, by_file ? file_number(side, m.to()) : std::abs(advance)};
}

std::string_view chinese_digit(Color side, int digit) {
  constexpr std::string_view kArabic = "0123456789";
  return side == Color::Red ? kChineseDigits[size_t(digit)] : kArabic.substr(size_t(digit), 1);
}

std::string chinese_head(const Position& p, Square from, Color digits) {
  const std::string_view sign = chinese_sign(p.piece_on(from));
  const Tandem t = tandem_of(p, from);
  if (!t.marked) return fmt::format("{}{}", sign, chinese_digit(digits, file_number(p.side_to_move(), from)));
  if (t.numbered) return fmt::format("{}{}", kChineseDigits[size_t(t.number)], sign);
  return fmt::format("{}{}", t.place == 1 ? "前" : t.place == t.count ? "后" : "中", sign);
}

std::string chinese(const Position& p, Move m) {
  const Color side = p.side_to_move();
  const Step step = step_of(side, type_of(p.piece_on(m.from())), m);
  return fmt::format("{}{}{}", chinese_head(p, m.from(), side),
                     step.forward > 0   ? "进"
                     : step.forward < 0 ? "退"
                                        : "平",
                     chinese_digit(side, step.amount));
}

/// The article gives no short form of a retreat, so its sign stays. Digits are 1 to 9 for both sides.
std::string chinese_short(const Position& p, Move m) {
  const Step step = step_of(p.side_to_move(), type_of(p.piece_on(m.from())), m);
  return fmt::format("{}{}{}", chinese_head(p, m.from(), Color::Black), step.forward < 0 ? "退" : "",
                     step.amount);
}

std::string wxf(const Position& p, Move m) {
  const PieceType type = type_of(p.piece_on(m.from()));
  const Step step = step_of(p.side_to_move(), type, m);
  const Tandem t = tandem_of(p, m.from());
  const int file = file_number(p.side_to_move(), m.from());
  std::string head;
  if (!t.marked) {
    head = fmt::format("{}{}", wxf_letter(type), file);
  } else if (t.count > 2 || t.numbered) {
    head = fmt::format("{}{}", t.place, file);
  } else {
    head = fmt::format("{}{}", wxf_letter(type), t.place == 1 ? '+' : '-');
  }
  return fmt::format("{}{}{}", head, step.forward > 0 ? '+' : step.forward < 0 ? '-' : '=', step.amount);
}

std::string iccs(Move m) {
  const auto file = [](Square s) { return char('A' + file_of(s)); };
  return fmt::format("{}{}-{}{}", file(m.from()), rank_of(m.from()), file(m.to()), rank_of(m.to()));
}

}  // namespace

std::string_view name_of(Notation notation) {
  return kNames[size_t(notation)];
}

Notation notation_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) throw Error("unknown notation '{}': expected one of {}", name, notation_list());
  return Notation(found - kNames.begin());
}

std::string notation_list() {
  return fmt::format("{}", fmt::join(kNames, ", "));
}

std::string_view chinese_sign(Piece piece) {
  constexpr std::array<std::string_view, kPieces> kSigns = {"",   "帅", "仕", "相", "马", "车", "炮", "兵",
                                                            "将", "士", "象", "马", "车", "炮", "卒"};
  return kSigns[size_t(piece)];
}

char wxf_letter(PieceType type) {
  return "KAEHRCP"[int(type)];
}

std::string to_text(const Position& before, Move legal, Notation notation) {
  CHUHE_CHECK(!before.empty(legal.from()), "no piece on the move's square: {} in {}", to_uci(legal),
              before.to_fen());
  switch (notation) {
    case Notation::Chinese:
      return chinese(before, legal);
    case Notation::ChineseShort:
      return chinese_short(before, legal);
    case Notation::Wxf:
      return wxf(before, legal);
    case Notation::Iccs:
      return iccs(legal);
    case Notation::Uci:
      return to_uci(legal);
    case Notation::UciFromOne:
      return to_uci(legal, 1);
  }
  CHUHE_CHECK(false, "notation {}", int(notation));
}

}  // namespace chuhe::xiangqi
