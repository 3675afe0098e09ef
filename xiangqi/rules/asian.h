#pragma once
// Chases by the Asian federation's rules (digest section 6): single captures only. Internal to the judge.

#include "xiangqi/rules/judge.h"

namespace chuhe::xiangqi {

/// Pieces that the move newly chases, where they stand after it: an attacker other than king or pawn can take
/// the piece legally, and nothing can take back legally, or the piece is of a higher class, or a crossed pawn.
/// Mutual attacks of like pieces do not count, nor attacks that stood before the move unless a protector has
/// just been pinned. If the move gives check, too, that check is left aside in all of this: what the checked
/// side could otherwise take back, it protects.
Bitboard newly_chased(const Position& before, Move move, const RuleSet& rules, PlyFinding* details);

}  // namespace chuhe::xiangqi
