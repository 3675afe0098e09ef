#pragma once
// The journal of a match: JSON lines, one for the match and one for each finished game, appended as they end.
// A line that a kill cut is dropped.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "shards/game_record.h"

namespace chuhe::gauntlet {

struct JournalHeader {
  std::string a, b;
  std::string a_file, b_file;  // digests of the net files; empty for players without one
  uint64_t seed = 0;
  std::string settings;  // digest of what shapes a game
  bool operator==(const JournalHeader&) const = default;
};

struct JournalGame {
  uint64_t id = 0;
  xiangqi::Outcome outcome = xiangqi::Outcome::Draw;
  xiangqi::EndReason reason = xiangqi::EndReason::None;
  int plies = 0;
  uint64_t moves_hash = 0;  // of start position and moves
};
JournalGame journal_game(const shards::GameRecord& record);

class Journal {
 public:
  /// Opens the journal of that match, or begins it. Throws Error naming the file: it is another match's (says
  /// in what), or a line of it cannot be read.
  Journal(const std::filesystem::path& path, const JournalHeader& header);
  /// Only reads.
  explicit Journal(const std::filesystem::path& path);

  const JournalHeader& header() const { return header_; }
  const std::vector<JournalGame>& games() const { return games_; }
  void append(const JournalGame& game);

 private:
  void read();
  const std::filesystem::path path_;
  JournalHeader header_;
  std::vector<JournalGame> games_;
  bool begun_ = false;
};

}  // namespace chuhe::gauntlet
