#pragma once
// Collects finished games and writes them as shards. One thread; one owner per (folder, writer name). Time is
// passed in, in seconds of any clock that does not run back.

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "shards/game_record.h"
#include "shards/shard_file.h"

namespace chuhe::shards {

/// A shard is closed when it holds so many games or its first game has waited so long: what a kill can lose.
struct RollLimits {
  size_t games = 256;
  double seconds = 60;
};

class ShardWriter {
 public:
  /// Makes the folder, removes unfinished files that a killed process of the same writer left, and learns
  /// which ids are stored. Throws Error for a bad writer name or folder.
  ShardWriter(std::filesystem::path folder, std::string writer, Provenance provenance,
              RollLimits limits = {});
  ~ShardWriter();
  ShardWriter(const ShardWriter&) = delete;
  ShardWriter& operator=(const ShardWriter&) = delete;

  /// Takes a game, and writes a shard if that fills it. The game must be this writer's, its id new, and
  /// replay without fault (anything else is our bug and checked). Throws Error if the shard cannot be written
  /// (a full disk): the games stay here, and flush() or poll() tries again.
  void add(GameRecord game, double now);
  /// Writes what waits if it has waited long enough. For idle times; throws as add.
  void poll(double now);
  /// Writes what waits, if anything. Throws as add. The destructor does not write.
  void flush();

  /// Ids in finished shards, those of earlier processes included.
  const std::set<uint64_t>& stored() const { return stored_; }
  size_t waiting() const { return waiting_.size(); }
  const std::vector<std::filesystem::path>& written() const { return written_; }

 private:
  const std::filesystem::path folder_;
  const std::string writer_;
  const Provenance provenance_;
  const RollLimits limits_;
  std::set<uint64_t> stored_, waiting_ids_;
  std::vector<GameRecord> waiting_;
  double first_waits_since_ = 0;
  std::vector<std::filesystem::path> written_;
};

}  // namespace chuhe::shards
