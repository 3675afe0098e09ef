#include "play/uci_text.h"

#include <algorithm>
#include <charconv>

#include "play/score.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::play {

using xiangqi::Color;
using xiangqi::GameHistory;
using xiangqi::Move;
using xiangqi::Position;
using Words = std::span<const std::string_view>;

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

std::optional<int64_t> whole_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// Plays the words on the history; the index of the first one that is no legal move, or their number.
size_t play_all(GameHistory& history, Words moves, int rank_base) {
  for (size_t i = 0; i < moves.size(); ++i) {
    const Move move = xiangqi::parse_uci(moves[i], rank_base);
    if (!move || !history.current().is_legal(move)) return i;
    history.push(move);
  }
  return moves.size();
}

std::string illegal_move(const GameHistory& before, Words moves, size_t bad, int rank_base) {
  const char* why =
      xiangqi::parse_uci(moves[bad], rank_base) ? "not legal" : "no move; expected one like h2e2";
  return fmt::format("move {} of {}, '{}', is {} in {}; the position stays as it was", bad + 1, moves.size(),
                     printable(moves[bad], 12), why, before.current().to_fen());
}

std::string score_text(const InfoLine& line) {
  return line.mate ? fmt::format("mate {}", *line.mate) : fmt::format("cp {}", line.centipawns);
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  std::vector<std::string_view> words;
  for (size_t at = line.find_first_not_of(kBlank); at != line.npos; at = line.find_first_not_of(kBlank, at)) {
    const size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string printable(std::string_view text, size_t most) {
  std::string out(text.substr(0, most));
  for (char& c : out)
    if (c < 0x20 || c > 0x7e) c = '?';
  return text.size() > most ? out + "..." : out;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

Result<PositionText> parse_position(Words words, const xiangqi::RuleSet& rules, int rank_base) {
  using Out = Result<PositionText>;
  const auto moves_at = std::find(words.begin(), words.end(), "moves");
  const Words setup = words.first(size_t(moves_at - words.begin()));
  const Words moves = moves_at == words.end() ? Words() : words.subspan(setup.size() + 1);

  Position start;
  if (!setup.empty() && setup[0] == "fen") {
    std::string fen;
    for (const auto word : setup.subspan(1)) fen.append(fen.empty() ? "" : " ").append(word);
    const auto parsed = Position::from_fen(fen);
    if (!parsed)
      return Out::failure(
          fmt::format("fen: {}; the position stays as it was", printable(parsed.error(), 300)));
    start = *parsed;
  } else if (setup.size() != 1 || setup[0] != "startpos") {
    return Out::failure(
        "position: expected 'startpos' or 'fen <FEN>', then perhaps 'moves ...'; the position stays as it "
        "was");
  }

  const GameHistory origin(start, rules.natural_limit_checks);
  PositionText out{origin, {}};
  const size_t played = play_all(out.history, moves, rank_base);
  if (played == moves.size()) return out;
  PositionText other{origin, {}};
  if (play_all(other.history, moves, 1 - rank_base) == moves.size()) {
    other.note = fmt::format(
        "moves read with ranks from {}; the option UCI_RankBase makes the answers so too", 1 - rank_base);
    return other;
  }
  return Out::failure(illegal_move(out.history, moves, played, rank_base));
}

Result<Limits> parse_go(Words words, const Position& position, int rank_base) {
  Limits limits;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "infinite") limits.infinite = true;
    if (word == "ponder") limits.ponder = true;
    if (word == "searchmoves") {
      while (i + 1 < words.size()) {
        const Move move = xiangqi::parse_uci(words[i + 1], rank_base);
        if (!move || !position.is_legal(move)) break;
        limits.search_moves.push_back(move);
        ++i;
      }
    }
    constexpr std::string_view kNumbered[] = {"wtime",    "btime", "winc",  "binc", "movestogo",
                                              "movetime", "nodes", "depth", "mate"};
    if (std::ranges::find(kNumbered, word) == std::end(kNumbered)) continue;
    const auto value = i + 1 < words.size() ? whole_number(words[i + 1]) : std::nullopt;
    if (!value)
      return Result<Limits>::failure(fmt::format("go: {} wants a whole number, got '{}'; nothing is searched",
                                                 word,
                                                 i + 1 < words.size() ? printable(words[i + 1], 20) : ""));
    ++i;
    const int small = int(std::clamp<int64_t>(*value, 0, 1'000'000));
    const int64_t time = std::clamp<int64_t>(*value, 0, int64_t{1} << 40);
    if (word == "wtime") limits.clock_ms[0] = time;
    if (word == "btime") limits.clock_ms[1] = time;
    if (word == "winc") limits.increment_ms[0] = time;
    if (word == "binc") limits.increment_ms[1] = time;
    if (word == "movestogo") limits.moves_to_go = small;
    if (word == "movetime") limits.move_time_ms = time;
    if (word == "nodes") limits.nodes = time;
    if (word == "depth") limits.depth = small;
    if (word == "mate") limits.mate = small;
  }
  return limits;
}

std::vector<std::string> info_lines(const SearchInfo& info, bool show_wdl, int rank_base) {
  std::vector<std::string> out;
  // The form that GUIs and adapters know for a lost position.
  if (info.depth == 0 && info.lines.size() == 1 && info.lines[0].pv.empty())
    return {fmt::format("info depth 0 score {}", score_text(info.lines[0]))};
  for (size_t i = 0; i < info.lines.size(); ++i) {
    const InfoLine& line = info.lines[i];
    std::string text = fmt::format("info depth {} seldepth {} multipv {} score {}", info.depth, info.deepest,
                                   i + 1, score_text(line));
    if (show_wdl) text += fmt::format(" wdl {} {} {}", line.wdl[0], line.wdl[1], line.wdl[2]);
    text += fmt::format(" nodes {} nps {} hashfull {} tbhits 0 time {} pv", info.nodes, info.nodes_per_second,
                        info.hash_full, info.time_ms);
    for (const Move move : line.pv) text += ' ' + to_uci(move, rank_base);
    out.push_back(std::move(text));
  }
  return out;
}

std::string best_move_line(const BestMove& best, int rank_base) {
  if (!best.move) return "bestmove (none)";
  std::string text = "bestmove " + to_uci(best.move, rank_base);
  if (best.ponder) text += " ponder " + to_uci(best.ponder, rank_base);
  return text;
}

std::vector<std::string> drawing(const GameHistory& history, const xiangqi::RuleSet& rules) {
  const Position& position = history.current();
  std::vector<std::string> out;
  constexpr std::string_view kLetters = ".KABNRCPkabnrcp";
  for (int rank = xiangqi::kRanks - 1; rank >= 0; --rank) {
    std::string text = fmt::format("{} ", rank);
    for (int file = 0; file < xiangqi::kFiles; ++file)
      text += fmt::format(" {}", kLetters[size_t(position.piece_on(xiangqi::make_square(file, rank)))]);
    out.push_back(std::move(text));
  }
  out.push_back("   a b c d e f g h i");
  out.push_back("fen: " + position.to_fen());
  out.push_back(fmt::format("key: {:016x}", position.key()));
  std::string checkers;
  for (const xiangqi::Square s : position.checkers())
    checkers += fmt::format(" {}{}", char('a' + xiangqi::file_of(s)), xiangqi::rank_of(s));
  out.push_back("checkers:" + checkers);
  out.push_back(fmt::format("plies: {}  occurrences: {}", history.plies(), history.occurrences()));
  if (const auto end = game_end(history, position.legal_moves(), rules))
    out.push_back(
        fmt::format("over by the rules {}: {}, {}", rules.name, name_of(end->outcome), name_of(end->reason)));
  return out;
}

}  // namespace chuhe::play
