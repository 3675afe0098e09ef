#include "match/openings.h"

#include <cmath>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"

namespace chuhe::match {

using xiangqi::Move;
using xiangqi::Position;

namespace {

constexpr std::string_view kMoves = "moves";
constexpr std::string_view kStart = "startpos";

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// The text of the comment opcode c0, or nothing.
std::string_view line_comment(std::string_view epd) {
  const size_t begin = epd.find("c0 \"");
  if (begin == std::string_view::npos) return {};
  const size_t end = epd.find('"', begin + 4);
  if (end == std::string_view::npos) throw Error("the comment c0 has no closing quote");
  return epd.substr(begin + 4, end - begin - 4);
}

Position position_of(std::string_view fen) {
  auto position = Position::from_fen(fen);
  if (!position) throw Error("{}", position.error());
  return *position;
}

// "<fen>|startpos [moves m1 m2 ...]"
Opening parse_line_of_play(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  Opening opening;
  size_t i = 0;
  for (; i < words.size() && words[i] != kMoves; ++i) {
    if (!opening.start_fen.empty()) opening.start_fen += ' ';
    opening.start_fen += words[i];
  }
  if (opening.start_fen == kStart)
    opening.start_fen.clear();
  else
    opening.start_fen = position_of(opening.start_fen).to_fen();
  Position p = opening.start_fen.empty() ? Position() : position_of(opening.start_fen);
  for (++i; i < words.size(); ++i) {
    const Move m = xiangqi::parse_uci(words[i]);
    if (!m || !p.is_legal(m))
      throw Error("move '{}' is not legal there, expected a legal move such as h2e2", words[i]);
    p.play(m);
    opening.moves.push_back(m);
  }
  return opening;
}

// EPD: four fields, then opcodes that end in semicolons.
Opening parse_epd(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  std::string fen;
  for (size_t i = 0; i < 4; ++i) fen += words[i] + (i < 3 ? " " : "");
  const Position position = position_of(fen);
  Opening opening{position.to_fen(), {}};
  if (const std::string_view line = line_comment(text); line.substr(0, kStart.size()) == kStart) {
    opening = parse_line_of_play(line);
    if (opening.position().key() != position.key())
      throw Error("the moves in c0 do not lead to the position");
  }
  return opening;
}

Opening parse_line(std::string_view text) {
  const Opening opening = text.find(';') != std::string_view::npos && words_of(text).size() >= 4
                              ? parse_epd(text)
                              : parse_line_of_play(text);
  if (!opening.position().has_legal_move()) throw Error("the game is over in this position");
  return opening;
}

}  // namespace

Position Opening::position() const {
  Position p = start_fen.empty() ? Position() : position_of(start_fen);
  for (const Move m : moves) p.play(m);
  return p;
}

OpeningBook parse_openings(std::string_view text, const std::string& name) {
  OpeningBook book;
  book.name = name;
  book.digest = hash_text(text);
  std::set<uint64_t> seen;
  std::istringstream in{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    try {
      Opening opening = parse_line(line);
      if (seen.insert(opening.position().key()).second)
        book.openings.push_back(std::move(opening));
      else
        ++book.duplicates;
    } catch (const Error& e) {
      throw Error("{}:{}: {}", name, number, e.what());
    }
  }
  if (book.openings.empty())
    throw Error("{}: no opening in it, expected one FEN or EPD line per opening", name);
  return book;
}

OpeningBook load_openings(const std::filesystem::path& path) {
  return parse_openings(read_file(path), path.string());
}

OpeningBook default_openings() {
  return parse_openings(default_openings_text(), "built-in openings");
}

OpeningBook openings_or_default(const std::string& path) {
  return path.empty() ? default_openings() : load_openings(path);
}

std::string to_epd(const Opening& opening, double value, int depth) {
  const std::string fen = opening.position().to_fen();
  const std::string board_and_side = fen.substr(0, fen.find(' ') + 2);
  std::string line = opening.start_fen.empty() ? std::string(kStart) : opening.start_fen;
  line += " moves";
  for (const Move m : opening.moves) line += ' ' + xiangqi::to_uci(m);
  return fmt::format("{} - - acd {}; ce {}; c0 \"{}\";", board_and_side, depth, std::lround(value * 100),
                     line);
}

}  // namespace chuhe::match
