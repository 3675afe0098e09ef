// chuhe eval: what a net thinks of a position, with the moves that led to it and without them. A net that
// gives another answer to the bare FEN has learned from history what is not in the board.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/moves.h"
#include "cli/parse.h"
#include "nn/encoding/policy_index.h"
#include "nn/infer/factory.h"
#include "nn/model/net_file.h"

namespace chuhe::cli {
namespace {

struct Options {
  std::string net, fen = std::string(xiangqi::kStartFen), moves, rules{xiangqi::kDefaultRuleSet};
  nn::EvaluatorSettings evaluator;
  int top = 10;
  bool json = false;
};

struct Answer {
  nn::EvalBatch::Wdl wdl;
  float moves_left;
  std::vector<float> priors;  // in the order of the legal moves
};

struct Evaluation {
  std::string net_id, device;
  xiangqi::MoveList legal;
  Answer with, without;
  double kl = 0;  // of the priors, with history from without
};

Answer answer_of(const nn::EvalBatch& batch, int row) {
  const auto priors = batch.priors(row);
  return {batch.wdl(row), batch.moves_left(row), {priors.begin(), priors.end()}};
}

Evaluation evaluate(const Options& o, const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules) {
  const nn::NetHandle handle = nn::open_net(o.net, o.evaluator);
  const auto evaluator = handle.make();
  Evaluation e{handle.net_id, handle.device, history.current().legal_moves(), {}, {}};
  std::vector<uint16_t> indices(size_t(e.legal.size()));
  nn::policy_indices(e.legal, history.current().side_to_move(), indices.data());
  const auto batch = evaluator->make_batch(2);
  batch->add(nn::pack(history, rules, true), indices);
  batch->add(nn::pack(history, rules, false), indices);
  evaluator->evaluate(*batch);
  e.with = answer_of(*batch, 0);
  e.without = answer_of(*batch, 1);
  for (size_t i = 0; i < e.with.priors.size(); ++i)
    if (e.with.priors[i] > 0)
      e.kl +=
          e.with.priors[i] * std::log(double(e.with.priors[i]) / std::max(1e-9, double(e.without.priors[i])));
  return e;
}

// A net that learned by other rules misjudges repetitions.
void warn_of_other_rules(const Options& o) {
  const std::filesystem::path file = nn::find_net_file(o.net);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return;
  const std::string learned = nn::read_net_header(file).rule_set;
  if (!learned.empty() && learned != o.rules)
    fmt::print(stderr, "warning: {} was trained by the rules '{}', this evaluates by '{}'\n", o.net, learned,
               o.rules);
}

std::vector<int> by_prior(const Answer& answer) {
  std::vector<int> order(answer.priors.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return answer.priors[size_t(a)] > answer.priors[size_t(b)]; });
  return order;
}

void print_answer(const char* name, const Answer& a) {
  fmt::print("{:<16}{:>7.2f} %{:>7.2f} %{:>7.2f} %{:>+9.4f}{:>12.1f}\n", name, 100 * a.wdl.win,
             100 * a.wdl.draw, 100 * a.wdl.loss, a.wdl.value(), a.moves_left);
}

void print_text(const Options& o, const xiangqi::GameHistory& history, const Evaluation& e) {
  fmt::print("net {} on {}\n{}\n\n", e.net_id, e.device, history.current().to_fen());
  fmt::print("{:<16}{:>9}{:>9}{:>9}{:>9}{:>12}\n", "side to move", "win", "draw", "loss", "value",
             "plies left");
  print_answer("with history", e.with);
  print_answer("bare FEN", e.without);
  fmt::print("\n{:<16}{:>14}{:>14}\n", "move", "with history", "bare FEN");
  const auto order = by_prior(e.with);
  const size_t shown = o.top == 0 ? order.size() : std::min(order.size(), size_t(o.top));
  for (size_t i = 0; i < shown; ++i) {
    const size_t m = size_t(order[i]);
    fmt::print("{:<16}{:>12.2f} %{:>12.2f} %\n", to_uci(e.legal[order[i]]), 100 * e.with.priors[m],
               100 * e.without.priors[m]);
  }
  if (shown < order.size()) fmt::print("... and {} more (--top 0 shows all)\n", order.size() - shown);
  fmt::print("\npolicy KL, with history from bare FEN: {:.4f}\n", e.kl);
}

void print_json(const xiangqi::GameHistory& history, const Evaluation& e) {
  const auto answer = [&e](const Answer& a) {
    nlohmann::json priors = nlohmann::json::object();
    for (int i = 0; i < e.legal.size(); ++i) priors[to_uci(e.legal[i])] = a.priors[size_t(i)];
    return nlohmann::json{{"wdl", {a.wdl.win, a.wdl.draw, a.wdl.loss}},
                          {"value", a.wdl.value()},
                          {"moves_left", a.moves_left},
                          {"priors", priors}};
  };
  const nlohmann::json out = {{"net", e.net_id},
                              {"device", e.device},
                              {"fen", history.current().to_fen()},
                              {"with_history", answer(e.with)},
                              {"without_history", answer(e.without)},
                              {"policy_kl", e.kl}};
  fmt::print("{}\n", out.dump());
}

void add_options(CLI::App& app, Options& o) {
  app.footer(
      "example: chuhe eval --net runs/quickstart-1/nets/latest --fen \"4k4/9/9/9/4N4/9/9/9/9/3K5 w\" --moves "
      "\"e5d7\"\n"
      "         chuhe eval --net material --moves \"h2e2 h9g7\" --top 5");
  app.add_option("--net", o.net,
                 "net file (a run's as nets/3 or nets/latest), or uniform, hash, material (on the CPU only)")
      ->required();
  app.add_option("--fen", o.fen, "position before the moves (default: the start of the game)");
  app.add_option("--moves", o.moves, "moves such as \"h2e2 h9g7\" (files a-i, ranks 0-9)");
  app.add_option("--rules", o.rules, "rule set: " + xiangqi::rule_set_list())->capture_default_str();
  app.add_option("--device", o.evaluator.device, "auto, cpu, cuda, cuda:N")->capture_default_str();
  app.add_option("--backend", o.evaluator.backend, "auto, torch, simd, eigen")->capture_default_str();
  app.add_option("--precision", o.evaluator.precision, "auto, fp32, bf16, fp16")->capture_default_str();
  app.add_option("--top", o.top, "moves shown, 0 = all")->check(CLI::Range(0, 200))->capture_default_str();
  app.add_flag("--json", o.json, "one JSON object instead of text");
}

}  // namespace

int eval_command(int argc, char** argv) {
  CLI::App app(
      "Asks a net about a position: win, draw and loss, plies to the end and priors of the moves, all for "
      "the side to move, with the "
      "moves that led to the position and as a bare FEN.",
      "chuhe eval");
  Options o;
  add_options(app, o);
  if (!parse_command(app, argc, argv)) return 0;

  const xiangqi::RuleSet& rules = xiangqi::rule_set(o.rules);
  xiangqi::GameHistory history(xiangqi::Position::from_fen(o.fen).value(), rules.natural_limit_checks);
  play_moves(history, o.moves);
  if (!history.current().has_legal_move())
    throw Error("{}: the side to move has no legal move and has lost, there is nothing to evaluate",
                history.current().to_fen());
  o.evaluator.batch = 2;
  warn_of_other_rules(o);
  const Evaluation e = evaluate(o, history, rules);
  if (o.json) {
    print_json(history, e);
  } else {
    print_text(o, history, e);
  }
  return 0;
}

}  // namespace chuhe::cli
