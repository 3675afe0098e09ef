// chuhe suite: what a net knows, by positions with known answers.

#include "gauntlet/suite.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/long_step.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "gauntlet/suite_score.h"
#include "nn/model/net_file.h"

namespace chuhe::cli {
namespace {

using gauntlet::Mean;

struct Options {
  std::vector<std::string> nets, suites;
  std::string visits = "0,16", rules, algorithm = "gumbel";
  nn::EvaluatorSettings evaluator;
  bool themes = false, rows = false, json = false;
};

/// One net's answers to one suite.
struct Scored {
  std::string net;
  const gauntlet::Suite* suite;
  std::vector<gauntlet::SuiteAnswers> levels;
};

/// Those that the net learned by, unless others are asked for.
const xiangqi::RuleSet& rules_of(const Options& o, const std::string& net) {
  if (!o.rules.empty()) return xiangqi::rule_set(o.rules);
  const std::filesystem::path file = nn::find_net_file(net);
  std::error_code ignored;
  const std::string learned =
      std::filesystem::exists(file, ignored) ? nn::read_net_header(file).rule_set : "";
  return xiangqi::rule_set(learned.empty() ? xiangqi::kDefaultRuleSet : learned);
}

std::string percent(Mean m) {
  return m ? fmt::format("{:.1f} %", 100 * *m) : "-";
}

void print_line(std::string_view net, std::string_view group, std::string_view level,
                const gauntlet::SuiteTally& t) {
  fmt::print("{:<20} {:<24} {:<12} {:>4} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}\n", net, group, level,
             t.positions, percent(t.best), percent(t.sound), percent(t.mass), percent(t.sign),
             percent(t.result), t.error ? fmt::format("{:.3f}", *t.error) : "-");
}

void print_rows(const Scored& s) {
  fmt::print("\n{} {}\n{:<24}{:<16}{:<8}", s.net, s.suite->name, "position", "best", "result");
  for (const auto& level : s.levels) fmt::print("{:<18}", gauntlet::level_name(level.visits));
  fmt::print("\n");
  for (size_t i = 0; i < s.suite->positions.size(); ++i) {
    const gauntlet::SuitePosition& p = s.suite->positions[i];
    std::string best = p.best.empty() ? "-" : to_uci(p.best.front());
    if (p.best.size() > 1) best += fmt::format(" or {}", p.best.size() - 1);
    fmt::print("{:<24}{:<16}{:<8}", p.id, best, p.result ? name_of(*p.result) : "-");
    for (const auto& level : s.levels) {
      const gauntlet::SuiteAnswer& a = level.answers[i];
      const char mark = p.best.empty() ? ' '
                        : a.best >= 1  ? '+'
                        : a.sound >= 1 ? '~'
                        : a.best > 0   ? '/'
                                       : '.';
      fmt::print("{:<18}", fmt::format("{} {} {:+.2f}", mark, to_uci(a.move), a.value));
    }
    fmt::print("\n");
  }
}

void print_text(const Options& o, const std::vector<Scored>& all) {
  fmt::print("{:<20} {:<24} {:<12} {:>4} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6}\n", "net", "suite", "by", "n",
             "best", "sound", "mass", "sign", "result", "error");
  for (const Scored& s : all)
    for (const auto& level : s.levels) {
      const std::string name = gauntlet::level_name(level.visits);
      print_line(s.net, s.suite->name, name, tally(*s.suite, level));
      if (!o.themes) continue;
      for (const std::string& theme : themes_of(*s.suite))
        print_line("", "  " + theme, name, tally(*s.suite, level, theme));
    }
  if (o.rows)
    for (const Scored& s : all) print_rows(s);
  fmt::print("\n");
  for (const Scored& s : all) fmt::print("SUITE net={} {}\n", s.net, summary_of(*s.suite, s.levels));
}

nlohmann::json json_of(const gauntlet::SuiteTally& t) {
  const auto number = [](Mean m) { return m ? nlohmann::json(*m) : nlohmann::json(); };
  return {{"positions", t.positions}, {"best", number(t.best)}, {"sound", number(t.sound)},
          {"mass", number(t.mass)},   {"sign", number(t.sign)}, {"result", number(t.result)},
          {"error", number(t.error)}};
}

nlohmann::json json_of(const Scored& s, const gauntlet::SuiteAnswers& level, bool with_rows) {
  nlohmann::json out = json_of(tally(*s.suite, level));
  out["visits"] = level.visits;
  for (const std::string& theme : themes_of(*s.suite))
    out["themes"][theme] = json_of(tally(*s.suite, level, theme));
  if (!with_rows) return out;
  for (size_t i = 0; i < level.answers.size(); ++i) {
    const gauntlet::SuiteAnswer& a = level.answers[i];
    out["rows"].push_back({{"id", s.suite->positions[i].id},
                           {"move", to_uci(a.move)},
                           {"best", a.best},
                           {"sound", a.sound},
                           {"mass", a.mass},
                           {"value", a.value}});
  }
  return out;
}

void print_json(const Options& o, const std::vector<Scored>& all) {
  nlohmann::json out = nlohmann::json::array();
  for (const Scored& s : all) {
    nlohmann::json levels = nlohmann::json::array();
    for (const auto& level : s.levels) levels.push_back(json_of(s, level, o.rows));
    out.push_back({{"net", s.net}, {"suite", s.suite->name}, {"levels", levels}});
  }
  fmt::print("{}\n", out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void add_options(CLI::App& app, Options& o) {
  app.footer(
      "example: chuhe suite runs/quickstart-1/nets/4 --visits 0,16,200\n"
      "         chuhe suite material runs/quickstart-1/nets/0 runs/quickstart-1/nets/4 --suite mates "
      "--themes");
  app.add_option("NET", o.nets, "net files (a run's as nets/3 or nets/latest), or uniform, hash, material")
      ->required();
  app.add_option("--suite", o.suites,
                 "patterns, mates, endings, compositions, or a file; may be repeated (default: these four)")
      ->allow_extra_args(false);
  app.add_option("--visits", o.visits, "visits of the searches, comma separated; 0 = the policy alone")
      ->capture_default_str();
  app.add_option("--algorithm", o.algorithm, "of the searches: gumbel or puct")
      ->check(CLI::IsMember({"gumbel", "puct"}))
      ->capture_default_str();
  app.add_option("--rules", o.rules,
                 "rule set: " + xiangqi::rule_set_list() + " (default: those that the net learned by)");
  app.add_option("--device", o.evaluator.device, "auto, cpu, cuda, cuda:N")->capture_default_str();
  app.add_option("--backend", o.evaluator.backend, "auto, torch, simd, eigen")->capture_default_str();
  app.add_option("--precision", o.evaluator.precision, "auto, fp32, bf16, fp16")->capture_default_str();
  app.add_flag("--themes", o.themes, "a line for each theme of a suite");
  app.add_flag("--rows", o.rows,
               "a line for each position: + found, ~ reaches the same by a longer way, . not found");
  app.add_flag("--json", o.json, "JSON (themes included) instead of text");
}

}  // namespace

int suite_command(int argc, char** argv) {
  CLI::App app(
      "Asks nets for the answers to positions whose answers are known, by their policy alone and by searches "
      "(docs/suites.md).",
      "chuhe suite");
  Options o;
  add_options(app, o);
  if (!parse_command(app, argc, argv)) return 0;
  const std::vector<int> visits = gauntlet::parse_visits(o.visits, "suite: --visits");
  if (o.suites.empty())
    for (const std::string_view name : gauntlet::builtin_suite_names()) o.suites.emplace_back(name);
  std::vector<gauntlet::Suite> suites;
  for (const std::string& name : o.suites) suites.push_back(gauntlet::open_suite(name));
  mcts::SearchParams search = gauntlet::suite_search();
  search.algorithm = o.algorithm;
  Log log;
  std::vector<Scored> all;
  for (const std::string& net : o.nets) {
    const xiangqi::RuleSet& rules = rules_of(o, net);
    const nn::NetHandle handle = nn::open_net(net, o.evaluator);
    const auto evaluator = handle.make();
    for (const gauntlet::Suite& suite : suites) {
      const LongStep step(log, fmt::format("asking {} the suite {}", handle.net_id, suite.name));
      all.push_back({handle.net_id, &suite, ask_suite(*evaluator, suite, visits, rules, search)});
    }
  }
  if (o.json) {
    print_json(o, all);
  } else {
    print_text(o, all);
  }
  return 0;
}

}  // namespace chuhe::cli
