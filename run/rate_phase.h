#pragma once
// Rates one net of a run: asks it what it knows (run/suite_phase.h), plays it against its predecessor, an
// older net and the built-in ladder; then fits all results of the run on one Elo scale and writes
// ratings/table.txt, ratings/ratings.json and ratings/curve.svg.

#include <functional>
#include <stop_token>

#include "base/log.h"
#include "run/run_folder.h"
#include "run/run_settings.h"

namespace chuhe::run {

/// Plays what is missing of net `number`'s pairings; each has a journal of its own in ratings/. A stop
/// request returns after the games that are finished are in the journal. False if nothing was left to play.
bool rate_phase(const RunFolder& folder, const RunSettings& settings, int number, Log& log,
                std::stop_token stop, const std::function<double()>& clock);

/// Of one net, from the journals.
struct Standing {
  double score = -1,
         low = 0;  // against "random", with the lower end of the 95 % interval; score < 0: not played
  double elo = 0, elo_error = 0;  // on the run's scale
};
Standing standing_of(const RunFolder& folder, const RunSettings& settings, int number);

}  // namespace chuhe::run
