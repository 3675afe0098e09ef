#include "xiangqi/rules/classify.h"

namespace chuhe::xiangqi {

PlyNature classify(const Position& before, Move move, const RuleSet&, const JudgeBudget&, PlyFinding* details) {
  Position after = before;
  after.play(move);
  PlyNature nature;
  nature.ply_class = after.in_check() ? PlyClass::Check : PlyClass::Idle;
  if (details) details->ply_class = nature.ply_class;
  return nature;
}

ChaseKind chase_kind(const Position&, Move, const RuleSet&, const JudgeBudget&) {
  return {};
}

bool attacks_with_pawn(const Position&, Move, const RuleSet&, const JudgeBudget&) {
  return false;
}

}  // namespace chuhe::xiangqi
