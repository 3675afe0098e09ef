#include "run/suite_phase.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "gauntlet/suite_score.h"
#include "nn/infer/factory.h"

namespace chuhe::run {
namespace {

std::filesystem::path file_of(const RunFolder& folder, int number) {
  return folder.ratings() / fmt::format("{}-suites.json", number);
}

std::string net_id(const RunSettings& settings, int number) {
  return fmt::format("{}-{}", settings.name, number);
}

/// Of all that the answers depend on but the net.
std::string key_of(const RunSettings& settings, const std::vector<gauntlet::Suite>& suites) {
  std::string text = settings.rating.suite.visits + ' ' + settings.selfplay.rule_set;
  for (const gauntlet::Suite& suite : suites) text += fmt::format(" {}:{:016x}", suite.name, suite.digest);
  return fmt::format("{:016x}", hash_text(text));
}

MetricList read_scores(const RunFolder& folder, int number, const std::string& key) {
  const std::filesystem::path file = file_of(folder, number);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  MetricList scores;
  try {
    const auto stored = nlohmann::ordered_json::parse(read_file(file));
    if (stored.at("key") != key) return {};
    for (const auto& [name, value] : stored.at("scores").items())
      scores.emplace_back(name, value.get<double>());
  } catch (const nlohmann::json::exception& e) {
    throw Error("{}: not what a run writes there ({}): remove it, and the net is asked anew", file.string(),
                e.what());
  }
  return scores;
}

}  // namespace

void suite_phase(const RunFolder& folder, const RunSettings& settings, int number, Log& log,
                 std::stop_token stop) {
  const std::vector<gauntlet::Suite> suites = settings.rating.suite.open();
  if (suites.empty()) return;
  const std::string key = key_of(settings, suites);
  if (!read_scores(folder, number, key).empty()) return;
  nn::EvaluatorSettings evaluator = settings.evaluator;
  evaluator.batch = gauntlet::kSuiteBatch;
  const auto net = nn::open_net(folder.net(number).string(), evaluator).make();
  nlohmann::ordered_json scores = nlohmann::ordered_json::object();
  for (const gauntlet::Suite& suite : suites) {
    if (stop.stop_requested()) return;
    const auto levels = ask_suite(*net, suite, settings.rating.suite.visit_counts(),
                                  xiangqi::rule_set(settings.selfplay.rule_set));
    for (const auto& [name, value] : suite_metrics(suite, levels)) scores[name] = value;
    log.info(fmt::format("net {}: {}", number, summary_of(suite, levels)));
  }
  make_folder(folder.ratings());
  const nlohmann::ordered_json out = {{"net", net_id(settings, number)}, {"key", key}, {"scores", scores}};
  write_file_atomically(file_of(folder, number), out.dump(1) + "\n");
}

MetricList suite_scores(const RunFolder& folder, const RunSettings& settings, int number) {
  const std::vector<gauntlet::Suite> suites = settings.rating.suite.open();
  return suites.empty() ? MetricList() : read_scores(folder, number, key_of(settings, suites));
}

std::string suite_table(const RunFolder& folder, const RunSettings& settings,
                        const std::map<std::string, double>& elo) {
  const std::vector<gauntlet::Suite> suites = settings.rating.suite.open();
  if (suites.empty()) return "";
  const std::string key = key_of(settings, suites);
  std::vector<std::string> columns;
  std::string heads = fmt::format("{:<24}{:>8}", "net", "Elo");
  for (const gauntlet::Suite& suite : suites)
    for (const int visits : settings.rating.suite.visit_counts()) {
      columns.push_back(gauntlet::metric_name(suite, gauntlet::level_name(visits)));
      heads += fmt::format("{:>18}", fmt::format("{}@{}", suite.name, visits));
    }
  std::string lines;
  for (int number = 0, newest = newest_net(folder); number <= newest; ++number) {
    const MetricList scores = read_scores(folder, number, key);
    if (scores.empty()) continue;
    const std::string id = net_id(settings, number);
    const auto rated = elo.find(id);
    lines += fmt::format("{:<24}{:>8}", id, rated == elo.end() ? "-" : fmt::format("{:.0f}", rated->second));
    for (const std::string& column : columns) {
      const auto score =
          std::find_if(scores.begin(), scores.end(), [&](const auto& s) { return s.first == column; });
      lines += score == scores.end() ? fmt::format("{:>18}", "-") : fmt::format("{:>18.3f}", score->second);
    }
    lines += '\n';
  }
  if (lines.empty()) return "";
  return "Known positions (docs/suites.md): share of them in which a best move is chosen, SUITE@VISITS, 0 = "
         "the policy "
         "alone.\n\n" +
         heads + '\n' + lines;
}

}  // namespace chuhe::run
