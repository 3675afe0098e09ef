#include "run/stored_settings.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/files.h"

namespace chuhe::run {
namespace {

/// Keys that say which run it is. A name that ends in '.' stands for a table.
constexpr std::array<std::string_view, 6> kIdentity = {
    "seed", "name", "mode", "games_per_generation", "net.", "selfplay.rule_set"};

bool is_identity(std::string_view key) {
  return std::any_of(kIdentity.begin(), kIdentity.end(), [key](std::string_view k) {
    return k.back() == '.' ? key.substr(0, k.size()) == k : key == k;
  });
}

}  // namespace

void adopt_settings(const RunFolder& folder, RunSettings& settings, Log& log) {
  const Fields now = fields_of(settings);
  // A cut file of no bytes says nothing about the run.
  if (std::filesystem::exists(folder.config()) && std::filesystem::file_size(folder.config()) > 0) {
    RunSettings stored;
    const Fields before = fields_of(stored);
    apply_toml_file(before, folder.config().string());
    for (const FieldDifference& d : differences(before, now)) {
      if (is_identity(d.name))
        throw Error("{}: this run was begun with {} = {}, not {}: use another --run folder",
                    folder.config().string(), d.name, d.before, d.now);
      log.info(fmt::format("changed since this run last worked: {} = {} (was {})", d.name, d.now, d.before));
    }
  }
  write_file_atomically(folder.config(), to_toml(now, true));
}

}  // namespace chuhe::run
