#include "base/long_step.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>

namespace chuhe {

LongStep::LongStep(Log& log, std::string what, std::function<std::string()> how_far,
                   std::chrono::milliseconds first_after)
    : teller_([&log, what = std::move(what), how_far = std::move(how_far),
               first_after](const std::stop_token& ended) {
        const auto begin = std::chrono::steady_clock::now();
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        auto pause = first_after;
        while (!wake.wait_for(lock, ended, pause, [] { return false; }) && !ended.stop_requested()) {
          const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
          const std::string far = how_far ? ", " + how_far() : "";
          log.progress(fmt::format("{}{}, {} so far", what, far, format_duration(taken.count())));
          pause = std::chrono::seconds(1);
        }
      }) {}

}  // namespace chuhe
