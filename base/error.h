#pragma once
// Two kinds of failure, never mixed (docs/architecture.md):
//  - Error: the fault of a user, a file or a machine. what() is one line that names the thing and what was
//  expected.
//  - CHUHE_CHECK / CHUHE_DCHECK: our own bug. Prints the place and aborts; the D form only where
//  CHUHE_DCHECKS is defined.

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace chuhe {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(what) {}
  template <class... Args>
  requires(sizeof...(Args) > 0) explicit Error(fmt::format_string<Args...> format, Args&&... args)
      : std::runtime_error(fmt::format(format, std::forward<Args>(args)...)) {}
};

/// A parsed value or the reason why there is none: for parsers whose failure is an ordinary outcome (GUI
/// input).
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: meant to be implicit
  static Result failure(std::string why) {
    Result r;
    r.error_ = std::move(why);
    return r;
  }
  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }
  const std::string& error() const { return error_; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return &*value_; }
  /// The value; throws Error with the reason where there is none.
  T value() && {
    if (!value_) throw Error(error_);
    return std::move(*value_);
  }
  const T& value() const& {
    if (!value_) throw Error(error_);
    return *value_;
  }

 private:
  Result() = default;
  std::optional<T> value_;
  std::string error_;
};

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const std::string& message);

}  // namespace chuhe

#define CHUHE_CHECK(condition, ...)                                                         \
  do {                                                                                      \
    if (!(condition)) [[unlikely]]                                                          \
      ::chuhe::check_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
  } while (false)

#ifdef CHUHE_DCHECKS
#define CHUHE_DCHECK(condition, ...) CHUHE_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#else
#define CHUHE_DCHECK(condition, ...)                              \
  do {                                                            \
    if (false) CHUHE_CHECK(condition __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)
#endif
