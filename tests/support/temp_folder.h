#pragma once
// A folder of a test's own: made under the system's folder for temporary files, removed with all that is in
// it when the object ends, also where an assertion failed. No two objects share one, so tests may run at the
// same time.

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace chuhe::test {

class TempFolder {
 public:
  /// Throws std::system_error where no folder can be made.
  TempFolder() {
    // Named after the program, so that a folder which stays (after a crash) tells where it comes from.
    std::string name = std::filesystem::temp_directory_path() / program_invocation_short_name;
    name += "_XXXXXX";
    if (!mkdtemp(name.data())) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  ~TempFolder() {
    if (getpid() != owner_) return;  // a forked child has a copy of the object, not a folder
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  operator const std::filesystem::path&() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  const pid_t owner_ = getpid();
};

}  // namespace chuhe::test
