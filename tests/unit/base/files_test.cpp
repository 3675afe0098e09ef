#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "base/error.h"
#include "tests/support/temp_folder.h"

namespace chuhe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  fs::path operator/(const char* name) const { return folder_ / name; }
  const test::TempFolder folder_;
};

template <class Body>
std::string error_of(Body body) {
  try {
    body();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

// Runs the body in a child whose files cannot grow beyond `bytes`, as on a full disk; its exit status.
template <class Body>
int with_full_disk(size_t bytes, Body body) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(FilesTest, WritesReadsAndReplaces) {
  const fs::path path = folder_ / "a.bin";
  const std::string data("with\0zero and \n line", 20);
  write_file_atomically(path, data);
  EXPECT_EQ(read_file(path), data);
  write_file_atomically(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_FALSE(fs::exists(path.string() + ".tmp"));
  const std::string big(1 << 20, 'x');
  write_file_atomically(path, big);
  EXPECT_EQ(read_file(path), big);
}

TEST_F(FilesTest, ErrorsNameThePath) {
  EXPECT_THAT(error_of([&] { read_file(folder_ / "none"); }), HasSubstr("none: cannot open: No such file"));
  EXPECT_THAT(error_of([&] { read_file(folder_); }), HasSubstr("expected a file, this is a folder"));
  // A pipe or device was replaced by a file once.
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& other : {pipe, folder_.path()})
    EXPECT_THAT(error_of([&] { write_file_atomically(other, "x"); }), HasSubstr("this is no plain file"));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_THAT(error_of([&] { write_file_atomically(folder_ / "no" / "file", "x"); }),
              HasSubstr("file.tmp: cannot create: No such"));
  write_file_atomically(folder_ / "file", "x");
  EXPECT_THAT(error_of([&] { make_folder(folder_ / "file"); }), HasSubstr("file: cannot make this folder"));
  EXPECT_THAT(error_of([&] { rename_into_place(folder_ / "gone.tmp", folder_ / "gone"); }),
              HasSubstr("gone: cannot rename"));
}

TEST_F(FilesTest, AFullDiskLeavesTheOldFile) {
  const fs::path path = folder_ / "a";
  write_file_atomically(path, "old");
  EXPECT_EQ(with_full_disk(1000,
                           [&] {
                             const auto text =
                                 error_of([&] { write_file_atomically(path, std::string(5000, 'y')); });
                             return text.find("a: cannot write: File too large") != std::string::npos ? 0 : 1;
                           }),
            0);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_FALSE(fs::exists(path.string() + ".tmp"));
}

TEST_F(FilesTest, LinesAreAppended) {
  const fs::path path = folder_ / "log";
  EXPECT_THAT(read_lines(path), ElementsAre());
  append_line(path, "one");
  append_line(path, "");
  append_line(path, "three");
  EXPECT_THAT(read_lines(path), ElementsAre("one", "", "three"));
}

TEST_F(FilesTest, ACutLastLineIsDroppedAndReplaced) {
  const fs::path path = folder_ / "log";
  append_line(path, "one");
  std::ofstream(path, std::ios::app) << std::string(9000, 'c');
  EXPECT_THAT(read_lines(path), ElementsAre("one"));
  append_line(path, "two");
  EXPECT_THAT(read_lines(path), ElementsAre("one", "two"));
  std::ofstream(path, std::ios::trunc) << "only a cut line";
  EXPECT_THAT(read_lines(path), ElementsAre());
  append_line(path, "first");
  EXPECT_THAT(read_lines(path), ElementsAre("first"));
}

TEST_F(FilesTest, AFullDiskCutsNoLine) {
  const fs::path path = folder_ / "log";
  append_line(path, "one");
  EXPECT_EQ(with_full_disk(100,
                           [&] {
                             const auto text = error_of([&] { append_line(path, std::string(200, 'y')); });
                             return text.find("log: cannot append") != std::string::npos ? 0 : 1;
                           }),
            0);
  EXPECT_EQ(read_file(path), "one\n");
}

}  // namespace
}  // namespace chuhe
