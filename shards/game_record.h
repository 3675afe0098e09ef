#pragma once
// What one game leaves behind: a value, and facts only (moves, visits, values, outcome), so that the net's
// encoding may change without making data stale. No HDF5 here.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xiangqi/board/types.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::shards {

/// One move's share of a search's policy target. PUCT: visits / all visits; Gumbel: the improved policy from
/// completed Q values.
struct PolicyEntry {
  xiangqi::Move move;
  uint16_t weight;  // share * 65535, rounded; entries that round to zero are not kept
  bool operator==(const PolicyEntry&) const = default;
};

enum class SearchKind : uint8_t {
  None = 0,  // the move came from an opening, a built-in player or the policy alone: nothing to learn from it
  Cheap = 1,  // few visits: plays the game on; its value may be learnt, its policy not
  Full = 2,   // a policy target
};

struct PlyRecord {
  xiangqi::Move move;
  SearchKind search = SearchKind::None;
  uint32_t visits = 0;   // of the root after the search
  float root_value = 0;  // search value of the root, -1..1, from the side to move; 0 if none
  float net_value = 0;   // the net's own win - loss for the root position, from the side to move; 0 if none
  std::vector<PolicyEntry> policy;  // only for Full, sorted by move bits; weights sum to about 65535
  bool operator==(const PlyRecord&) const = default;
};

/// From this ply on (until the next run) the side(s) searched with this net.
struct NetRun {
  uint32_t ply;
  std::string net_id;  // as in the net file's metadata, or a double's name ("hash")
  bool operator==(const NetRun&) const = default;
};

struct GameRecord {
  std::string writer = "main";  // a game's identity is (writer, id)
  uint64_t id = 0;
  uint64_t seed = 0;  // run seed; the game's streams derive from (seed, name, id)
  std::string rule_set;
  uint64_t params_hash = 0;  // of the effective settings that shaped the game
  std::string start_fen;     // six fields
  std::vector<PlyRecord> plies;
  std::vector<NetRun> nets;
  xiangqi::Outcome outcome = xiangqi::Outcome::Draw;
  xiangqi::EndReason reason = xiangqi::EndReason::None;
  std::string article;           // of the repetition verdict, empty otherwise
  bool resign_disabled = false;  // a game of the played-out share
  int32_t resign_ply = -1;  // first ply at which the side to move would have resigned (or did); -1: never
  std::string players[2];   // names of Red and Black, for gauntlet games; empty in self-play
  bool operator==(const GameRecord&) const = default;
};

/// The side to move before the ply of that index.
xiangqi::Color side_to_move_at(const GameRecord& record, int ply);

/// How a game that was played out ended for the side that would have resigned. Nothing where resignation was
/// allowed, or nobody would have resigned. "False" is the resignation of a game that this side won.
enum class ResignTest { Lost, Drew, Won };
std::optional<ResignTest> resign_test(const GameRecord& record);

/// Replays the record by its rule set: every move legal, the end (outcome and reason) as stored, where the
/// rules decide it; policies only over legal moves. Returns what is wrong, naming the ply, or nothing.
std::optional<std::string> find_fault(const GameRecord& record);

/// The first field in which two records differ, with both values ("ply 12: move h2e2, h9g7"); nothing if they
/// are equal.
std::optional<std::string> first_difference(const GameRecord& a, const GameRecord& b);

}  // namespace chuhe::shards
