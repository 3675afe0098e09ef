#include "cli/new_file.h"

#include <filesystem>

#include "base/error.h"

namespace chuhe::cli {

CLI::Option* NewFile::add_to(CLI::App& app, const std::string& name, const std::string& help) {
  CLI::Option* option = app.add_option(name, path, help);
  app.add_flag("--replace", replace, "give up the file that " + name + " names, if there is one")
      ->needs(option);
  return option;
}

void NewFile::check() const {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (const fs::path folder = fs::path(path).parent_path();
      !folder.empty() && !fs::is_directory(folder, ignored))
    throw Error("{}: there is no folder {}", path, folder.string());
  if (!fs::exists(fs::symlink_status(path, ignored))) return;
  if (!fs::is_regular_file(path, ignored))
    throw Error("{}: this is no plain file, expected the name of a file to write", path);
  if (!replace) throw Error("{}: this file is there already, expected a new name or --replace", path);
}

}  // namespace chuhe::cli
