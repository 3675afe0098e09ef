// `chuhe bench search --only-signature` as a program of its own, so that scripts/check_signature builds
// little.

#include <fmt/format.h>

#include "cli/bench_search.h"

int main() {
  fmt::print("SIGNATURE {}\n", chuhe::cli::search_signature(stderr));
}
