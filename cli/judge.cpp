// chuhe judge: how a line of play ends, and why.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/moves.h"
#include "cli/parse.h"
#include "xiangqi/rules/explain.h"

namespace chuhe::cli {
namespace {

using xiangqi::GameHistory;

nlohmann::json to_json(const GameHistory& history, const xiangqi::RuleSet& rules,
                       const std::optional<xiangqi::GameEnd>& end,
                       const std::optional<xiangqi::Verdict>& verdict) {
  nlohmann::json out;
  out["rules"] = rules.name;
  out["fen"] = history.current().to_fen();
  out["plies"] = history.plies();
  out["in_check"] = history.current().in_check();
  out["occurrences"] = history.occurrences();
  out["quiet_plies"] = history.current().quiet_plies();
  out["counted_plies"] = history.counted_plies();
  out["outcome"] = end ? nlohmann::json(name_of(end->outcome)) : nlohmann::json(nullptr);
  out["reason"] = end ? nlohmann::json(name_of(end->reason)) : nlohmann::json(nullptr);
  if (!verdict) return out;
  nlohmann::json v;
  v["outcome"] = name_of(verdict->outcome);
  v["reason"] = name_of(verdict->reason);
  v["must_change"] = verdict->must_change;
  v["article"] = verdict->article;
  v["explanation"] = verdict->explanation;
  v["cycle"] = nlohmann::json::array();
  for (const xiangqi::CyclePly& ply : verdict->cycle)
    v["cycle"].push_back(
        {{"ply", ply.ply + 1}, {"move", to_uci(ply.move)}, {"class", name_of(ply.finding.ply_class)}});
  out["verdict"] = v;
  return out;
}

void print_text(const GameHistory& history, const xiangqi::RuleSet& rules,
                const std::optional<xiangqi::GameEnd>& end, const std::optional<xiangqi::Verdict>& verdict) {
  if (verdict) fmt::print("{}", explain(*verdict, history, rules));
  fmt::print("{}{}\n", history.current().to_fen(), history.current().in_check() ? " (check)" : "");
  fmt::print("occurrences {}, plies without capture {}, of which {} count\n", history.occurrences(),
             history.current().quiet_plies(), history.counted_plies());
  if (end) {
    fmt::print("{} {}\n", name_of(end->outcome), name_of(end->reason));
  } else {
    fmt::print("no end: the game goes on\n");
  }
}

}  // namespace

int judge_command(int argc, char** argv) {
  CLI::App app(
      "Plays the moves and says how the game stands by a rule set: its end, or the verdict on a repetition.",
      "chuhe judge");
  app.footer(
      "example: chuhe judge --fen \"4k4/9/9/9/3R5/9/9/9/9/5K3 w\" "
      "--moves \"d5e5 e9d9 e5d5 d9e9 d5e5 e9d9 e5d5 d9e9\"");
  std::string fen(xiangqi::kStartFen), moves, rules_name = "checks_only";
  bool json = false;
  app.add_option("--fen", fen, "position before the moves (default: the start of the game)");
  app.add_option("--moves", moves, "moves such as \"h2e2 h9g7\" (files a-i, ranks 0-9)");
  app.add_option("--rules", rules_name, "rule set: checks_only or none")->capture_default_str();
  app.add_flag("--json", json, "one JSON object instead of text");
  if (!parse_command(app, argc, argv)) return 0;

  const xiangqi::RuleSet& rules = xiangqi::rule_set(rules_name);
  GameHistory history(xiangqi::Position::from_fen(fen).value(), rules.natural_limit_checks);
  play_moves(history, moves);
  const auto end = game_end(history, history.current().legal_moves(), rules);
  const auto verdict = judge(history, rules);
  if (json) {
    fmt::print("{}\n", to_json(history, rules, end, verdict).dump());
  } else {
    print_text(history, rules, end, verdict);
  }
  return 0;
}

}  // namespace chuhe::cli
