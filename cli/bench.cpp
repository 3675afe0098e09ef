#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>
#include <vector>

#include "cli/bench_search.h"
#include "cli/commands.h"

namespace chuhe::cli {

int bench_command(int argc, char** argv) {
  CLI::App app{"Measures: `search` for the search's speed and its signature."};
  app.name("chuhe bench");
  app.footer("Example: chuhe bench search");
  app.require_subcommand(1);
  auto* search = app.add_subcommand("search", "fixed positions with the Hash evaluator; ends in SIGNATURE N");
  bool only_signature = false;
  int visits = 100'000;
  search->add_flag("--only-signature", only_signature, "leave the speed of one large tree out");
  search->add_option("--visits", visits, "visits of the large tree")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (!only_signature) search_speed(std::cout, visits);
  const uint64_t signature = search_signature(std::cout);
  std::cout << fmt::format("SIGNATURE {}\n", signature);
  return 0;
}

}  // namespace chuhe::cli
