#include "tests/support/paths.h"

namespace chuhe {

std::filesystem::path source_dir() {
  return CHUHE_SOURCE_DIR;
}

std::filesystem::path golden_dir() {
  return source_dir() / "tests" / "golden";
}

}  // namespace chuhe
