#include "trainer/batch.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "nn/encoding/planes.h"
#include "nn/encoding/policy_index.h"
#include "xiangqi/board/position.h"

namespace chuhe::trainer {
namespace {

// The packed board from the mover's side, with Red as the mover.
xiangqi::Position position_of(const nn::PackedRow& row) {
  static constexpr char kLetters[] = ".KAENRCPkaenrcp";
  std::array<char, 112> text;
  size_t n = 0;
  for (int rank = xiangqi::kRanks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < xiangqi::kFiles; ++file) {
      const int s = xiangqi::make_square(file, rank);
      const int piece = row.board[s / 2] >> (s % 2 * 4) & 15;
      if (piece == 0) {
        ++empty;
        continue;
      }
      if (empty) text[n++] = char('0' + empty);
      empty = 0;
      text[n++] = kLetters[piece];
    }
    if (empty) text[n++] = char('0' + empty);
    text[n++] = rank ? '/' : ' ';
  }
  text[n++] = 'w';
  return xiangqi::Position::from_fen({text.data(), n}).value();
}

void fill_policy(const WindowGame& game, const WindowRow& row, bool mirror, const uint16_t* moves, int legal,
                 float* policy) {
  std::array<uint8_t, nn::kPolicySize> place{};  // 1 + position in the list of legal moves
  for (int i = 0; i < legal; ++i) place[moves[i]] = uint8_t(i + 1);
  float sum = 0;
  for (uint32_t k = row.policy_begin; k < row.policy_begin + row.policy_count; ++k) {
    const int index = mirror ? nn::mirrored_index(game.policy[k].index) : game.policy[k].index;
    if (!place[index])
      throw Error("game {} of writer {}, ply {}: the policy target has an illegal move", game.id, game.writer,
                  row.ply);
    policy[place[index] - 1] = game.policy[k].weight;
    sum += game.policy[k].weight;
  }
  for (int i = 0; i < legal; ++i) policy[i] /= sum;
}

}  // namespace

void TrainBatch::resize(int n, bool with_planes) {
  const auto size = size_t(n);
  rows = n;
  packed.resize(size);
  planes.resize(with_planes ? size * xiangqi::kSquares * nn::kPlanes : 0);
  for (auto* list : {&legal, &policy}) list->resize(size * kWidth);
  moves.resize(size * kWidth);
  for (auto* list : {&policy_weight, &moves_left, &moves_weight}) list->resize(size);
  wdl.resize(size * 3);
}

void fill_row(const WindowGame& game, const WindowRow& row, const Augment& augment, double root_value_share,
              TrainBatch& batch, int index) {
  const auto i = size_t(index);
  nn::PackedRow packed = augment.drop_history ? nn::without_history(row.packed) : row.packed;
  if (augment.mirror) packed = nn::mirrored(packed);
  batch.packed[i] = packed;
  if (!batch.planes.empty())
    nn::expand_planes(packed, batch.planes.data() + i * xiangqi::kSquares * nn::kPlanes);

  xiangqi::MoveList list;
  position_of(packed).legal_moves(list);
  std::array<uint16_t, TrainBatch::kWidth> moves;
  nn::policy_indices(list, xiangqi::Color::Red, moves.data());
  // In the order of the indices, so that a mirrored row's list does not depend on the move generator's order.
  std::sort(moves.begin(), moves.begin() + list.size());
  int64_t* out = batch.moves.data() + i * TrainBatch::kWidth;
  float* legal = batch.legal.data() + i * TrainBatch::kWidth;
  float* policy = batch.policy.data() + i * TrainBatch::kWidth;
  for (int k = 0; k < TrainBatch::kWidth; ++k) {
    out[k] = k < list.size() ? moves[size_t(k)] : 0;
    legal[k] = k < list.size() ? 1.0f : 0.0f;
    policy[k] = 0;
  }
  batch.policy_weight[i] = row.policy_count ? 1.0f : 0.0f;
  if (row.policy_count) fill_policy(game, row, augment.mirror, moves.data(), list.size(), policy);

  const float root = float(row.root_value) / 32767.0f;
  const auto share = float(root_value_share);
  float* wdl = batch.wdl.data() + i * 3;
  wdl[0] = (1 - share) * float(row.outcome > 0) + share * std::max(root, 0.0f);
  wdl[2] = (1 - share) * float(row.outcome < 0) + share * std::max(-root, 0.0f);
  wdl[1] = std::max(1 - wdl[0] - wdl[2], 0.0f);
  batch.moves_left[i] = std::max(row.moves_left, 0.0f);
  batch.moves_weight[i] = row.moves_left >= 0 ? 1.0f : 0.0f;
}

}  // namespace chuhe::trainer
