#pragma once
// What one ply of a repeated cycle does, and the reasons that a referee would give for it. Article numbers
// are those of the Chinese competition rules of 1999 (25 to 29); "L" is the 2011 lecture on the 2007 rules,
// "20:" a clause of the 2020 rules.

#include <cstdint>
#include <string_view>
#include <vector>

#include "xiangqi/board/types.h"

namespace chuhe::xiangqi {

/// The heaviest class counts (27.4). In the order of weight.
enum class PlyClass : uint8_t {
  Idle,      // 闲 28.9
  Follow,    // 跟 28.8: shadows a protected piece
  Block,     // 拦 28.7: stands in an enemy piece's way
  Offer,     // 献 28.6: an unprotected piece is offered to its own kind
  Exchange,  // 兑 28.5, L 28.4: a protected piece is offered for an equal one
  Chase,     // 捉 28.3: would win material next
  Kill,      // 杀 28.2: would mate next by consecutive checks
  Check,     // 将 28.1
};
inline constexpr int kPlyClasses = 8;
std::string_view name_of(PlyClass c);          // "check"
std::string_view chinese_name_of(PlyClass c);  // "将"
/// 打 (28.4): check, kill or chase.
constexpr bool is_attack(PlyClass c) {
  return c >= PlyClass::Chase;
}

/// How a threatened gain comes about (29.1).
enum class GainForm : uint8_t {
  Direct,    // one capture of a piece without a real root, or of a dearer one
  Exchange,  // a complete exchange on one point
  Checks,    // consecutive checks (抽吃)
  Mate,      // consecutive checks that mate
};
std::string_view name_of(GainForm f);          // "direct"
std::string_view chinese_name_of(GainForm f);  // "直接捉"

/// The protection of an attacked piece (28.15, 28.16).
enum class Root : uint8_t {
  None,    // 无根: nothing stands behind it
  False,   // 假根: what stands behind it cannot really recapture
  Short,   // 少根: too few protectors for the attackers
  Rooted,  // 有根: protected, but dearer than the attacker
};
std::string_view name_of(Root r);          // "none"
std::string_view chinese_name_of(Root r);  // "无根"

/// Why something that looks like a threat is not counted.
enum class Exemption : uint8_t {
  KingAttack,        // 27.1: the king's own attack
  PawnAttack,        // 27.2: a pawn's own attack
  StoodBefore,       // 29.2: the attack stood before the move
  CapturerMated,     // 29.4: the capturer would be mated at once
  HiddenRoot,        // 28.16: the capturer would be won back by consecutive checks (暗根)
  KingEvasion,       // 20:26.1.2: the king only stepped out of check
  SameTypeExchange,  // 28.5, L general 6: a mutual attack of like pieces is an offer
  SelfInflicted,     // L 28.18: the checker brought the mate upon itself (自毙)
  LoneAttacker,      // 27.3, 20:26.2: a lone attacker that holds the draw meets a guard
  LaidOpen,          // L 29.2: the capture lays something dearer open (each takes his own, 各吃各子)
};
inline constexpr int kExemptions = 10;
std::string_view name_of(Exemption e);  // "king_attack"

/// One thing that the mover would do next if the opponent passed. Squares are those after the move.
struct Threat {
  Square attacker;       // where the piece that captures or checks first stands
  Square target;         // the point that it goes to
  Piece attacker_piece;  // what stands on them;
  Piece victim;          // none if a run of checks begins with a quiet move
  GainForm form;
  Root root;               // of the victim; None for a run of checks
  int strong;              // the gain in strong pieces, 0 (a weak piece or a pawn), 1 or 2 and more
  std::vector<Move> line;  // one way to carry it out: the mover's moves, with one reply between each two
  bool operator==(const Threat&) const = default;
};

struct Exempted {
  Threat threat;
  Exemption exemption;
};

/// Everything found out about one ply.
struct PlyFinding {
  PlyClass ply_class = PlyClass::Idle;
  std::vector<Threat> threats;     // new ones: those that make the class
  std::vector<Exempted> exempted;  // threats that do not count
  bool budget_exceeded = false;    // a search stopped early: threats may be missing
};

}  // namespace chuhe::xiangqi
