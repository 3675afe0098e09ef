// `chuhe`: one binary, one file per subcommand.

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <string>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/version.h"

namespace chuhe::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "play, train and rate in one run folder: the whole loop", run_command},
    {"selfplay", "play games against itself into shards", selfplay_command},
    {"train", "turn shards into a net", train_command},
    {"gauntlet", "rate two players against each other", gauntlet_command},
    {"suite", "score nets on positions whose answers are known", suite_command},
    {"play", "speak UCI to a GUI", play_command},
    {"eval", "what a net thinks of a position", eval_command},
    {"net", "make a fresh net, or describe a net file", net_command},
    {"shards", "look into game shards: info, verify, stats, diff, pgn", shards_command},
    {"judge", "how a line of play ends, and why", judge_command},
    {"cases", "check a file of cases, and say where they differ", cases_command},
    {"pgn", "check game files and write them in another notation", pgn_command},
    {"endgame", "exact values of positions with few men", endgame_command},
    {"perft", "count the leaves of the tree of legal moves", perft_command},
    {"openings", "make a file of balanced openings", openings_command},
    {"bench", "speeds, and the search's signature", bench_command},
};

void print_help() {
  fmt::print(
      "chuhe: learns xiangqi by itself\n\nusage: chuhe COMMAND [OPTIONS]        chuhe COMMAND --help\n\n");
  for (const Command& c : kCommands) fmt::print("  {:<10}{}\n", c.name, c.summary);
  fmt::print("\n  --version  what this build is made of\n\nexample: chuhe run configs/smoke/tiny.toml\n");
}

int dispatch(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "--help";
  if (!std::strcmp(name, "--help") || !std::strcmp(name, "-h") || !std::strcmp(name, "help")) {
    print_help();
    return argc > 1 ? 0 : 2;
  }
  if (!std::strcmp(name, "--version")) {
    print_version();
    return 0;
  }
  for (const Command& c : kCommands)
    if (!std::strcmp(name, c.name)) return c.run(argc - 1, argv + 1);
  throw Error("unknown command '{}': expected one of those that chuhe --help lists", name);
}

}  // namespace
}  // namespace chuhe::cli

namespace {

/// To stderr, which may itself be full or closed: an error about an error helps nobody.
void complain(const std::string& line) {
  std::fputs(("chuhe: " + line + "\n").c_str(), stderr);
}

}  // namespace

int main(int argc, char** argv) {
  int status = 2;
  try {
    status = chuhe::cli::dispatch(argc, argv);
  } catch (const chuhe::Error& e) {
    complain(e.what());
  } catch (const std::exception& e) {
    complain(fmt::format("unexpected: {}", e.what()));
  }
  // What a script stores must not be cut in silence.
  const bool cut = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (cut && status == 0) {
    complain("cannot write to standard output: is the disk full?");
    status = 2;
  }
  return status;
}
