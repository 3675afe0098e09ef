#pragma once
// The judge: a pure function of a game's history and a rule set. Search and game end call the same one.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xiangqi/rules/game_history.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::xiangqi {

enum class Outcome : uint8_t { RedWins, BlackWins, Draw };
constexpr Outcome win_for(Color c) {
  return c == Color::Red ? Outcome::RedWins : Outcome::BlackWins;
}
constexpr Outcome mirrored(Outcome o) {
  return o == Outcome::Draw ? o : o == Outcome::RedWins ? Outcome::BlackWins : Outcome::RedWins;
}
std::string_view name_of(Outcome o);  // "red_wins"

/// Why a game ended. The numbers are stored in shards: append only.
enum class EndReason : uint8_t {
  None = 0,
  Checkmate = 1,
  NoLegalMove = 2,     // stalemate: loses
  PerpetualCheck = 3,  // the checker loses
  Repetition = 4,      // a repetition that the rule set lets stand: draw
  NaturalLimit = 5,    // too many plies without a capture: draw
  BareMaterial = 6,    // nobody has an attacking piece: draw
  PlyCapMaterial = 7,  // cut at the ply cap, decided by the material balance
  PlyCapDraw = 8,      // cut at the ply cap, called a draw
  Resignation = 9,
  PerpetualChase = 10,  // or another forbidden repetition: the offender loses
  TimeForfeit = 11,
  Forfeit = 12,    // illegal move, crash or silence of an outside player
  Tablebase = 13,  // adjudicated: an exact table knows the winner
};
constexpr int kEndReasons = 14;
std::string_view name_of(EndReason r);  // "checkmate"
/// Throws Error for an unknown name.
EndReason end_reason(std::string_view name);
/// Whether the position and the rules alone decide such an end; any other is a decision of players or of the
/// program, and tells nothing about how far the game's own end was.
bool decided_by_rules(EndReason r);

struct CyclePly {
  int ply;  // index into the history's facts
  Move move;
  PlyFinding finding;
};

/// Work limits of one search of the classifier, in nodes (boards looked at). An exceeded budget counts as "no
/// threat found" and is reported. The default is for play: searches, games and their replay use it alike.
struct JudgeBudget {
  int mate_nodes = 1000;     // for one mate search
  int exchange_nodes = 500;  // for the captures and exchanges of one position, or one of them
  int check_nodes = 500;     // for the runs of checks of one position, short ones and longer ones
};
/// For verdicts that a person waits for.
inline constexpr JudgeBudget kRefereeBudget{20000, 10000, 10000};

/// What plies were found to be, so that a search does not ask twice, and counts of the judge's work. One for
/// each thread or game; results do not depend on it. Valid for one rule set.
class JudgeMemory {
 public:
  struct Counts {
    int64_t verdicts = 0;         // repetitions judged
    int64_t cycles_known = 0;     // of them, answered from the memory
    int64_t plies = 0;            // classified
    int64_t budget_exceeded = 0;  // plies of which a search stopped early
  };
  explicit JudgeMemory(JudgeBudget budget = {});
  ~JudgeMemory();
  JudgeMemory(JudgeMemory&&) noexcept;
  JudgeMemory& operator=(JudgeMemory&&) noexcept;
  const Counts& counts() const;
  struct State;  // the judge's own
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

struct Verdict {
  Outcome outcome = Outcome::Draw;
  EndReason reason = EndReason::None;
  bool must_change =
      false;  // the offender may still change (procedure of match play); outcome holds if it does not
  std::string_view article;  // of the clause that decided
  std::string_view explanation, chinese_explanation;
  std::vector<CyclePly>
      cycle;  // plies since the oldest of the last `repetition_count` occurrences of the current position
  bool budget_exceeded = false;  // of any ply: a threat may have been missed
};

struct GameEnd {
  Outcome outcome;
  EndReason reason;
  bool operator==(const GameEnd&) const = default;
};

/// Judges the repetition that the last move completed. Nothing if the position has not occurred
/// `repetition_count` times. `occurrences` overrides the rule set's count: 2 gives "what would the judge say
/// if this cycle were to close", for search and encoding.
std::optional<Verdict> judge(const GameHistory& history, const RuleSet& rules, int occurrences = 0,
                             const JudgeBudget& budget = {});

/// The same verdict without its reasons: looks only as far as the outcome needs. For search and game end.
std::optional<GameEnd> judge_briefly(const GameHistory& history, const RuleSet& rules, int occurrences = 0,
                                     JudgeMemory* memory = nullptr);

/// What the move, legal in `before`, does by the rule set.
PlyFinding classify_ply(const Position& before, Move move, const RuleSet& rules,
                        const JudgeBudget& budget = {});

/// Is the game over in the current position? Order: mate and stalemate first, then repetition, bare material,
/// natural limit. `repetition_occurrences` as in judge(). `legal` must be the legal moves of the current
/// position.
std::optional<GameEnd> game_end(const GameHistory& history, const MoveList& legal, const RuleSet& rules,
                                int repetition_occurrences = 0, JudgeMemory* memory = nullptr);

}  // namespace chuhe::xiangqi
