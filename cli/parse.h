#pragma once
#include <CLI/CLI.hpp>

namespace chuhe::cli {

/// Parses the command line of a subcommand. False if it asked for help, which is then printed. Throws Error,
/// one line that begins with the subcommand's name, for anything else that does not fit.
bool parse_command(CLI::App& app, int argc, char** argv);

}  // namespace chuhe::cli
