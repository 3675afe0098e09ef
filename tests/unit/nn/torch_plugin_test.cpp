// What becomes of a plugin that is missing or of another build. A process opens it once, so each case is a process of its own.

#include "nn/api/torch_plugin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"

namespace chuhe::nn {
namespace {

using testing::AllOf;
using testing::ExitedWithCode;
using testing::HasSubstr;

// Writes why `plugin` is refused; the exit status is 0 if both questions are answered alike.
[[noreturn]] void open(const std::string& plugin) {
  setenv("CHUHE_TORCH_PLUGIN", plugin.c_str(), 1);
  std::string why;
  if (torch_available(&why)) std::exit(1);
  std::fprintf(stderr, "%s\n", why.c_str());
  try {
    torch_symbol("chuhe_torch_describe");
  } catch (const Error& e) {
    std::exit(e.what() == why ? 0 : 2);
  }
  std::exit(3);
}

// tests/unit/nn/CMakeLists.txt makes them beside this program.
std::string pretended(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

TEST(TorchPlugin, SaysWhereItLooked) {
  EXPECT_EXIT(open("/nonexistent/libchuhe_torch.so"), ExitedWithCode(0),
              "looked at /nonexistent/libchuhe_torch.so");
}

TEST(TorchPlugin, OfAnotherBuildIsRefused) {
  EXPECT_EXIT(
      open(pretended("libother_build.so")), ExitedWithCode(0),
      AllOf(HasSubstr(
                "libother_build.so belongs to another build of chuhe (0.0.1-0123456789ab; this program: "),
            HasSubstr(kPluginBuild), HasSubstr("build or install both together")));
}

TEST(TorchPlugin, ThatDoesNotTellItsBuildIsRefused) {
  EXPECT_EXIT(
      open(pretended("libno_build.so")), ExitedWithCode(0),
      HasSubstr(
          "libno_build.so belongs to another build of chuhe (unknown, it does not tell; this program: "));
}

}  // namespace
}  // namespace chuhe::nn
