#include "nn/encoding/planes.h"

#include <array>
#include <cstring>

#include "nn/encoding/planes_inl.h"

namespace chuhe::nn {

using planes::kBoardSquares;

void plane_masks(const PackedRow& row, uint64_t* out) {
  unsigned char board[kBoardSquares];
  unsigned char attacked[2][kBoardSquares] = {};  // by own pieces, by the opponent's
  for (int s = 0; s < kBoardSquares; ++s) board[s] = uint8_t(planes::piece_at(row, s));
  int king = -1;
  for (int s = 0; s < kBoardSquares; ++s) {
    if (!board[s]) continue;
    if (board[s] == 1) king = s;
    unsigned char* by = attacked[board[s] > 7];
    planes::attacks_of(board, s, [by](int target) { by[target] = 1; });
  }
  const uint64_t common = planes::common_planes(row, king >= 0 && attacked[1][king]);
  for (int s = 0; s < kBoardSquares; ++s)
    out[s] = common | planes::board_planes(board[s], attacked[0][s], attacked[1][s]);
  // Eight moves touch few squares; asking each of them as the kernel's threads do would cost more than all
  // the rest.
  for (uint16_t move : row.history) {
    const int from = move & 127, to = move >> 7 & 127;
    if (!move || from >= kBoardSquares || to >= kBoardSquares) continue;
    out[from] |= planes::history_planes(row, from);
    out[to] |= planes::history_planes(row, to);
  }
}

namespace {

// Four planes at a time: bits to floats.
constexpr auto kNibbles = [] {
  std::array<std::array<float, 4>, 16> table{};
  for (int bits = 0; bits < 16; ++bits)
    for (int i = 0; i < 4; ++i) table[bits][i] = float(bits >> i & 1);
  return table;
}();

}  // namespace

void expand_planes(const PackedRow& row, float* out) {
  uint64_t masks[kBoardSquares];
  plane_masks(row, masks);
  for (uint64_t mask : masks)
    for (int p = 0; p < kPlanes; p += 4, out += 4)
      std::memcpy(out, kNibbles[mask >> p & 15].data(), sizeof(float) * 4);
}

}  // namespace chuhe::nn
