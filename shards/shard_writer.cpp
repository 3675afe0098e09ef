#include "shards/shard_writer.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "shards/shard_folder.h"

namespace chuhe::shards {
namespace {

namespace fs = std::filesystem;

void remove_unfinished(const fs::path& folder, const std::string& writer) {
  constexpr std::string_view kEnding = ".tmp";
  for (const fs::path& path : find_shards(folder).unfinished) {
    std::string name = path.filename().string();
    name.resize(name.size() - kEnding.size());
    const auto shard = parse_file_name(name);
    if (shard && shard->writer == writer) fs::remove(path);
  }
}

// What a reader will get from these bytes is what was put in, or nothing is written.
void check_encoding(const std::string& bytes, const std::vector<GameRecord>& games) {
  const Shard shard = decode_shard(bytes, "shard in memory");
  CHUHE_CHECK(shard.games.size() == games.size());
  for (size_t i = 0; i < games.size(); ++i) {
    const auto difference = first_difference(games[i], shard.games[i]);
    CHUHE_CHECK(!difference, "game {} reads back differently: {}", games[i].id, *difference);
  }
}

}  // namespace

ShardWriter::ShardWriter(fs::path folder, std::string writer, Provenance provenance, RollLimits limits)
    : folder_(std::move(folder)),
      writer_(std::move(writer)),
      provenance_(std::move(provenance)),
      limits_(limits) {
  if (!is_writer_name(writer_))
    throw Error(
        "writer name '{}': expected at most 64 letters, digits, '.', '_' or '-', a letter or digit first",
        writer_);
  make_folder(folder_);
  remove_unfinished(folder_, writer_);
  stored_ = stored_ids(folder_, writer_);
}

ShardWriter::~ShardWriter() = default;

void ShardWriter::add(GameRecord game, double now) {
  CHUHE_CHECK(game.writer == writer_, "a game of {} in the folder of {}", game.writer, writer_);
  CHUHE_CHECK(!stored_.contains(game.id) && !waiting_ids_.contains(game.id), "game {}/{} twice", writer_,
              game.id);
  const auto fault = find_fault(game);
  CHUHE_CHECK(!fault, "game {}/{}: {}", writer_, game.id, *fault);
  if (waiting_.empty()) first_waits_since_ = now;
  waiting_ids_.insert(game.id);
  waiting_.push_back(std::move(game));
  if (waiting_.size() >= limits_.games) {
    flush();
  } else {
    poll(now);
  }
}

void ShardWriter::poll(double now) {
  if (!waiting_.empty() && now - first_waits_since_ >= limits_.seconds) flush();
}

void ShardWriter::flush() {
  if (waiting_.empty()) return;
  std::sort(waiting_.begin(), waiting_.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  const std::string bytes = encode_shard(waiting_, provenance_);
  check_encoding(bytes, waiting_);
  size_t rows = 0;
  for (const GameRecord& game : waiting_) rows += game.plies.size();
  const fs::path path = folder_ / to_file_name({waiting_.front().id, writer_, waiting_.size(), rows});
  if (fs::exists(path))
    throw Error("{}: exists already: do two processes write as '{}'?", path.string(), writer_);
  write_file_atomically(path, bytes, true);
  written_.push_back(path);
  stored_.merge(waiting_ids_);
  waiting_ids_.clear();
  waiting_.clear();
}

}  // namespace chuhe::shards
