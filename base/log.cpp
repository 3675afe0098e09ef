#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <optional>

#include "base/error.h"

namespace chuhe {

using Clock = std::chrono::steady_clock;

namespace {

/// Lets one through, then none until the time is over.
class Pause {
 public:
  bool over(Clock::time_point now, std::chrono::duration<double> length) {
    if (last_ && now - *last_ < length) return false;
    last_ = now;
    return true;
  }

 private:
  std::optional<Clock::time_point> last_;
};

}  // namespace

struct Log::Impl {
  std::mutex mutex;  // guards all below
  spdlog::logger terminal{"", std::make_shared<spdlog::sinks::stderr_sink_st>()};
  std::unique_ptr<spdlog::logger> file;
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  bool progress_shown = false;
  std::chrono::duration<double> plain_every{10};
  Pause terminal_pause, plain_pause;

  void line(spdlog::level::level_enum level, const std::string& text) {
    const std::lock_guard lock(mutex);
    clear_progress();
    terminal.log(level, text);
    if (file) file->log(level, text);
  }

  void clear_progress() {
    if (progress_shown) std::fputs("\r\x1b[K", stderr);
    progress_shown = false;
  }
};

namespace {

void set_up(spdlog::logger& logger) {
  logger.set_pattern("%Y-%m-%d %H:%M:%S%L %v");
  logger.flush_on(spdlog::level::trace);
}

}  // namespace

Log::Log(const std::filesystem::path& file) : impl_(std::make_unique<Impl>()) {
  impl_->terminal.set_pattern("%H:%M:%S %v");
  impl_->terminal.flush_on(spdlog::level::trace);
  if (file.empty()) return;
  try {
    impl_->file = std::make_unique<spdlog::logger>(
        "", std::make_shared<spdlog::sinks::basic_file_sink_st>(file.string()));
  } catch (const spdlog::spdlog_ex& e) {
    throw Error("{}: cannot open this log: {}", file.string(), e.what());
  }
  set_up(*impl_->file);
}

Log::~Log() {
  if (impl_->progress_shown) std::fputs("\n", stderr);
}

void Log::info(const std::string& line) {
  impl_->line(spdlog::level::info, line);
}
void Log::warn(const std::string& line) {
  impl_->line(spdlog::level::warn, "warning: " + line);
}

void Log::progress(const std::string& line) {
  const auto now = Clock::now();
  const std::lock_guard lock(impl_->mutex);
  if (impl_->is_terminal && impl_->terminal_pause.over(now, std::chrono::duration<double>(0.1))) {
    fmt::print(stderr, "\r\x1b[K{}", line);
    std::fflush(stderr);
    impl_->progress_shown = true;
  }
  if (!impl_->plain_pause.over(now, impl_->plain_every)) return;
  if (!impl_->is_terminal) impl_->terminal.log(spdlog::level::info, line);
  if (impl_->file) impl_->file->log(spdlog::level::info, line);
}

void Log::set_plain_every(double seconds) {
  const std::lock_guard lock(impl_->mutex);
  impl_->plain_every = std::chrono::duration<double>(seconds);
}

std::string format_duration(double seconds) {
  const auto total = int64_t(std::max(0.0, std::round(seconds)));
  const auto hours = total / 3600, minutes = total / 60 % 60, rest = total % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest)
                   : fmt::format("{:02}:{:02}", minutes, rest);
}

std::string format_count(double n) {
  constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  if (std::abs(n) < 1000) return n == std::round(n) ? fmt::format("{:.0f}", n) : fmt::format("{:.3g}", n);
  size_t unit = 0;
  // 999.5 would be rounded to 1000 of the smaller unit.
  while (std::abs(n) >= 999.5 && unit + 1 < std::size(kUnits)) {
    n /= 1000;
    ++unit;
  }
  const int decimals = std::abs(n) < 9.995 ? 2 : std::abs(n) < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", n, decimals, kUnits[unit]);
}

}  // namespace chuhe
