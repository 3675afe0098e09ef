// chuhe bench: the search's speed and signature, or a summary of Google Benchmark's JSON files.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/bench_search.h"
#include "cli/commands.h"
#include "cli/parse.h"

namespace chuhe::cli {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

// One line per benchmark: the median over its repetitions.
void summarise(const std::string& path) {
  const auto json = nlohmann::json::parse(read_file(path), nullptr, false);
  if (!json.is_object() || !json.contains("benchmarks") || !json["benchmarks"].is_array())
    throw Error("{}: expected the JSON of a Google Benchmark program (--benchmark_out=FILE)", path);
  struct Runs {
    std::vector<double> times, items;
    std::string unit, label;
  };
  std::vector<std::string> order;
  std::map<std::string, Runs> by_name;
  for (const auto& entry : json["benchmarks"]) {
    if (!entry.is_object() || entry.value("run_type", "") != "iteration" || entry.contains("error_occurred"))
      continue;
    const std::string name = entry.value("run_name", entry.value("name", "?"));
    if (!by_name.contains(name)) order.push_back(name);
    Runs& runs = by_name[name];
    runs.times.push_back(entry.value("real_time", 0.0));
    runs.unit = entry.value("time_unit", "ns");
    runs.label = entry.value("label", "");
    if (entry.contains("items_per_second")) runs.items.push_back(entry.value("items_per_second", 0.0));
  }
  for (const std::string& name : order) {
    const Runs& runs = by_name[name];
    const std::string items = runs.items.empty() ? "" : fmt::format("{:>14.0f} items/s", median(runs.items));
    fmt::print("{:<44} {:>12.3f} {}{}{}\n", name, median(runs.times), runs.unit, items,
               runs.label.empty() ? "" : "  (" + runs.label + ")");
  }
}

void measure_search(int visits, bool only_signature) {
  if (!only_signature) search_speed(stdout, visits);
  const uint64_t signature = search_signature(stdout);
  fmt::print("SIGNATURE {}\n", signature);
}

}  // namespace

int bench_command(int argc, char** argv) {
  CLI::App app(
      "Measures the search (its last line, the signature, digests every visit count), or summarises "
      "JSON files of the programs in build/*/bench.",
      "chuhe bench");
  app.footer(
      "example: chuhe bench search\n"
      "         build/release/bench/search_bench --benchmark_out=search.json && chuhe bench search.json");
  std::vector<std::string> what;
  bool only_signature = false;
  int visits = 100'000;
  app.add_option("what", what, "'search', or files");
  app.add_flag("--only-signature", only_signature, "search: without the two large trees");
  app.add_option("--visits", visits, "search: visits of the large trees (default 100000)")
      ->check(CLI::Range(1, 100'000'000));
  if (!parse_command(app, argc, argv)) return 0;
  if (what.empty()) throw Error("bench: expected 'search' or files of Google Benchmark's JSON");
  for (const std::string& item : what) {
    if (item == "search") {
      measure_search(visits, only_signature);
    } else {
      summarise(item);
    }
  }
  return 0;
}

}  // namespace chuhe::cli
