// chuhe play: speaks UCI with a GUI.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "play/uci.h"

namespace chuhe::cli {
namespace {

void write_whole(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;  // the GUI is gone; the end of input follows
    text.remove_prefix(size_t(n));
  }
}

/// Reads lines until `quit` or the end of input.
void converse(const play::PlaySettings& settings) {
  const auto clock = [] {
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
  };
  play::Uci uci(settings, {.name = "Chuhe", .loader = nn::open_net, .clock = clock, .write = write_whole});
  std::string line;
  while (std::getline(std::cin, line) && uci.handle(line)) {
  }
  // A GUI waits 50 ms before it kills. A net that is being loaded or a batch on a device cannot be
  // interrupted, and a large tree takes long to give back; nothing is left to be saved. So: out, without
  // destructors.
  std::_Exit(0);
}

}  // namespace

int play_command(int argc, char** argv) {
  CLI::App app("Speaks UCI on standard input and output, for a GUI or a match runner (docs/playing.md).",
               "chuhe play");
  app.footer("example: chuhe play --net runs/quickstart-1/nets/latest --visits 400");
  play::PlaySettings settings;
  std::vector<std::string> overrides;
  std::string device;
  int visits = -1;
  app.add_option("--net", settings.net,
                 "net file, or one of the doubles hash, material, uniform (option EvalFile)");
  app.add_option("--visits", visits, "most visits of a search, whatever the clock allows (option Visits)")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_option("--device", device, "auto, cpu, cuda or cuda:N (option Device)");
  app.add_option("--set", overrides, "KEY=VALUE for one of the keys of --print-config; may be repeated")
      ->allow_extra_args(false);
  bool keys = false;
  app.add_flag("--print-config", keys, "print every key with its value and meaning, and end");
  if (!parse_command(app, argc, argv)) return 0;
  for (const auto& text : overrides) apply_override(fields_of(settings), text);
  if (visits >= 0) settings.visits = visits;
  if (!device.empty()) settings.evaluator.device = device;
  if (keys) {
    fmt::print("{}", to_toml(fields_of(settings), true));
    return 0;
  }
  // Told at once rather than at the first search; its content is looked at when the GUI says `isready` or
  // `go`.
  if (!settings.net.empty()) play::find_net(settings.net, play::program_folder());
  converse(settings);
  return 0;
}

}  // namespace chuhe::cli
