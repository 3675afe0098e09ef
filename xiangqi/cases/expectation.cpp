#include "xiangqi/cases/expectation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "base/error.h"
#include "xiangqi/cases/case_file.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::xiangqi {
namespace {

/// Second-hand notes: information, not tests.
constexpr std::array<std::string_view, 2> kNotes = {"annot", "sky"};

constexpr int kDeepestPerft = 20;  // as of chuhe perft

template <class Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < Number{})
    throw Error("'{}' is no number from 0", text);
  return value;
}

std::string one_of(std::string_view text, std::initializer_list<std::string_view> choices) {
  if (std::ranges::find(choices, text) == choices.end())
    throw Error("'{}', expected one of {}", text, fmt::join(choices, ", "));
  return std::string(text);
}

bool yes(std::string_view text) {
  return one_of(text, {"yes", "no"}) == "yes";
}

Move a_move(std::string_view text) {
  const Move m = parse_uci(text);
  if (!m) throw Error("'{}' is no move, expected two squares such as h2e2", text);
  return m;
}

std::vector<Move> moves(std::string_view text) {
  std::vector<Move> out;
  for (const std::string& word : split_words(text, ',')) out.push_back(a_move(word));
  return out;
}

Square square(std::string_view text) {
  // Read as the beginning of a move.
  const Move m = text.size() == 2 ? parse_uci(std::string(text) + (text == "a0" ? "a1" : "a0")) : Move();
  if (!m) throw Error("'{}' is no square, expected a0 to i9", text);
  return m.from();
}

std::vector<PlyLabel> labels(std::string_view text) {
  std::vector<PlyLabel> out;
  for (const std::string& word : split_words(text, ',')) {
    const size_t colon = word.find(':');
    if (colon == std::string::npos) throw Error("label '{}', expected MOVE:LABEL", word);
    PlyLabel label{a_move(word.substr(0, colon)), PlyClass::Idle};
    const std::string name = word.substr(colon + 1);
    int c = 0;
    while (c < kPlyClasses && chinese_name_of(PlyClass(c)) != name) ++c;
    if (c == kPlyClasses) throw Error("label '{}', expected one of 将 杀 捉 兑 献 拦 跟 闲", name);
    label.ply_class = PlyClass(c);
    out.push_back(label);
  }
  if (out.empty()) throw Error("no labels");
  return out;
}

ExpectedVerdict verdict(std::string_view name, std::string_view value) {
  ExpectedVerdict v;
  v.derived = name.ends_with('~');
  if (v.derived) name.remove_suffix(1);
  v.rule_set = name;
  v.verdict = one_of(value, {"draw", "red_loses", "black_loses", "none", "disputed"});
  v.is_test = std::ranges::find(kNotes, name) == kNotes.end();
  if (v.is_test) rule_set(name);  // complains about an unknown name
  v.is_test = v.is_test && v.verdict != "disputed";
  return v;
}

MoveText move_text(std::string_view text) {
  const size_t arrow = text.find('>'), colon = text.find(':', arrow);
  if (colon == std::string_view::npos) throw Error("expected MOVE>cn:TEXT, MOVE>wxf:TEXT or MOVE>iccs:TEXT");
  const std::string which = one_of(text.substr(arrow + 1, colon - arrow - 1), {"cn", "wxf", "iccs"});
  MoveText out;
  out.move = a_move(text.substr(0, arrow));
  out.notation = which == "cn" ? Notation::Chinese : which == "wxf" ? Notation::Wxf : Notation::Iccs;
  out.text = text.substr(colon + 1);
  if (out.text.empty()) throw Error("no text after {}:", which);
  return out;
}

using E = Expectation;
struct Key {
  std::string_view name;
  void (*read)(E&, std::string_view value);
};
constexpr Key kKeys[] = {
    {"count", [](E& e, std::string_view v) { e.legal_count = number<int>(v); }},
    {"only", [](E& e, std::string_view v) { e.only = moves(v); }},
    {"mate_in", [](E& e, std::string_view v) { e.mate_in = number<int>(v); }},
    {"pv", [](E& e, std::string_view v) { e.mating_line = moves(v); }},
    {"kill", [](E& e, std::string_view v) { e.kill = yes(v); }},
    {"gain", [](E& e, std::string_view v) { e.gain = yes(v); }},
    {"by",
     [](E& e, std::string_view v) {
       e.gain_form = one_of(v, {"checks", "exchange"}) == "checks" ? GainForm::Checks : GainForm::Exchange;
     }},
    {"target", [](E& e, std::string_view v) { e.gain_target = square(v); }},
    {"line", [](E& e, std::string_view v) { e.gain_line = moves(v); }},
    {"recapture", [](E& e, std::string_view v) { e.recapture = yes(v); }},
    {"labels", [](E& e, std::string_view v) { e.labels = labels(v); }},
    {"occurrences", [](E& e, std::string_view v) { e.occurrences = number<int>(v); }},
    {"natural_limit",
     [](E& e, std::string_view v) {
       e.natural_limit = one_of(v, {"draw", "none"}) == "draw";
     }},
    {"egtb",
     [](E& e, std::string_view v) {
       e.exact = one_of(v, {"red_wins", "black_wins", "draw", "win", "loss"});
     }},
    {"plies", [](E& e, std::string_view v) { e.exact_plies = number<int>(v); }},
    {"claim",
     [](E& e, std::string_view v) {
       e.claim = one_of(v, {"red_wins", "black_wins", "draw", "none"});
     }},
    {"no_mating_material", [](E& e, std::string_view v) { e.bare = yes(v); }},
};

bool read_word(E& e, std::string_view token) {
  if (token == "check" || token == "nocheck") {
    e.check = token == "check";
  } else if (token == "stalemate") {
    e.stalemate = true;
  } else if (token == "checkmate") {
    e.checkmate = true;
  } else if (token[0] == '+') {
    e.legal.push_back(a_move(token.substr(1)));
  } else if (token[0] == '-') {
    e.illegal.push_back(a_move(token.substr(1)));
  } else {
    return false;
  }
  return true;
}

bool read_assignment(E& e, std::string_view token) {
  const size_t equals = token.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view name = token.substr(0, equals), value = token.substr(equals + 1);
  for (const Key& key : kKeys) {
    if (key.name != name) continue;
    key.read(e, value);
    return true;
  }
  if (name.empty() || name.find_first_not_of("0123456789") != std::string_view::npos) return false;
  const PerftCount count{number<int>(name), number<uint64_t>(value)};
  if (count.depth < 1 || count.depth > kDeepestPerft)
    throw Error("perft depth {}, expected 1 to {}", count.depth, kDeepestPerft);
  e.perft.push_back(count);
  return true;
}

void read_token(E& e, std::string_view token) {
  if (read_word(e, token)) return;
  if (token.find('>') != std::string_view::npos) {
    e.texts.push_back(move_text(token));
    return;
  }
  constexpr std::string_view kGame = "game_cn:", kFen = "fen:";
  if (token.starts_with(kGame)) {
    e.game = split_words(token.substr(kGame.size()), ',');
    return;
  }
  if (token.starts_with(kFen)) {
    e.fen_valid = one_of(token.substr(kFen.size()), {"valid", "invalid"}) == "valid";
    return;
  }
  if (read_assignment(e, token)) return;
  const size_t colon = token.find(':');
  if (colon == std::string_view::npos)
    throw Error("nothing that a case can say (docs/cases.md lists the tokens)");
  e.verdicts.push_back(verdict(token.substr(0, colon), token.substr(colon + 1)));
}

/// Tokens that say something only together with another.
void check_companions(const E& e) {
  const auto needs = [](bool has, bool companion, std::string_view what) {
    if (has && !companion) throw Error("{}", what);
  };
  needs(!e.mating_line.empty(), e.mate_in.has_value(), "pv without mate_in");
  needs(!e.gain_line.empty() || e.gain_target != kNoSquare, e.gain.has_value(),
        "line or target without gain");
  needs(!e.labels.empty(), !e.verdicts.empty(), "labels without a rule set");
  needs(e.exact_plies.has_value(), e.exact.has_value(), "plies without egtb");
  needs(e.mate_in && *e.mate_in < 1, false, "mate_in=0, expected at least 1");
  needs(e.mate_in && e.kill && !*e.kill, false, "kill=no with a mate_in");
}

}  // namespace

Expectation parse_expectation(const std::vector<std::string>& tokens) {
  Expectation e;
  for (const std::string& token : tokens) {
    try {
      read_token(e, token);
    } catch (const Error& error) {
      throw Error("token '{}': {}", token, error.what());
    }
  }
  check_companions(e);
  return e;
}

}  // namespace chuhe::xiangqi
