#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"

namespace chuhe {
namespace {

std::string cause() {
  return std::strerror(errno);
}

// A file descriptor that closes itself; close() by hand where its result matters.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, mode_t mode = 0644)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    data.remove_prefix(size_t(n));
  }
  return true;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

// The offset behind the last newline: what follows is a line that a kill or a full disk cut.
off_t end_of_complete_lines(int fd, const std::filesystem::path& path) {
  off_t end = ::lseek(fd, 0, SEEK_END);
  if (end < 0) throw Error("{}: cannot append: {}", path.string(), cause());
  char buffer[4096];
  while (end > 0) {
    const size_t n = size_t(std::min<off_t>(end, sizeof buffer));
    const ssize_t got = ::pread(fd, buffer, n, end - off_t(n));
    if (got != ssize_t(n)) throw Error("{}: cannot read its last line: {}", path.string(), cause());
    for (size_t i = n; i > 0; --i)
      if (buffer[i - 1] == '\n') return end - off_t(n) + off_t(i);
    end -= off_t(n);
  }
  return 0;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  Descriptor file(path, O_RDONLY);
  if (!file.ok()) throw Error("{}: cannot open: {}", path.string(), cause());
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
    throw Error("{}: expected a file, this is a folder", path.string());
  std::string data;
  data.resize(info.st_size > 0 ? size_t(info.st_size) + 1 : 4096);
  size_t used = 0;
  while (true) {
    if (used == data.size()) data.resize(data.size() * 2);
    const ssize_t n = ::read(file.get(), data.data() + used, data.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error("{}: cannot read: {}", path.string(), cause());
    if (n == 0) break;
    used += size_t(n);
  }
  data.resize(used);
  return data;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view data, bool read_only) {
  // The rename at the end would put a file in the place of a pipe or a device.
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    throw Error("{}: this is no plain file, expected the name of a file to write", path.string());
  const std::filesystem::path temporary = path.string() + ".tmp";
  ::unlink(temporary.c_str());  // a read-only one left by a kill could not be opened
  Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC, read_only ? 0444 : 0644);
  if (!file.ok()) throw Error("{}: cannot create: {}", temporary.string(), cause());
  // Some file systems report a full disk only at fsync or close.
  const bool written = write_all(file.get(), data) && ::fsync(file.get()) == 0 && file.close();
  if (!written) {
    const std::string why = cause();
    ::unlink(temporary.c_str());
    throw Error("{}: cannot write: {}", path.string(), why);
  }
  rename_into_place(temporary, path);
}

void sync_path(const std::filesystem::path& path) {
  Descriptor file(path, O_RDONLY);
  if (!file.ok()) throw Error("{}: cannot open: {}", path.string(), cause());
  // EINVAL: a file system that has nothing to sync for a folder.
  if (::fsync(file.get()) != 0 && errno != EINVAL) throw Error("{}: cannot sync: {}", path.string(), cause());
}

void rename_into_place(const std::filesystem::path& temporary, const std::filesystem::path& path) {
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string why = cause();
    ::unlink(temporary.c_str());
    throw Error("{}: cannot rename {} to it: {}", path.string(), temporary.filename().string(), why);
  }
  sync_path(folder_of(path));
}

void append_line(const std::filesystem::path& path, std::string_view line) {
  Descriptor file(path, O_RDWR | O_CREAT | O_APPEND);
  if (!file.ok()) throw Error("{}: cannot open for appending: {}", path.string(), cause());
  const off_t end = end_of_complete_lines(file.get(), path);
  // A cut line left by a kill goes, else this line would be glued to it.
  if (::ftruncate(file.get(), end) != 0) throw Error("{}: cannot append: {}", path.string(), cause());
  std::string text(line);
  text += '\n';
  ssize_t n;
  do {
    n = ::write(file.get(), text.data(), text.size());
  } while (n < 0 && errno == EINTR);
  if (n == ssize_t(text.size()) && file.close()) return;
  const std::string why = n >= 0 && size_t(n) < text.size() ? "disk full" : cause();
  if (file.ok() && ::ftruncate(file.get(), end) != 0)
    throw Error("{}: cannot append, and its last line is cut: {}", path.string(), why);
  throw Error("{}: cannot append: {}", path.string(), why);
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  if (!std::filesystem::exists(path)) return lines;
  const std::string text = read_file(path);
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.emplace_back(text, begin, end - begin);
  return lines;
}

void make_folder(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code && !std::filesystem::is_directory(path)) code = std::make_error_code(std::errc::not_a_directory);
  if (code) throw Error("{}: cannot make this folder: {}", path.string(), code.message());
}

}  // namespace chuhe
