#include "nn/encoding/policy_index.h"

#include <array>

#include "base/error.h"
#include "nn/encoding/packed_row.h"

namespace chuhe::nn {

using xiangqi::kSquares;
using xiangqi::Move;

namespace {

constexpr bool is_own_elephant_point(int file, int rank) {
  return rank == 2 ? file == 0 || file == 4 || file == 8
                   : (rank == 0 || rank == 4) && (file == 2 || file == 6);
}

constexpr bool in_own_palace(int file, int rank) {
  return file >= 3 && file <= 5 && rank <= 2;
}

// Could some piece of the mover go from one square to the other?
constexpr bool is_playable(int from, int to) {
  const int from_file = xiangqi::file_of(xiangqi::Square(from)),
            to_file = xiangqi::file_of(xiangqi::Square(to));
  const int from_rank = xiangqi::rank_of(xiangqi::Square(from)),
            to_rank = xiangqi::rank_of(xiangqi::Square(to));
  const int files = from_file < to_file ? to_file - from_file : from_file - to_file;
  const int ranks = from_rank < to_rank ? to_rank - from_rank : from_rank - to_rank;
  if ((files == 0) != (ranks == 0)) return true;
  if (files * ranks == 2) return true;
  if (files == 2 && ranks == 2)
    return is_own_elephant_point(from_file, from_rank) && is_own_elephant_point(to_file, to_rank);
  if (files == 1 && ranks == 1) {
    const bool from_centre = from_file == 4 && from_rank == 1, to_centre = to_file == 4 && to_rank == 1;
    return in_own_palace(from_file, from_rank) && in_own_palace(to_file, to_rank) && from_centre != to_centre;
  }
  return false;
}

struct Tables {
  std::array<int16_t, kSquares * kSquares> index{};
  std::array<uint16_t, kPolicySize> moves{};
  int count = 0;
};

constexpr Tables make_tables() {
  Tables t;
  for (int from = 0; from < kSquares; ++from)
    for (int to = 0; to < kSquares; ++to) {
      const bool playable = is_playable(from, to);
      t.index[from * kSquares + to] = int16_t(playable ? t.count : -1);
      if (playable) t.moves[t.count++] = Move(xiangqi::Square(from), xiangqi::Square(to)).bits;
    }
  return t;
}

constexpr Tables kTables = make_tables();
static_assert(kTables.count == kPolicySize);

}  // namespace

int policy_index(Move m) {
  const bool on_board = m.from() < kSquares && m.to() < kSquares;
  const int index = on_board ? kTables.index[m.from() * kSquares + m.to()] : -1;
  CHUHE_CHECK(index >= 0, "{} is no move of any piece of the mover", m.bits);
  return index;
}

Move policy_move(int index) {
  CHUHE_CHECK(index >= 0 && index < kPolicySize, "policy index {}", index);
  return Move::of_bits(kTables.moves[index]);
}

std::span<const uint16_t, kPolicySize> policy_moves() {
  return kTables.moves;
}

int mirrored_index(int index) {
  const Move m = policy_move(index);
  return policy_index(Move(xiangqi::mirrored(m.from()), xiangqi::mirrored(m.to())));
}

void policy_indices(const xiangqi::MoveList& legal, xiangqi::Color mover, uint16_t* out) {
  for (Move m : legal) *out++ = uint16_t(policy_index(oriented(m, mover)));
}

}  // namespace chuhe::nn
