#pragma once
// A file that a command writes and whose name the user gives: never put in the place of another one unasked.

#include <CLI/CLI.hpp>
#include <string>

namespace chuhe::cli {

struct NewFile {
  std::string path;
  bool replace = false;

  /// The option `name` (as "--out") for the path, and the flag --replace. Returns the former.
  CLI::Option* add_to(CLI::App& app, const std::string& name, const std::string& help);
  /// To be called before the work begins: throws Error naming the path if its folder is missing, or if something
  /// is there that is no plain file, or a file that --replace does not give up.
  void check() const;
};

}  // namespace chuhe::cli
