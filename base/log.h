#pragma once
// Progress and messages of long work: a line that is rewritten on a terminal, plain lines in a log. No state
// is shared between logs.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

namespace chuhe {

/// Where a command reports. Thread-safe. Lines go to stderr with a time stamp and, if a path is given, are
/// appended to that file.
class Log {
 public:
  explicit Log(const std::filesystem::path& file = {});
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void info(const std::string& line);
  void warn(const std::string& line);
  /// The state of long work: on a terminal it replaces the last progress line at most ten times a second;
  /// without one it is a plain line at most every `plain_every` seconds.
  void progress(const std::string& line);
  void set_plain_every(double seconds);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "1:02:03" or "02:03".
std::string format_duration(double seconds);
/// 1234567 -> "1.23M".
std::string format_count(double n);

}  // namespace chuhe
