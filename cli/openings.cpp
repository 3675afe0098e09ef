// chuhe openings make: a file of balanced openings.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/stop_signal.h"
#include "cli/commands.h"
#include "cli/new_file.h"
#include "cli/parse.h"
#include "match/make_openings.h"

namespace chuhe::cli {
namespace {

int make(const match::OpeningMaker& maker, const NewFile& out) {
  out.check();
  Log log;
  const std::stop_token stop = install_stop_signals();
  std::string text = fmt::format(
      "# {} lines of {} to {} random plies that ab:{} calls even within {} pawns.\n"
      "# Made by: chuhe openings make --count {} --seed {}\n",
      maker.count, maker.min_plies, maker.max_plies, maker.depth, maker.margin, maker.count, maker.seed);
  int found = 0;
  match::make_openings(
      maker,
      [&](const match::Opening& opening, double value) {
        text += match::to_epd(opening, value, maker.depth) + '\n';
        log.progress(fmt::format("openings: {}/{}", ++found, maker.count));
      },
      stop);
  if (found < maker.count) {
    log.warn("openings: stopped, nothing written");
    return 3;
  }
  write_file_atomically(out.path, text);
  fmt::print("OPENINGS count={} file={}\n", found, out.path);
  return 0;
}

}  // namespace

int openings_command(int argc, char** argv) {
  CLI::App app("Openings for gauntlets and self-play.", "chuhe openings");
  app.require_subcommand(1);
  CLI::App* sub = app.add_subcommand(
      "make", "Plays random plies from the start position and keeps lines that alpha-beta calls even.");
  app.footer("example: chuhe openings make --count 400 --seed 1 --out openings.epd");
  match::OpeningMaker maker;
  NewFile out;
  sub->add_option("--count", maker.count, "openings to make")->check(CLI::Range(1, 1000000));
  sub->add_option("--seed", maker.seed, "of the random plies");
  sub->add_option("--min-plies", maker.min_plies, "shortest line")->check(CLI::Range(1, 100));
  sub->add_option("--max-plies", maker.max_plies, "longest line")->check(CLI::Range(1, 100));
  sub->add_option("--depth", maker.depth, "of the alpha-beta search")->check(CLI::Range(1, 8));
  sub->add_option("--margin", maker.margin, "pawns that count as even")->check(CLI::Range(0.0, 100.0));
  out.add_to(*sub, "--out", "EPD file to write")->required();
  if (!parse_command(app, argc, argv)) return 0;
  if (maker.min_plies > maker.max_plies)
    throw Error("openings: --min-plies {} is above --max-plies {}", maker.min_plies, maker.max_plies);
  return make(maker, out);
}

}  // namespace chuhe::cli
