#pragma once
// SIGTERM, SIGINT and SIGUSR1 all ask for the same: finish what must not be cut, save, exit. A second signal
// ends at once (exit 130).

#include <atomic>
#include <stop_token>

namespace chuhe {

/// Installs the handlers (once per process, by main) and returns the token that they trip.
std::stop_token install_stop_signals();

}  // namespace chuhe
