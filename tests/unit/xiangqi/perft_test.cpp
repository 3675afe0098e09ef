#include <gtest/gtest.h>

#include "tests/unit/xiangqi/golden.h"

namespace chuhe::xiangqi {
namespace {

TEST(Perft, GoldenCounts) {
  constexpr uint64_t kMostLeaves = 6'000'000;  // in each position; the deeper counts are for `chuhe perft`
  int counts = 0;
  for (const Row& row : golden("perft.tsv"))
    for (const std::string& word : words(row.at(2))) {
      const size_t equals = word.find('=');
      const uint64_t leaves = std::stoull(word.substr(equals + 1));
      if (leaves > kMostLeaves) continue;
      EXPECT_EQ(perft(position(row.at(1)), std::stoi(word)), leaves) << row[0] << " depth " << word;
      ++counts;
    }
  EXPECT_GT(counts, 150);
}

TEST(Perft, DepthZeroIsOneLeaf) {
  EXPECT_EQ(perft(Position(), 0), 1u);
}

}  // namespace
}  // namespace chuhe::xiangqi
