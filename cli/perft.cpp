// chuhe perft: counts the leaves of the tree of legal moves.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <string>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "xiangqi/board/position.h"

namespace chuhe::cli {
namespace {

uint64_t divide(const xiangqi::Position& position, int depth) {
  uint64_t leaves = 0;
  for (xiangqi::Move m : position.legal_moves()) {
    xiangqi::Position next = position;
    next.play(m);
    const uint64_t below = perft(next, depth - 1);
    fmt::print("{} {}\n", to_uci(m), below);
    leaves += below;
  }
  return leaves;
}

}  // namespace

int perft_command(int argc, char** argv) {
  CLI::App app(
      "Counts the leaves of the tree of legal moves (one thread; the last ply is counted, not played).",
      "chuhe perft");
  app.footer("example: chuhe perft 5\n         chuhe perft 3 --divide --fen \"4k4/9/9/9/4N4/9/9/9/9/3K5 w\"");
  constexpr int kDeepest = 20;
  int depth = 0;
  std::string fen(xiangqi::kStartFen);
  bool divided = false;
  app.add_option("depth", depth, "plies, 1 to 20")->required()->check(CLI::Range(1, kDeepest));
  app.add_option("--fen", fen, "position to start from (default: the start of the game)");
  app.add_flag("--divide", divided, "one line for each first move, with its leaves");
  if (!parse_command(app, argc, argv)) return 0;

  const xiangqi::Position position = xiangqi::Position::from_fen(fen).value();
  const auto start = std::chrono::steady_clock::now();
  const uint64_t leaves = divided ? divide(position, depth) : perft(position, depth);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{:.3f} s, {:.1f} million leaves/s\n", seconds, double(leaves) / seconds / 1e6);
  fmt::print("nodes {}\n", leaves);
  return 0;
}

}  // namespace chuhe::cli
