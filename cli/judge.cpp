// chuhe judge: how a line of play ends, and why.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/judge_pgn.h"
#include "cli/judge_report.h"
#include "cli/moves.h"
#include "cli/new_file.h"
#include "cli/parse.h"
#include "xiangqi/notation/diagram.h"

namespace chuhe::cli {
namespace {

using namespace xiangqi;
using nlohmann::json;

struct Options {
  std::string fen{kStartFen}, moves, rules, language = "en";
  NewFile svg;
  PgnRequest pgn;
  int ply = -1;  // judge after so many plies; -1 = all
  bool json = false, classify = false;
};

/// A game under one rule set, and what is said of it.
struct Case {
  const RuleSet& rules;
  GameHistory history;
  std::optional<GameEnd> end;
  std::optional<Verdict> verdict;
  std::vector<CyclePly> plies;  // of --classify
  Language language;
};

GameHistory first_plies(const GameHistory& whole, int plies, const RuleSet& rules) {
  if (plies > whole.plies()) throw Error("--ply {}: the game has only {} plies", plies, whole.plies());
  GameHistory out(whole.start(), rules.natural_limit_checks);
  for (int i = 0; i < plies; ++i) out.push(whole.facts()[size_t(i)].move);
  return out;
}

Case case_of(const Options& o) {
  std::optional<PgnGame> game;
  if (!o.pgn.path.empty()) game = chosen_game(o.pgn);
  const RuleSet& rules =
      game ? rules_of(*game, o.rules) : rule_set(o.rules.empty() ? kDefaultRuleSet : o.rules);
  GameHistory history = game ? history_of(*game, rules)
                             : GameHistory(Position::from_fen(o.fen).value(), rules.natural_limit_checks);
  if (!game) play_moves(history, o.moves);
  if (o.ply >= 0) history = first_plies(history, o.ply, rules);
  xiangqi::JudgeMemory memory(xiangqi::kRefereeBudget);
  Case c{rules, history, game_end(history, history.current().legal_moves(), rules, 0, &memory),
         {},    {},      language(o.language)};
  if (o.classify) {
    c.plies = classify_all(history, rules);
  } else {
    c.verdict = judge(history, rules, 0, xiangqi::kRefereeBudget);
  }
  return c;
}

json to_json(const Case& c) {
  const GameHistory& history = c.history;
  json out;
  out["rules"] = c.rules.name;
  out["fen"] = history.current().to_fen();
  out["plies"] = history.plies();
  out["in_check"] = history.current().in_check();
  out["occurrences"] = history.occurrences();
  out["quiet_plies"] = history.current().quiet_plies();
  out["counted_plies"] = history.counted_plies();
  out["outcome"] = c.end ? json(name_of(c.end->outcome)) : json(nullptr);
  out["reason"] = c.end ? json(name_of(c.end->reason)) : json(nullptr);
  out["verdict"] = c.verdict ? verdict_json(*c.verdict, history, c.rules) : json(nullptr);
  if (c.plies.empty()) return out;
  out["classified"] = json::array();
  Position before = history.start();
  for (const CyclePly& ply : c.plies) {
    out["classified"].push_back(ply_json(before, ply, c.rules));
    before.play(ply.move);
  }
  return out;
}

/// The board on which the plies begin.
void print_board(const Case& c, int first_ply) {
  fmt::print("{}\n", text_board(c.history.position_at(first_ply),
                                c.language == Language::Chinese ? BoardSigns::Chinese : BoardSigns::Letters));
}

/// Repetitions that the game ran past.
void print_earlier(const Case& c) {
  if (c.rules.repetition_count == 0) return;
  for (int ply = 1; ply < c.history.plies(); ++ply)
    if (const int n = c.history.facts()[size_t(ply - 1)].occurrences; n >= c.rules.repetition_count)
      fmt::print("earlier: the position after ply {} had occurred {} times (--ply {} judges it)\n", ply, n,
                 ply);
}

void print_text(const Case& c) {
  const GameHistory& history = c.history;
  if (c.verdict) {
    print_board(c, c.verdict->cycle.empty() ? history.plies() : one_round(*c.verdict).front().ply);
    fmt::print("{}", explain(*c.verdict, history, c.rules, c.language));
  }
  if (!c.plies.empty()) print_board(c, 0);
  Position before = history.start();
  for (const CyclePly& ply : c.plies) {
    fmt::print("{}", explain_ply(before, ply, c.rules, c.language));
    before.play(ply.move);
  }
  print_earlier(c);
  fmt::print("{}{}\n", history.current().to_fen(), history.current().in_check() ? " (check)" : "");
  fmt::print("occurrences {}, plies without capture {}, of which {} count\n", history.occurrences(),
             history.current().quiet_plies(), history.counted_plies());
  if (c.end) {
    fmt::print("{} {}\n", name_of(c.end->outcome), name_of(c.end->reason));
  } else {
    fmt::print("no end: the game goes on\n");
  }
}

void write_svg(const Case& c, const NewFile& file) {
  const std::span<const CyclePly> plies = c.verdict ? one_round(*c.verdict) : c.plies;
  if (c.history.plies() == 0) throw Error("--svg: there are no moves to draw, expected --moves or --pgn");
  if (plies.empty())
    throw Error(
        "--svg draws the cycle of a repetition: the position has occurred {} times, expected {} (or "
        "--classify)",
        c.history.occurrences(), int(c.rules.repetition_count));
  const bool english = c.language == Language::English;
  std::string title(english ? c.rules.title : c.rules.chinese_title);
  if (c.verdict) {
    const std::string who =
        english && c.verdict->must_change
            ? fmt::format("{} must change or loses", side_name(offender(*c.verdict), c.language))
            : ruling(*c.verdict, c.language);
    title = english ? fmt::format("{} ({}, {})", who, c.rules.name, c.verdict->article)
                    : fmt::format("{}（{}，{}）", who, c.rules.chinese_title, c.verdict->article);
  }
  file.check();
  write_file_atomically(file.path, plies_svg(plies, c.history, title, c.language));
}

/// An empty shell variable must not stand for another question than the one asked.
std::string complaint_if_empty(const std::string& text) {
  return text.empty() ? "is empty, expected a name" : "";
}

void add_options(CLI::App& app, Options& o) {
  CLI::Option* fen =
      app.add_option("--fen", o.fen, "position before the moves (default: the start of the game)");
  CLI::Option* moves = app.add_option("--moves", o.moves,
                                      "moves in any notation: \"h2e2 h9g7\", \"炮二平五 马8进7\", \"C2=5\"");
  CLI::Option* pgn = app.add_option("--pgn", o.pgn.path,
                                    "judge the games of this file: each repetition, and the header's result");
  pgn->excludes(fen)->excludes(moves)->check(complaint_if_empty);
  app.add_option("--game", o.pgn.game, "only this game of the file, explained in full")
      ->needs(pgn)
      ->check(CLI::Range(1, 1 << 30));
  app.add_option("--rules", o.rules,
                 fmt::format("rule set: {} (default: {}, or the game's own tag {})", rule_set_list(),
                             kDefaultRuleSet, kRuleSetTag))
      ->check(complaint_if_empty);
  app.add_option("--ply", o.ply, "judge the position after this many plies (default: all)")
      ->check(CLI::Range(0, 1 << 20));
  app.add_flag("--classify", o.classify, "no repetition needed: say what every ply does (check, chase, ...)");
  app.add_option("--language", o.language, "en or zh")
      ->check(CLI::IsMember({"en", "zh"}))
      ->capture_default_str();
  app.add_flag("--json", o.json, "one JSON object instead of text (docs/rules.md has its fields)");
  o.svg.add_to(app, "--svg", "also write the board with the cycle's moves as arrows to this file")
      ->check(complaint_if_empty);
}

}  // namespace

int judge_command(int argc, char** argv) {
  CLI::App app(
      "Plays the moves and says how the game stands by a rule set: its end, or the verdict on a repetition "
      "with "
      "what each move of the cycle does.",
      "chuhe judge");
  app.footer(
      "example: chuhe judge --fen \"4k4/9/9/9/3R5/9/9/9/9/5K3 w\" "
      "--moves \"d5e5 e9d9 e5d5 d9e9 d5e5 e9d9 e5d5 d9e9\"\n"
      "         chuhe judge --rules cxa1999 --pgn games.pgn");
  Options o;
  add_options(app, o);
  if (!parse_command(app, argc, argv)) return 0;

  if (!o.rules.empty()) rule_set(o.rules);  // a wrong name is an error even before the file is read
  if (!o.pgn.path.empty() && o.ply < 0 && !o.classify && o.svg.path.empty()) {
    o.pgn.rules = o.rules;
    o.pgn.json = o.json;
    o.pgn.language = language(o.language);
    judge_pgn(o.pgn);
    return 0;
  }
  const Case c = case_of(o);
  if (!o.svg.path.empty()) write_svg(c, o.svg);
  if (o.json) {
    fmt::print("{}\n", to_json(c).dump());
  } else {
    print_text(c);
  }
  return 0;
}

}  // namespace chuhe::cli
