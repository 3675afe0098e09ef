#pragma once
// What a ply does, by a rule set (xiangqi/rules/ply_class.h has the vocabulary). Internal to the judge.

#include "xiangqi/rules/judge.h"
#include "xiangqi/rules/oriented_ply.h"

namespace chuhe::xiangqi {

/// What the clauses ask about one ply; small enough to be remembered.
struct PlyNature {
  PlyClass ply_class = PlyClass::Idle;
  bool budget_exceeded = false;
  /// Asian detector: the pieces newly attacked, where they stand after the move (on the board as it was
  /// given, not as it was turned).
  Bitboard victims;
};

/// How a chase is carried out, for L 29.8 / 20:26.9. Asked only if both sides attack with every ply.
struct ChaseKind {
  bool direct = false;  // a single piece attacks an unprotected (or dearer) one
  bool joint = false;   // a new gain by exchange, or by checks of several pieces
  bool escape =
      false;  // the moved piece was in danger, and another one makes a real attack now that it is not
};

/// `details`: fills the finding, too (slower); its squares are those of the board as it was given.
PlyNature classify(const OrientedPly& ply, const RuleSet& rules, const JudgeBudget& budget,
                   PlyFinding* details = nullptr);
/// A guess at the work that classify() will have with the ply: 1 and more. A sum, so it needs no turning.
int effort(const Position& before, Move move);
/// `cut` is set if a search stopped early.
ChaseKind chase_kind(const OrientedPly& ply, const RuleSet& rules, const JudgeBudget& budget, bool& cut);
/// 27.2 (1999): would the ply be a chase if pawns' own attacks counted?
bool attacks_with_pawn(const OrientedPly& ply, const RuleSet& rules, const JudgeBudget& budget, bool& cut);

}  // namespace chuhe::xiangqi
