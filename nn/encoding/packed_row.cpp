#include "nn/encoding/packed_row.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/random.h"

namespace chuhe::nn {

using xiangqi::Color;
using xiangqi::Move;
using xiangqi::Piece;
using xiangqi::Square;

namespace {

int nibble_of(Piece p, Color mover) {
  if (p == Piece::None) return 0;
  return 1 + int(xiangqi::type_of(p)) + (xiangqi::color_of(p) == mover ? 0 : xiangqi::kPieceTypes);
}

// Sixths of the natural limit: 20, 40, ... plies for a limit of 120. Without a limit the counter means
// nothing.
uint8_t quiet_bucket(int plies, const xiangqi::RuleSet& rules) {
  if (rules.natural_limit_plies <= 0) return 0;
  return uint8_t(std::clamp(plies * 6 / rules.natural_limit_plies, 0, 5));
}

CycleVerdict cycle_verdict(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules,
                           xiangqi::JudgeMemory* memory) {
  const auto verdict = xiangqi::judge_briefly(history, rules, 2, memory);
  if (!verdict) return CycleVerdict::None;
  if (verdict->outcome == xiangqi::Outcome::Draw) return CycleVerdict::Draw;
  const bool own_win = verdict->outcome == xiangqi::win_for(history.current().side_to_move());
  return own_win ? CycleVerdict::OwnWin : CycleVerdict::OwnLoss;
}

}  // namespace

PackedRow pack(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules, bool use_history,
               xiangqi::JudgeMemory* memory) {
  const xiangqi::Position& position = history.current();
  const Color mover = position.side_to_move();
  PackedRow row{};
  for (xiangqi::Bitboard pieces = position.occupied(); pieces;) {
    const Square from = pieces.pop();
    const Square s = oriented(from, mover);
    row.board[s / 2] |= uint8_t(nibble_of(position.piece_on(from), mover) << (s % 2 * 4));
  }
  if (!use_history) {
    row.quiet_bucket = quiet_bucket(position.quiet_plies(), rules);
    return row;
  }
  row.quiet_bucket = quiet_bucket(history.counted_plies(), rules);
  const int earlier = history.occurrences() - 1;
  if (earlier > 0) {
    row.repetitions = uint8_t(std::min(earlier, 2));
    row.cycle_verdict = uint8_t(cycle_verdict(history, rules, memory));
  }
  const auto facts = history.facts();
  const int known = std::min(int(facts.size()), kHistoryMoves);
  for (int i = 0; i < known; ++i) row.history[i] = oriented(facts[facts.size() - 1 - i].move, mover).bits;
  return row;
}

PackedRow without_history(const PackedRow& row) {
  PackedRow bare = row;
  bare.repetitions = 0;
  bare.cycle_verdict = uint8_t(CycleVerdict::None);
  std::fill(std::begin(bare.history), std::end(bare.history), uint16_t(0));
  return bare;
}

PackedRow mirrored(const PackedRow& row) {
  PackedRow out = row;
  std::fill(std::begin(out.board), std::end(out.board), uint8_t(0));
  for (Square s = 0; s < xiangqi::kSquares; ++s) {
    const int piece = row.board[s / 2] >> (s % 2 * 4) & 15;
    const Square m = xiangqi::mirrored(s);
    out.board[m / 2] |= uint8_t(piece << (m % 2 * 4));
  }
  for (uint16_t& bits : out.history) {
    const Move move = Move::of_bits(bits);
    if (move) bits = Move(xiangqi::mirrored(move.from()), xiangqi::mirrored(move.to())).bits;
  }
  return out;
}

uint64_t digest(const PackedRow& row) {
  static_assert(std::endian::native == std::endian::little, "the digest reads the row's bytes as words");
  uint64_t words[8];
  std::memcpy(words, &row, sizeof words);
  // A sum of eight independent mixes runs in parallel, where a chain would wait on each step.
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 8; ++i) sum += mix64(words[i] + mix64(i));
  return mix64(sum);
}

}  // namespace chuhe::nn
