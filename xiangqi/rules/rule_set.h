#pragma once
// A rule set is a table: limits, how plies are classified, and clauses in the order in which they are asked.
// Each line names the article that it comes from. A new edition of the rules is a new table.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xiangqi/rules/ply_class.h"

namespace chuhe::xiangqi {

/// A question about a cycle, asked for one side (the offender).
enum class Predicate : uint8_t {
  AllChecksOneSided,     // every ply of the side is a check, not every ply of the other
  AttacksOneSided,       // every ply of the side is a check, kill or chase, not every ply of the other
  SoleChaserOfUnrooted,  // both sides attack with every ply; the side chases an unprotected piece each time,
                         // the other escapes or chases jointly (L 29.8, 20:26.9)
  ChaseOfOnePieceOneSided,  // the side chases the same piece with every ply, the other does not (Asian rules)
  AllAttacksMutual,         // both sides attack with every ply
  AnyRepetition,            // always true: the last clause of a table
};

enum class Ruling : uint8_t { OffenderLoses, OffenderMustChange, Draw };

struct Clause {
  Predicate predicate;
  Ruling ruling;
  std::string_view article;              // "26.1"
  std::string_view explanation;          // one English sentence
  std::string_view chinese_explanation;  // the same in Chinese
};

/// A number with the article that sets it. Reads and assigns like an int.
struct Limit {
  int value = 0;
  std::string_view article = "-";
  constexpr operator int() const { return value; }
  Limit& operator=(int v) {
    value = v;
    return *this;
  }
};

/// How plies are told apart.
enum class Detector : uint8_t {
  ChecksOnly,  // check or idle
  Chinese,     // gains by capture, exchange and consecutive checks; mate threats
  Asian,       // new single captures only
};

struct ExemptionClause {
  Exemption exemption;
  std::string_view article;
};

/// What the referee announces, with its articles ("" where the text names none).
struct Procedure {
  std::string_view loses_article, draw_article, change_article;
  /// How long an offender may go on once told to change: "if the cycle is repeated once more".
  std::string_view limit = "if it does not", chinese_limit = "不变判负";
};

struct RuleSet {
  std::string_view name;
  std::string_view title, chinese_title;
  Limit
      repetition_count;  // occurrences of a position (board and side) at which the judge is asked; 0 = never
  Limit natural_limit_plies;   // plies without a capture that end the game as a draw; 0 = no limit
  Limit natural_limit_checks;  // checks of each side (with the replies to them) that count towards it; more
                               // do not (digest A21)
  bool bare_material_draw;     // no rook, horse, cannon or pawn on the board is a draw (digest A23)
  Detector detector;
  Limit counter_mate_checks;    // 29.4: a capture is no gain if the capturer's side is then mated by so many
                                // checks
  bool pawns_attack_in_mutual;  // 27.2 (1999): if the other side attacks with every ply, pawns' attacks count
  Procedure procedure;
  std::span<const ExemptionClause> exemptions;
  std::span<const Clause> clauses;
  bool exempts(Exemption e) const;
  bool operator==(const RuleSet& other) const { return name == other.name; }
};

/// The table of that name: one of rule_set_names(). Throws Error listing the known names.
const RuleSet& rule_set(std::string_view name);
/// cxa2007 (the default), cxa1999, cxa2020, axf, checks_only, none.
std::vector<std::string_view> rule_set_names();
/// "cxa2007, cxa1999, ...": for help texts.
std::string rule_set_list();
inline constexpr std::string_view kDefaultRuleSet = "cxa2007";

}  // namespace chuhe::xiangqi
