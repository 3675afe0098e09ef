#pragma once
// What a run's nets know, beside how they are rated: their answers to the suites of [rating.suite], one file
// ratings/N-suites.json for each net.

#include <map>
#include <stop_token>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "run/run_folder.h"
#include "run/run_settings.h"

namespace chuhe::run {

/// Asks net `number` what its file in ratings/ does not hold of this net, these suites, visits and rules. A
/// stop request leaves no file.
void suite_phase(const RunFolder& folder, const RunSettings& settings, int number, Log& log,
                 std::stop_token stop);

/// As gauntlet::suite_metrics; empty if the net was not asked with these settings.
MetricList suite_scores(const RunFolder& folder, const RunSettings& settings, int number);

/// A line for each net that was asked with these settings, its Elo first: "" if there is none. `elo` by net
/// id.
std::string suite_table(const RunFolder& folder, const RunSettings& settings,
                        const std::map<std::string, double>& elo);

}  // namespace chuhe::run
