#pragma once
// A rule set is a table: limits, and clauses in the order in which they are asked. Each clause names a
// predicate over the two sides' plies of one cycle, a ruling and the article that it comes from. A new
// edition of the rules is a new table.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe::xiangqi {

/// What one ply of a cycle does; the heaviest class counts. In the order of weight.
enum class PlyClass : uint8_t { Idle, Follow, Block, Offer, Exchange, Chase, Kill, Check };
std::string_view name_of(PlyClass c);          // "check"
std::string_view chinese_name_of(PlyClass c);  // "将"

/// A question about a cycle, asked for one side (the offender). `Both` clauses are asked once.
enum class Predicate : uint8_t {
  AllChecksOneSided,  // every ply of the side is a check, not every ply of the other
  AnyRepetition,      // always true: the last clause of a table
};

enum class Ruling : uint8_t { OffenderLoses, OffenderMustChange, Draw };

struct Clause {
  Predicate predicate;
  Ruling ruling;
  std::string_view article;      // "26.1"
  std::string_view explanation;  // one English sentence
};

struct RuleSet {
  std::string_view name;
  int repetition_count;  // occurrences of a position (board and side) at which the judge is asked; 0 = never
  int natural_limit_plies;   // plies without a capture that end the game as a draw; 0 = no limit
  int natural_limit_checks;  // checks of each side (with the replies to them) that count towards it; more do
                             // not (digest A21)
  bool bare_material_draw;   // no rook, horse, cannon or pawn on the board is a draw (digest A23)
  std::span<const Clause> clauses;
  bool operator==(const RuleSet& other) const { return name == other.name; }
};

/// The table of that name: "checks_only" (perpetual check by one side loses, any other repetition draws),
/// "none" (every repetition draws). Throws Error listing the known names.
const RuleSet& rule_set(std::string_view name);
std::vector<std::string_view> rule_set_names();

}  // namespace chuhe::xiangqi
