#include <algorithm>

#include "xiangqi/notation/move_pattern.h"
#include "xiangqi/notation/pgn.h"
#include "xiangqi/notation/pgn_tags.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::string_view kBlanks = " \t\r\f\v";

/// Also without the wide blanks that Chinese text is indented by.
std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kWide = "\u3000";
  for (size_t size = 0; size != s.size();) {
    size = s.size();
    s.remove_prefix(std::min(s.find_first_not_of(kBlanks), s.size()));
    s.remove_suffix(s.size() - (s.find_last_not_of(kBlanks) + 1));
    if (s.starts_with(kWide)) s.remove_prefix(kWide.size());
    if (s.ends_with(kWide)) s.remove_suffix(kWide.size());
  }
  return s;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A line of the form [Name ...: a game's head, not its moves.
bool begins_tag(std::string_view line) {
  return line.size() > 1 && line[0] == '[' && is_letter(line[1]);
}

/// "炮二平五" of "1.炮二平五" (half-width). An ellipsis says that Black moves next.
struct Word {
  std::string_view text;
  bool numbered = false, ellipsis = false;
};

Word without_number(std::string_view text) {
  const auto take = [&text](std::string_view what) {
    const bool there = text.starts_with(what);
    if (there) text.remove_prefix(what.size());
    return there;
  };
  Word word;
  const std::string_view whole = text;
  while (!text.empty() && is_digit(text[0])) text.remove_prefix(1);
  word.numbered = text.size() < whole.size();
  int dots = 0;
  while (!text.empty())
    if (take(".") || take("、")) {
      ++dots;
    } else if (take("…")) {
      dots += 2;
    } else {
      break;
    }
  word.ellipsis = dots > 1;
  word.text = text;
  // No number at all, or one glued to a word that is no move by itself (15.6 is WXF): all of it is the move.
  // A number alone is no move.
  if (dots == 0 && !text.empty()) return {whole, false, false};
  if (dots == 1 && text.size() == 1 && parse_pattern(whole, false)) return {whole, false, false};
  return word;
}

std::string_view without_marks(std::string_view text) {
  while (text.ends_with('!') || text.ends_with('?')) text.remove_suffix(1);
  return text;
}

std::string first_word(std::string_view line) {
  const std::string word = half_width(line.substr(0, line.find_first_of(" \t\r{(;")));
  return word.substr(0, word.find(' '));
}

class Reader {
 public:
  Reader(std::string_view name, const PgnOptions& options, PgnFile& out)
      : name_(name), options_(options), out_(out) {}

  void read(const std::string& text) {
    const char newline = text.find('\n') == text.npos ? '\r' : '\n';  // old Macs have no \n
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find(newline, at), text.size());
      std::string_view line = std::string_view(text).substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      lines_.push_back(line);
      at = end + 1;
    }
    look_ahead();
    for (line_ = 0; line_ < lines_.size(); ++line_) read_line(lines_[line_]);
    end_of_game_in_braces();
    finish_game();
  }

 private:
  void read_line(std::string_view line) {
    const std::string_view start = trimmed(line);
    if (start.starts_with("[Game \"") || (variation_depth_ > 0 && !in_comment_ && begins_tag(start)))
      end_of_game_in_braces();
    if (in_comment_ || variation_depth_ > 0) return read_text(line);
    if (start.empty() || start[0] == '%') return;
    if (begins_tag(start)) return read_tags(start);
    if (closed_) {
      if (faulty_ || !start.starts_with("1.")) return;
      finish_game();  // the next game of a file without tags
    }
    if (is_beside_the_game(start)) return;
    read_text(line);
  }

  /// Else one forgotten brace would swallow all games that follow.
  void end_of_game_in_braces() {
    if (in_comment_ || variation_depth_ > 0)
      fault(fmt::format("the {} has no end: expected {}", in_comment_ ? "comment" : "variation",
                        in_comment_ ? '}' : ')'));
    in_comment_ = false;
    variation_depth_ = 0;
  }

  /// Advertising below the moves, or a preface above the first game.
  bool is_beside_the_game(std::string_view line) {
    const bool rule = line.starts_with("===");
    if (!rule && (can_begin_moves(line) || moves_follow_[line_])) return false;
    const bool nothing_yet = !has_head_ && !body_;
    if (nothing_yet) return rule || tags_follow_[line_];
    if (!rule && game_.moves.empty()) return false;
    if (!body_) begin_body();
    return closed_ = true;
  }
  static bool can_begin_moves(std::string_view line) {
    if (line[0] == '{' || line[0] == '(' || line[0] == ';' || line[0] == '$') return true;
    const std::string word = first_word(line);
    const Word w = without_number(word);
    return w.numbered || w.ellipsis || !result_of(word).empty() || resembles_move(without_marks(word));
  }
  /// What follows each line, once for all: each line asking anew would take minutes for a long preface.
  void look_ahead() {
    tags_follow_.resize(lines_.size());
    moves_follow_.resize(lines_.size());
    bool tags = false, moves = false;
    for (size_t i = lines_.size(); i-- > 0;) {
      const std::string_view line = trimmed(lines_[i]);
      const bool is_tag = begins_tag(line);
      tags_follow_[i] = tags = tags || is_tag;
      moves_follow_[i] = moves;
      if (is_tag) {
        moves = false;
      } else if (!moves && !line.empty()) {
        moves = without_number(first_word(line)).numbered;
      }
    }
  }

  // The head of a game.
  void read_tags(std::string_view line) {
    if (body_) finish_game();
    has_head_ = true;
    while (begins_tag(line)) {
      const size_t name_end = std::min(line.find_first_of(" \t\"]"), line.size());
      const std::string name(line.substr(1, name_end - 1));
      std::string_view rest = trimmed(line.substr(name_end));
      std::string value;
      if (!rest.starts_with('"') || !take_value(rest, value))
        return fault(fmt::format("'{}': expected a tag such as [{} \"text\"]", quoted(line), name));
      set_tag(name, value);
      line = trimmed(rest);
    }
    if (!line.empty()) fault(fmt::format("'{}' after a tag: expected nothing or [", quoted(line)));
  }

  /// Takes "text"] off the front. The value ends at the first quote before a bracket, as many files hold
  /// quotes that are not escaped.
  static bool take_value(std::string_view& rest, std::string& value) {
    for (size_t at = 1; at < rest.size(); ++at) {
      const char next = at + 1 < rest.size() ? rest[at + 1] : '\0';
      if (rest[at] == '\\' && (next == '\\' || next == '"')) {
        value += next;
        ++at;
      } else if (rest[at] == '"' && trimmed(rest.substr(at + 1)).starts_with(']')) {
        rest.remove_prefix(rest.find(']', at) + 1);
        return true;
      } else {
        value += rest[at];
      }
    }
    return false;
  }

  void set_tag(const std::string& name, const std::string& value) {
    if (name == "Game" || name == "Event") {
      // A game without moves has ended where the next one's head begins.
      if (!game_.tag(name).empty() || (name == "Game" && game_tag_seen_)) finish_game();
      game_tag_seen_ |= name == "Game";
      has_head_ = true;
    }
    if (name == "FEN" || name == "Format" || name == "Result") {
      Derived& d = name == "FEN" ? fen_ : name == "Format" ? format_ : result_;
      d = {value, line_};
    } else if (name == "Game" || name == "Variant") {
      const bool known = equal_ignoring_case(value, kGameName) || equal_ignoring_case(value, kVariantName);
      if (known) return;
      fault(fmt::format("{} is '{}': expected {} or {}", name, quoted(value), kGameName, kVariantName));
      unusable_ = closed_ = true;
    } else if (name != "PlyCount") {
      game_.set_tag(name, value);
    }
  }

  /// Before the first word of the moves, or at the end of a game without any.
  void begin_body() {
    body_ = true;
    if (!fen_.value.empty()) {
      const auto start = Position::from_fen(fen_.value);
      if (start) {
        game_.start = position_ = *start;
      } else {
        unusable_ = closed_ = true;
        return fault_at(fen_.line, 0, fmt::format("FEN '{}': {}", quoted(fen_.value), start.error()));
      }
    }
    if (!format_.value.empty()) {
      if (const auto notation = notation_of_format(format_.value)) {
        game_.notation = *notation;
      } else {
        fault_at(format_.line, 0,
                 fmt::format("Format is '{}': expected Chinese, WXF, ICCS or UCI", quoted(format_.value)));
        format_.value.clear();
      }
    }
    if (result_.value.empty() || result_.value == "?") return;
    const std::string_view result = result_of(result_.value);
    if (!result.empty()) {
      game_.result = result;
      return;
    }
    fault_at(result_.line, 0,
             fmt::format("Result is '{}': expected 1-0, 0-1, 1/2-1/2 or *", quoted(result_.value)));
  }

  // The moves.
  void read_text(std::string_view rest) {
    for (;;) {
      if (in_comment_) {
        const size_t end = rest.find('}');
        comment_ += rest.substr(0, end);
        comment_ += end == std::string_view::npos ? " " : "";
        if (end == std::string_view::npos) return;
        in_comment_ = false;
        if (variation_depth_ == 0) add_comment(comment_);
        comment_.clear();
        rest.remove_prefix(end + 1);
      }
      rest = trimmed(rest);
      if (rest.empty()) return;
      if (!body_) begin_body();
      if (closed_) return;
      if (rest[0] == '{' || rest[0] == '(' || rest[0] == ')') {
        in_comment_ = rest[0] == '{';
        variation_depth_ = std::max(0, variation_depth_ + (rest[0] == '(') - (rest[0] == ')'));
        rest.remove_prefix(1);
      } else if (rest[0] == ';') {
        if (variation_depth_ == 0) add_comment(rest.substr(1));
        return;
      } else {
        const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r{();"));
        if (variation_depth_ == 0) read_words(half_width(word));
        rest.remove_prefix(word.size());
      }
    }
  }

  void add_comment(std::string_view text) {
    std::string& place = game_.comments.back();
    const std::string plain = plain_comment(text);
    if (!place.empty() && !plain.empty()) place += ' ';
    place += plain;
  }

  /// Wide blanks have become plain ones.
  void read_words(std::string_view text) {
    while (!closed_ && !(text = trimmed(text)).empty()) {
      const std::string_view word = text.substr(0, text.find(' '));
      read_word(word);
      text.remove_prefix(word.size());
    }
  }

  void read_word(std::string_view text) {
    if (text[0] == '$') return;
    if (const std::string_view result = result_of(text); !result.empty()) return read_result(result);
    const Word word = without_number(text);
    if (word.ellipsis && !black_moves_next()) return;
    const std::string_view move = without_marks(word.text);
    if (!move.empty()) read_move(move);
  }

  /// An ellipsis stands for Red's move: false if that does not fit. Without a FEN, "1. ... 马8进7" is a game
  /// in which Black moves first.
  bool black_moves_next() {
    if (position_.side_to_move() == Color::Black) return true;
    if (game_.moves.empty() && fen_.value.empty()) {
      std::string fen(kStartFen);
      fen.replace(fen.find(" w "), 3, " b ");
      game_.start = position_ = Position::from_fen(fen).value();
      return true;
    }
    fault("an ellipsis, but Red is to move: expected Red's move");
    closed_ = true;
    return false;
  }

  void read_result(std::string_view result) {
    closed_ = true;
    if (result == "*" || result == game_.result) return;
    if (game_.result == "*") {
      game_.result = result;
    } else {
      fault_at(line_, 0,
               fmt::format("the moves end in {}: expected {} as the tag Result says", result, game_.result));
    }
  }

  void read_move(std::string_view text) {
    const Notation seen = guess_notation(text);
    if (game_.moves.empty() && format_.value.empty()) game_.notation = seen;
    const bool short_text = seen == Notation::ChineseShort && game_.notation == Notation::Chinese;
    const auto move =
        parse_move(position_, text, format_.value.empty() || short_text ? seen : game_.notation);
    if (!move) {
      fault(move.error());
      closed_ = true;
      return;
    }
    game_.add_move(*move);
    position_.play(*move);
  }

  // Ends and faults.
  void fault(const std::string& message) {
    fault_at(line_, int(game_.moves.size()) + (body_ ? 1 : 0), message);
  }

  /// The first fault of a game counts.
  void fault_at(size_t line, int ply, const std::string& message) {
    if (faulty_) return;
    faulty_ = true;
    const int number = out_.games_read + 1;
    const std::string place =
        ply > 0 ? fmt::format("game {}, ply {}", number, ply) : fmt::format("game {}", number);
    out_.faults.push_back(
        {int(line) + 1, number, ply, fmt::format("{}:{}: {}: {}", name_, line + 1, place, message)});
  }

  void finish_game() {
    if (has_head_ && !body_) begin_body();
    if (body_) {
      name_red();
      if (!faulty_ || (options_.keep_legal && !unusable_)) out_.games.push_back(std::move(game_));
      ++out_.games_read;
    }
    game_ = PgnGame();
    position_ = Position();
    fen_ = format_ = result_ = {};
    comment_.clear();
    has_head_ = game_tag_seen_ = body_ = closed_ = faulty_ = unusable_ = in_comment_ = false;
    variation_depth_ = 0;
  }

  /// Programs for many games call Red White, or write both.
  void name_red() {
    auto& tags = game_.tags;
    const auto white =
        std::find_if(tags.begin(), tags.end(), [](const auto& t) { return t.first == "White"; });
    if (white == tags.end()) return;
    if (game_.tag("Red").empty()) {
      white->first = "Red";
    } else if (game_.tag("Red") == white->second) {
      tags.erase(white);
    }
  }

  struct Derived {
    std::string value;
    size_t line = 0;
  };
  std::string_view name_;
  const PgnOptions& options_;
  PgnFile& out_;
  std::vector<std::string_view> lines_;
  size_t line_ = 0;                 // from 0
  std::vector<bool> tags_follow_;   // by line: in this line or below it
  std::vector<bool> moves_follow_;  // by line: a numbered move below it, before the next tag

  PgnGame game_;
  Position position_;  // after the moves so far
  Derived fen_, format_, result_;
  bool has_head_ = false, game_tag_seen_ = false, body_ = false;
  bool closed_ = false;  // the moves have ended: all but tags is passed over
  bool faulty_ = false, unusable_ = false;
  bool in_comment_ = false;
  std::string comment_;
  int variation_depth_ = 0;
};

}  // namespace

PgnFile read_pgn(std::string_view bytes, std::string_view name, const PgnOptions& options) {
  PgnFile file;
  file.encoding = options.encoding.value_or(detect_encoding(bytes));
  const auto text = to_utf8(bytes, file.encoding);
  if (!text) throw Error("{}: {}", name, text.error());
  Reader(name, options, file).read(*text);
  return file;
}

}  // namespace chuhe::xiangqi
