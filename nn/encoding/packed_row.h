#pragma once
// From a game to a packed row. The row's layout is in row.h.

#include "nn/encoding/row.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::nn {

inline xiangqi::Square oriented(xiangqi::Square s, xiangqi::Color mover) {
  return mover == xiangqi::Color::Red ? s : xiangqi::flipped(s);
}
inline xiangqi::Move oriented(xiangqi::Move m, xiangqi::Color mover) {
  return xiangqi::Move(oriented(m.from(), mover), oriented(m.to(), mover));
}

/// Packs the current position of the history. `use_history` false packs it as a bare FEN would be: no moves,
/// no repetition, and the position's own counter of quiet plies. The judge is asked only if the position has
/// occurred before; `memory` saves it work and changes no row.
PackedRow pack(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules, bool use_history = true,
               xiangqi::JudgeMemory* memory = nullptr);

/// The same position without what only its history tells (moves, repetitions, cycle verdict), for training on
/// rows like those of GUIs that send a bare FEN. The counter bucket stays.
PackedRow without_history(const PackedRow& row);

/// The row of the left-right mirrored game.
PackedRow mirrored(const PackedRow& row);

/// 64-bit digest of all bytes, the same on every machine.
uint64_t digest(const PackedRow& row);

}  // namespace chuhe::nn
