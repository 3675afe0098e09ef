#include "nn/encoding/planes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "tests/support/paths.h"
#include "tests/unit/nn/nn_support.h"

namespace chuhe::nn {
namespace {

using test::game;
using test::rules;
using xiangqi::Color;
using xiangqi::GameHistory;
using xiangqi::Square;

struct Example {
  const char* name;
  const char* fen;
  const char* moves;
};
constexpr Example kExamples[] = {
    {"start", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", ""},
    {"black to move, one move known", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
     "h2e2"},
    {"third occurrence", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
     "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9"},
    {"perpetual check, the checker to move", "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1", "e1d1 d9e9 d1e1 e9d9"},
    {"in check, late counter, pawns across", "4k4/9/3P1P3/9/9/9/9/p8/4R4/3K5 b - - 85 70", ""},
};

std::string square_name(int s) {
  return {char('a' + s % 9), char('0' + s / 9)};
}

// Each plane that is not empty, with its squares.
std::string describe(const Example& example) {
  const PackedRow row = pack(game(example.fen, example.moves), rules());
  std::vector<float> planes(90 * kPlanes, -1.0f);
  expand_planes(row, planes.data());
  std::string text = fmt::format("# {}\n# {} {}\n", example.name, example.fen, example.moves);
  for (int p = 0; p < kPlanes; ++p) {
    std::string squares;
    int count = 0;
    for (int s = 0; s < 90; ++s) {
      const float v = planes[size_t(s * kPlanes + p)];
      EXPECT_TRUE(v == 0.0f || v == 1.0f) << v;
      if (v != 1.0f) continue;
      squares += fmt::format(" {}", square_name(s));
      ++count;
    }
    if (count > 0) text += fmt::format("{:2}{}\n", p, count == 90 ? " all" : squares);
  }
  return text;
}

// CHUHE_WRITE_GOLDEN=1 writes the file anew; look at the difference before it is committed.
TEST(Planes, FivePositionsAsText) {
  std::string text;
  for (const Example& example : kExamples) text += describe(example) + "\n";
  const std::filesystem::path path = golden_dir() / "nn" / "planes.txt";
  if (std::getenv("CHUHE_WRITE_GOLDEN")) {
    make_folder(path.parent_path());
    write_file_atomically(path, text);
  }
  EXPECT_EQ(text, read_file(path));
}

TEST(Planes, MasksAreThePlanes) {
  for (const test::Sample& sample : test::random_samples(50, 5)) {
    std::vector<float> planes(90 * kPlanes);
    uint64_t masks[90];
    expand_planes(sample.row, planes.data());
    plane_masks(sample.row, masks);
    for (int s = 0; s < 90; ++s)
      for (int p = 0; p < kPlanes; ++p) ASSERT_EQ(planes[size_t(s * kPlanes + p)], float(masks[s] >> p & 1));
  }
}

// The board module computes attacks by table look-up, the planes by walking: two independent ways.
TEST(Planes, AttacksAndCheckAgreeWithTheBoard) {
  int checks = 0;
  for (uint64_t g = 0; g < 30; ++g) {
    Random random(6, "attacks", g);
    test::random_game(random, 200, 0.0, [&](const GameHistory& history) {
      const auto& position = history.current();
      const Color mover = position.side_to_move();
      uint64_t masks[90];
      plane_masks(pack(history, rules()), masks);
      for (Square s = 0; s < 90; ++s) {
        const uint64_t mask = masks[oriented(s, mover)];
        const auto attacked = [&](Color by) {
          return bool(position.attackers_to(s, by, position.occupied()));
        };
        ASSERT_EQ(mask >> 30 & 1, attacked(mover)) << position.to_fen() << " " << square_name(s);
        ASSERT_EQ(mask >> 31 & 1, attacked(~mover)) << position.to_fen() << " " << square_name(s);
      }
      EXPECT_EQ(masks[0] >> 42 & 1, position.in_check());
      checks += position.in_check();
    });
  }
  EXPECT_GT(checks, 20);
}

// Rows come from files of strangers, too.
TEST(Planes, AnyBytesAreSafe) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    PackedRow row;
    unsigned char bytes[sizeof row];
    for (unsigned char& b : bytes) b = uint8_t(random.next());
    std::memcpy(&row, bytes, sizeof row);
    uint64_t masks[90];
    plane_masks(row, masks);
    for (uint64_t mask : masks) EXPECT_EQ(mask >> 43, 1u);
  }
}

}  // namespace
}  // namespace chuhe::nn
