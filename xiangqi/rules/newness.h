#pragma once
// 29.2: an attack counts only if it arises from the move just made. Internal to the judge.

#include "xiangqi/rules/gains.h"

namespace chuhe::xiangqi {

/// Did the gain, found after the move, stand before it? `before` and `after` follow the same pieces.
bool is_old(const Gain& gain, GainFinder& before, GainFinder& after, PieceId mover, const RuleSet& rules);

}  // namespace chuhe::xiangqi
