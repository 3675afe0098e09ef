#pragma once
#include "base/log.h"
#include "run/run_folder.h"
#include "run/run_settings.h"

namespace chuhe::run {

/// Compares the settings with those that the folder was begun with, logs each change, and stores the present
/// ones. Throws Error naming the key where a change would make games or nets that are there already another
/// run's: seed, name, mode, net, games_per_generation, selfplay.rule_set.
void adopt_settings(const RunFolder& folder, RunSettings& settings, Log& log);

}  // namespace chuhe::run
