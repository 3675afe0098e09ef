#include <algorithm>

#include "xiangqi/notation/pgn.h"
#include "xiangqi/notation/pgn_tags.h"

namespace chuhe::xiangqi {
namespace {

constexpr int kColumns = 80;

void append_tag(std::string& out, std::string_view name, std::string_view value) {
  out += fmt::format("[{} \"", name);
  for (char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  out += "\"]\n";
}

std::string tags_of(const PgnGame& game) {
  std::string out;
  append_tag(out, "Game", kGameName);
  bool result_written = false;
  for (const auto& [name, value] : game.tags) {
    append_tag(out, name, value);
    if (name != "Black") continue;
    // The roster that other programs look for stands together.
    append_tag(out, "Result", game.result);
    result_written = true;
  }
  if (!result_written) append_tag(out, "Result", game.result);
  const std::string_view red = game.tag("Red");
  if (!red.empty() && game.tag("White").empty()) append_tag(out, "White", red);
  append_tag(out, "Variant", kVariantName);
  if (game.start != Position()) append_tag(out, "FEN", game.start.to_fen());
  append_tag(out, "Format", format_tag(game.notation));
  append_tag(out, "PlyCount", std::to_string(game.moves.size()));
  return out;
}

/// Words with single blanks or line breaks between them, no line longer than a page unless a word is.
class Page {
 public:
  void word(std::string_view text) {
    const int width = columns_of(text);
    if (column_ > 0 && column_ + 1 + width > kColumns) {
      text_ += '\n';
      column_ = 0;
    }
    if (column_ > 0) {
      text_ += ' ';
      ++column_;
    }
    text_ += text;
    column_ += width;
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
  int column_ = 0;
};

/// A blank beside another one must not become a line break: it would come back as one.
void write_comment(Page& page, std::string_view comment) {
  const std::string text = fmt::format("{{{}}}", plain_comment(comment));
  size_t from = 0;
  for (size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
    if (text[at - 1] == ' ' || text[at + 1] == ' ') continue;
    page.word(std::string_view(text).substr(from, at - from));
    from = at + 1;
  }
  page.word(std::string_view(text).substr(from));
}

std::string move_word(const Position& p, Move m, Notation notation) {
  std::string text = to_text(p, m, notation);
  if (notation != Notation::ChineseShort) return text;
  const auto fits = fitting_moves(p, text, notation);
  return fits && fits->size() == 1 ? text : to_text(p, m, Notation::Chinese);
}

}  // namespace

std::string write_pgn(const PgnGame& game, Encoding encoding) {
  CHUHE_CHECK(game.comments.size() == game.moves.size() + 1, "{} comments, {} moves", game.comments.size(),
              game.moves.size());
  Page page;
  Position p = game.start;
  const auto comment = [&](size_t i) {
    if (!game.comments[i].empty()) write_comment(page, game.comments[i]);
  };
  comment(0);
  for (size_t i = 0; i < game.moves.size(); ++i) {
    const bool black = p.side_to_move() == Color::Black;
    if (!black || i == 0) page.word(fmt::format("{}.", p.move_number()));
    if (black && i == 0) page.word("...");
    page.word(move_word(p, game.moves[i], game.notation));
    p.play(game.moves[i]);
    comment(i + 1);
  }
  page.word(game.result);
  return from_utf8(tags_of(game) + "\n" + std::move(page).text() + "\n\n", encoding);
}

std::string_view PgnGame::tag(std::string_view name) const {
  for (const auto& [known, value] : tags)
    if (known == name) return value;
  return "";
}

void PgnGame::set_tag(std::string_view name, std::string_view value) {
  const auto found = std::find_if(tags.begin(), tags.end(), [&](const auto& t) { return t.first == name; });
  if (found != tags.end()) {
    found->second = value;
  } else {
    tags.emplace_back(name, value);
  }
}

void PgnGame::add_move(Move m, std::string_view comment) {
  moves.push_back(m);
  comments.emplace_back(comment);
}

}  // namespace chuhe::xiangqi
