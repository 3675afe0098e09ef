#pragma once
// Exact values of all positions with one material, by retrograde analysis. The rules behind them: no legal
// move loses, in check or not; whatever repeats is a draw (no repetition rules, no natural limit). Captures
// lead into the tables of the smaller materials.

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "xiangqi/endgame/material.h"
#include "xiangqi/endgame/placement.h"

namespace chuhe::xiangqi {

enum class Wdl : int8_t { Loss = -1, Draw = 0, Win = 1 };
std::string_view name_of(Wdl w);  // "win"

/// For the side to move.
struct EndgameValue {
  Wdl wdl = Wdl::Draw;
  int plies = 0;  // to the position without a legal move, if the winner hurries and the loser delays; draw: 0
  bool operator==(const EndgameValue&) const = default;
};

/// A legal move and what it is worth to the side that makes it.
struct EndgameMove {
  Move move;
  EndgameValue value;
};

class EndgameTable {
 public:
  /// How many positions of each kind, for the side to move, and the longest win.
  struct Summary {
    struct Side {
      uint64_t wins = 0, draws = 0, losses = 0;
    };
    std::array<Side, 2> to_move;  // by the colour to move
    int longest = 0;              // plies
    std::string longest_fen;      // the first position with it; empty where nobody wins
  };

  static constexpr int16_t kIllegal = INT16_MIN;
  /// Draw 0, win in n plies n, loss in n plies -1 - n; kIllegal where the index names no legal position.
  using Values = std::array<std::vector<int16_t>, 2>;  // by the colour to move

  /// Solves the material alone, with the tables that captures lead to. Throws Error as EndgameTables does.
  static std::shared_ptr<const EndgameTable> solve(const Material& material, uint64_t byte_limit);
  /// What solving takes: the tables of the material and of all that captures can make of it, and the work
  /// space. Saturates.
  static uint64_t bytes_to_solve(const Material& material);

  EndgameTable(PlacementIndex index, Values values) : index_(std::move(index)), values_(std::move(values)) {}

  /// The solved material: the canonical one of a material and its colour swap.
  const Material& material() const { return index_.material(); }
  uint64_t bytes() const { return 2 * sizeof(int16_t) * index_.size(); }
  /// Nothing if the position has other material. Either colour may be the stronger side.
  std::optional<EndgameValue> probe(const Position& position) const;
  Summary summary() const;

  const PlacementIndex& index() const { return index_; }
  int16_t raw(Color to_move, uint64_t index) const { return values_[size_t(to_move)][index]; }

 private:
  PlacementIndex index_;
  Values values_;
};

/// Values of all positions of the index, given the tables that captures lead to; solve_by_retrograde is one.
using EndgameSolver = std::function<EndgameTable::Values(
    const PlacementIndex& index,
    const std::function<std::shared_ptr<const EndgameTable>(const Material&)>& smaller)>;

/// A store that solves materials when they are asked for. Any number of threads may share it; what it answers
/// depends on its limit alone, not on what was asked before. A thread waits for the table that it asks for
/// and for no other one, unless the limit has no room for both.
class EndgameTables {
 public:
  /// At most so many bytes in tables and work space, the tables that callers hold on to not counted.
  explicit EndgameTables(uint64_t byte_limit);
  /// `solver` must not ask this store; several threads call it at the same time.
  EndgameTables(uint64_t byte_limit, EndgameSolver solver);

  /// Whether the limit allows to solve the material.
  bool covers(const Material& material) const;
  /// The table of the material or its colour swap. Throws Error with the bytes needed and allowed where it is
  /// not covered.
  std::shared_ptr<const EndgameTable> table(const Material& material);
  /// Throws like table().
  EndgameValue probe(const Position& position);
  /// All legal moves, the best ones first: fast wins, draws, slow losses; equal ones in the order of
  /// legal_moves(). Throws like table().
  std::vector<EndgameMove> moves(const Position& position);
  /// One line of best play to its end; for a draw nothing. Throws like table().
  std::vector<Move> line(Position position);

 private:
  using Table = std::shared_ptr<const EndgameTable>;
  Table found_or_solved(std::unique_lock<std::mutex> lock, const Material& canonical);
  void forget_solved();

  const uint64_t byte_limit_;
  const EndgameSolver solver_;
  std::mutex mutex_;              // guards what follows; nothing is solved under it
  std::condition_variable room_;  // reserved_ has fallen
  uint64_t held_ = 0;             // bytes of the solved tables in tables_
  uint64_t reserved_ = 0;         // bytes that those being solved may take, their smaller tables included
  std::map<Material, std::shared_future<Table>> tables_;  // solved, or being solved by some thread
};

}  // namespace chuhe::xiangqi
