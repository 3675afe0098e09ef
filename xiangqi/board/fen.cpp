#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "xiangqi/board/attacks.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::string_view kLetters = ".KABNRCPkabnrcp";
constexpr std::string_view kNames[kPieceTypes] = {"king", "advisor", "elephant", "horse",
                                                  "rook", "cannon",  "pawn"};
constexpr int kSetSizes[kPieceTypes] = {1, 2, 2, 2, 2, 2, 5};

std::string_view name_of(Color c) {
  return c == Color::Red ? "red" : "black";
}
std::string name_of(Square s) {
  return fmt::format("{}{}", char('a' + file_of(s)), rank_of(s));
}

Piece piece_of(char letter) {
  if (letter == 'H') letter = 'N';
  if (letter == 'h') letter = 'n';
  if (letter == 'E') letter = 'B';
  if (letter == 'e') letter = 'b';
  const size_t i = kLetters.find(letter, 1);
  return i == std::string_view::npos ? Piece::None : Piece(i);
}

/// A byte of a hostile text, fit for a one-line message.
std::string shown(char c) {
  const unsigned char u = static_cast<unsigned char>(c);
  return u < 0x20 || u >= 0x7f ? fmt::format("\\x{:02x}", u) : fmt::format("{}", c);
}
std::string shown(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string out;
  for (char c : text.substr(0, kLongest)) out += shown(c);
  return text.size() > kLongest ? out + "..." : out;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> fields;
  constexpr std::string_view kBlanks = " \t\r\n";
  for (size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    fields.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kBlanks, end);
  }
  return fields;
}

std::optional<int> number(std::string_view text, int max) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < 0 || value > max)
    return std::nullopt;
  return value;
}

}  // namespace

/// Fills a Position from a FEN's fields. Each step returns an empty text or what is wrong.
class PositionBuilder {
 public:
  std::string board(std::string_view field) {
    int rank = 9, file = 0;
    for (char c : field) {
      if (c == '/') {
        if (file != kFiles) return fmt::format("FEN rank {} has {} files, expected 9", rank, file);
        if (rank == 0) return "FEN board has more than 10 ranks";
        --rank, file = 0;
        continue;
      }
      const Piece piece = piece_of(c);
      if (piece == Piece::None && (c < '1' || c > '9'))
        return fmt::format(
            "FEN rank {}: unknown letter '{}', expected one of KABNRCP (or H, E; small for black), 1..9 or /",
            rank, shown(c));
      const int width = piece == Piece::None ? c - '0' : 1;
      if (file + width > kFiles) return fmt::format("FEN rank {} has more than 9 files", rank);
      if (piece != Piece::None) put(make_square(file, rank), piece);
      file += width;
    }
    if (file != kFiles) return fmt::format("FEN rank {} has {} files, expected 9", rank, file);
    if (rank != 0) return fmt::format("FEN board has {} ranks, expected 10", 10 - rank);
    return {};
  }

  std::string side(std::string_view field) {
    if (field == "b") {
      position_ = position_.after_pass();
    } else if (field != "w" && field != "r") {
      return fmt::format("FEN field 2 (side to move) is '{}', expected w, r or b", shown(field));
    }
    return {};
  }

  std::string counters(std::string_view quiet, std::string_view moves) {
    constexpr int kMostPlies = 9999, kMostMoves = 99999;
    const auto plies = number(quiet, kMostPlies), number_of_move = number(moves, kMostMoves);
    if (!plies)
      return fmt::format("FEN field 5 (plies without capture) is '{}', expected 0..{}", shown(quiet),
                         kMostPlies);
    if (!number_of_move)
      return fmt::format("FEN field 6 (move number) is '{}', expected 1..{}", shown(moves), kMostMoves);
    position_.quiet_plies_ = int16_t(*plies);
    position_.move_number_ = std::max(1, *number_of_move);  // some clients send 0
    return {};
  }

  /// The position must be one that the rules can deal with.
  std::string check() const {
    for (Color c : {Color::Red, Color::Black})
      for (int t = 0; t < kPieceTypes; ++t) {
        const Bitboard set = position_.pieces(c, PieceType(t));
        if (t == int(PieceType::King) && !set) return fmt::format("FEN board has no {} king", name_of(c));
        if (set.count() > kSetSizes[t])
          return fmt::format("FEN board has {} {} {}s, at most {} expected", set.count(), name_of(c),
                             kNames[t], kSetSizes[t]);
        if (const Bitboard lost = set & ~home_squares(c, PieceType(t)))
          return fmt::format("FEN board has a {} {} on {}, where it can never stand", name_of(c), kNames[t],
                             name_of(lost.first()));
      }
    const Square red = position_.king(Color::Red), black = position_.king(Color::Black);
    if (file_of(red) == file_of(black) && !(between(red, black) & position_.occupied()))
      return fmt::format("FEN board has the kings facing each other on file {}", char('a' + file_of(red)));
    if (position_.after_pass().in_check())
      return fmt::format("FEN has {} to move, who could capture the {} king",
                         name_of(position_.side_to_move()), name_of(~position_.side_to_move()));
    return {};
  }

  const Position& position() const { return position_; }

 private:
  void put(Square s, Piece p) {
    position_.board_[s] = p;
    position_.toggle(s, p);
    if (type_of(p) == PieceType::King) position_.king_[int(color_of(p))] = s;
  }
  Position position_{Position::Unset{}};
};

Result<Position> Position::from_fen(std::string_view fen) {
  const std::vector<std::string_view> fields = split(fen);
  const size_t n = fields.size();
  if (n != 1 && n != 2 && n != 4 && n != 6)
    return Result<Position>::failure(fmt::format(
        "FEN has {} fields, expected 1, 2, 4 or 6: board, side, -, -, plies without capture, move number",
        n));
  PositionBuilder builder;
  std::string wrong = builder.board(fields[0]);
  if (wrong.empty() && n >= 2) wrong = builder.side(fields[1]);
  for (size_t i = 2; wrong.empty() && i < std::min<size_t>(n, 4); ++i)
    if (fields[i] != "-") wrong = fmt::format("FEN field {} is '{}', expected -", i + 1, shown(fields[i]));
  if (wrong.empty() && n == 6) wrong = builder.counters(fields[4], fields[5]);
  if (wrong.empty()) wrong = builder.check();
  if (!wrong.empty()) return Result<Position>::failure(std::move(wrong));
  return builder.position();
}

std::string Position::to_fen() const {
  std::string out;
  for (int rank = 9; rank >= 0; --rank) {
    int gap = 0;
    for (int file = 0; file < kFiles; ++file) {
      const Piece p = board_[make_square(file, rank)];
      if (p == Piece::None) {
        ++gap;
        continue;
      }
      if (gap) out += char('0' + gap);
      gap = 0;
      out += kLetters[size_t(p)];
    }
    if (gap) out += char('0' + gap);
    if (rank) out += '/';
  }
  return out + fmt::format(" {} - - {} {}", side_ == Color::Red ? 'w' : 'b', quiet_plies_, move_number_);
}

}  // namespace chuhe::xiangqi
