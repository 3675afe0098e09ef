#pragma once
// 29.2: an attack counts only if it arises from the move just made. Internal to the judge.

#include "xiangqi/rules/gains.h"

namespace chuhe::xiangqi {

/// Did the gain, found after the move, stand before it? `before` and `after` follow the same pieces.
bool is_old(const Gain& gain, GainFinder& before, GainFinder& after, PieceId mover, const RuleSet& rules);

/// 做根子捉子，得不偿失 (29.2 of 2007, 20:26.5): the run of checks lets go of a piece that hung before the move and
/// that only its first piece guards since, by checks of its own: each side takes something, and the mover gains
/// nothing. (A direct capture by a root is a chase all the same, L 29.3.1.)
bool gives_up_a_ward(const Gain& gain, GainFinder& before, GainFinder& after, const RuleSet& rules);

}  // namespace chuhe::xiangqi
