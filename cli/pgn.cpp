// chuhe pgn: reads game files, checks them and writes them again.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "xiangqi/notation/pgn.h"

namespace chuhe::cli {
namespace {

struct Summary {
  int games = 0, written = 0, faults = 0;
  size_t moves = 0;
};

void convert(const std::string& path, const xiangqi::PgnOptions& options,
             std::optional<xiangqi::Notation> notation, std::optional<xiangqi::Encoding> encoding,
             Summary& summary) {
  xiangqi::PgnFile file = xiangqi::read_pgn(read_file(path), path, options);
  if (!file.faults.empty() && !options.keep_legal) throw Error("{}", file.faults.front().message);
  for (const xiangqi::PgnFault& fault : file.faults) fmt::print(stderr, "{}\n", fault.message);
  for (xiangqi::PgnGame& game : file.games) {
    if (notation) game.notation = *notation;
    const std::string text = write_pgn(game, encoding.value_or(file.encoding));
    std::fwrite(text.data(), 1, text.size(), stdout);
    summary.moves += game.moves.size();
  }
  summary.games += file.games_read;
  summary.written += int(file.games.size());
  summary.faults += int(file.faults.size());
}

}  // namespace

int pgn_command(int argc, char** argv) {
  CLI::App app(
      "Reads game files (PGN with Chinese, WXF, ICCS or UCI moves; UTF-8 or GB18030), checks every move and "
      "writes "
      "the games to standard output. Ends at the first fault with status 2.",
      "chuhe pgn");
  app.footer("example: chuhe pgn games.pgn --to iccs --encoding utf-8 > games-iccs.pgn");
  std::vector<std::string> files;
  std::string to, encoding, read_as;
  xiangqi::PgnOptions options;
  app.add_option("files", files, "PGN files")->required();
  app.add_option("--to", to,
                 "notation to write: " + xiangqi::notation_list() + " (default: as each game was read)");
  app.add_option("--encoding", encoding, "to write: utf-8 or gb18030 (default: as the file was read)");
  app.add_option("--read-as", read_as, "encoding of the files (default: utf-8 if valid, else gb18030)");
  app.add_flag("--keep-legal", options.keep_legal,
               "list faults on stderr and keep the legal beginning of faulty games");
  if (!parse_command(app, argc, argv)) return 0;

  std::optional<xiangqi::Notation> notation;
  std::optional<xiangqi::Encoding> write_as;
  if (!to.empty()) notation = xiangqi::notation_named(to);
  if (!encoding.empty()) write_as = xiangqi::encoding_named(encoding);
  if (!read_as.empty()) options.encoding = xiangqi::encoding_named(read_as);
  Summary summary;
  for (const std::string& file : files) convert(file, options, notation, write_as, summary);
  std::fflush(stdout);  // the summary comes last where both go to one place
  fmt::print(stderr, "PGN games={} written={} moves={} faults={}\n", summary.games, summary.written,
             summary.moves, summary.faults);
  return 0;
}

}  // namespace chuhe::cli
