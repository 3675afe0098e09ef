#pragma once
// The games that training draws from, in memory, in a compact form: what the net sees of each usable ply is
// packed once, when the game is loaded. What a window holds depends on the games alone, not on how they were
// split into shards or in which order these came.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nn/encoding/packed_row.h"
#include "shards/game_record.h"

namespace chuhe::trainer {

struct PolicyTarget {
  uint16_t index;   // policy index, oriented to the mover
  uint16_t weight;  // share * 65535
};

/// One ply to learn from. The mover's view throughout.
struct WindowRow {
  nn::PackedRow packed;   // with history
  uint32_t policy_begin;  // into the game's policy
  uint16_t policy_count;  // 0: no policy target
  uint16_t ply;
  int8_t outcome;  // 1 the mover won the game, 0 draw, -1 lost
  int8_t reserved = 0;
  int16_t root_value;  // search value * 32767
  float moves_left;    // plies to the end; negative: the game was cut, unknown
};

static_assert(sizeof(WindowRow) == 80);

struct WindowGame {
  std::string writer;
  uint64_t id = 0;
  bool validation = false;  // by a hash of (writer, id): a game is on the same side for ever
  std::vector<WindowRow> rows;
  std::vector<PolicyTarget> policy;
};

/// Training rows of all games so far, for the reuse ratio. A window forgets old games; this goes from
/// checkpoint to checkpoint.
struct RowsGenerated {
  int64_t rows = 0;
  std::map<std::string, uint64_t> ends;  // by writer: its games with lower ids are counted

  bool operator==(const RowsGenerated&) const = default;
};

struct WindowLimits {
  uint64_t first_game = 0, end_game = UINT64_MAX;  // ids, half open
  int64_t max_games = INT64_MAX, max_rows = INT64_MAX;
};

/// Rows to draw from, ordered by (writer, id, ply). It shares the games with the window that made it.
struct Selection {
  struct Row {
    uint32_t game, row;
  };
  std::vector<std::shared_ptr<const WindowGame>> games;
  std::vector<Row> train, validation;
  uint64_t oldest_game = 0;  // lowest id
  struct GameRows {
    std::string writer;
    uint64_t id;
    int64_t rows;
  };
  std::vector<GameRows> on_offer;  // training rows of all games in the range of ids, whether selected or not
  /// `before` and the games on offer that it has not counted.
  RowsGenerated generated(RowsGenerated before) const;
  uint64_t digest() const;  // of the identities and sizes of its games

  const WindowGame& game(Row r) const { return *games[r.game]; }
  const WindowRow& row(Row r) const { return games[r.game]->rows[r.row]; }
};

/// One thread at a time.
class Window {
 public:
  explicit Window(double validation_share, bool learn_cheap_values);

  /// Takes a game in; one that it has had (same writer and id) is passed over. Throws Error if its moves
  /// cannot be replayed.
  void add(const shards::GameRecord& record);
  /// Reads the shards below `folder` that it has not read yet, whichever hold ids in [first_game, end_game).
  /// Returns the number of games taken in. Throws Error naming a folder that is missing or a shard that is
  /// broken.
  int64_t load(const std::filesystem::path& folder, uint64_t first_game = 0, uint64_t end_game = UINT64_MAX);

  /// The newest games (highest ids; equal ids: by writer) within the limits.
  Selection select(const WindowLimits& limits) const;
  /// Drops games with a lower id; they will not be taken in again.
  void drop_before(uint64_t id);
  int64_t games() const { return int64_t(games_.size()); }

 private:
  using Key = std::pair<std::string, uint64_t>;
  const double validation_share_;
  const bool learn_cheap_values_;
  std::map<Key, std::shared_ptr<const WindowGame>> games_;
  std::set<std::string> read_;  // shard files
  uint64_t dropped_before_ = 0;
};

/// The side of the split: the same for every run, window and machine.
bool is_validation_game(const std::string& writer, uint64_t id, double share);
/// Replays a game and packs its usable plies.
WindowGame compact(const shards::GameRecord& record, double validation_share, bool learn_cheap_values);

}  // namespace chuhe::trainer
