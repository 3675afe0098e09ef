#include "trainer/window.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.h"
#include "base/random.h"
#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"
#include "shards/shard_file.h"
#include "shards/shard_folder.h"
#include "xiangqi/rules/game_history.h"

namespace chuhe::trainer {
namespace {

using xiangqi::Color;

void add_row(const shards::GameRecord& record, size_t ply, const xiangqi::GameHistory& history,
             const xiangqi::RuleSet& rules, xiangqi::JudgeMemory& memory, WindowGame& game) {
  const shards::PlyRecord& p = record.plies[ply];
  const Color mover = history.current().side_to_move();
  WindowRow row{};
  row.packed = nn::pack(history, rules, true, &memory);
  row.policy_begin = uint32_t(game.policy.size());
  if (p.search == shards::SearchKind::Full)
    for (const shards::PolicyEntry& e : p.policy)
      if (e.weight)
        game.policy.push_back({uint16_t(nn::policy_index(nn::oriented(e.move, mover))), e.weight});
  row.policy_count = uint16_t(game.policy.size() - row.policy_begin);
  row.ply = uint16_t(ply);
  row.outcome = record.outcome == xiangqi::Outcome::Draw ? 0 : record.outcome == win_for(mover) ? 1 : -1;
  row.root_value = int16_t(std::lround(std::clamp(p.root_value, -1.0f, 1.0f) * 32767));
  // The length of a game that was cut or given up does not tell how far its end was.
  row.moves_left = decided_by_rules(record.reason) ? float(record.plies.size() - ply) : -1.0f;
  game.rows.push_back(row);
}

bool overlaps(const shards::ShardHeader& header, uint64_t first, uint64_t end) {
  return std::any_of(header.ids.begin(), header.ids.end(),
                     [&](const shards::IdRange& r) { return r.first < end && r.last >= first; });
}

}  // namespace

bool is_validation_game(const std::string& writer, uint64_t id, double share) {
  const uint64_t h = mix64(hash_text(writer, hash_text("validation")) ^ mix64(id));
  return double(h >> 11) * 0x1p-53 < share;
}

WindowGame compact(const shards::GameRecord& record, double validation_share, bool learn_cheap_values) {
  const xiangqi::RuleSet& rules = xiangqi::rule_set(record.rule_set);
  const auto start = xiangqi::Position::from_fen(record.start_fen);
  if (!start) throw Error("game {} of writer {}: {}", record.id, record.writer, start.error());
  WindowGame game;
  game.writer = record.writer;
  game.id = record.id;
  game.validation = is_validation_game(record.writer, record.id, validation_share);
  xiangqi::GameHistory history(*start, rules.natural_limit_checks);
  xiangqi::JudgeMemory memory;
  for (size_t ply = 0; ply < record.plies.size(); ++ply) {
    const shards::PlyRecord& p = record.plies[ply];
    if (!history.current().is_legal(p.move))
      throw Error("game {} of writer {}, ply {}: move {} is not legal", record.id, record.writer, ply,
                  xiangqi::to_uci(p.move));
    if (p.search == shards::SearchKind::Full || (p.search == shards::SearchKind::Cheap && learn_cheap_values))
      add_row(record, ply, history, rules, memory, game);
    history.push(p.move);
  }
  game.rows.shrink_to_fit();
  game.policy.shrink_to_fit();
  return game;
}

uint64_t Selection::digest() const {
  uint64_t h = hash_text("window");
  for (const auto& g : games) {
    const uint64_t facts[] = {g->id, g->rows.size(), g->policy.size(), uint64_t(g->validation)};
    h = hash_bytes(facts, sizeof facts, hash_text(g->writer, h));
  }
  return h;
}

RowsGenerated Selection::generated(RowsGenerated before) const {
  const std::map<std::string, uint64_t> counted = before.ends;
  for (const GameRows& g : on_offer) {
    const auto end = counted.find(g.writer);
    if (end != counted.end() && g.id < end->second) continue;
    before.rows += g.rows;
    uint64_t& new_end = before.ends[g.writer];
    new_end = std::max(new_end, g.id + 1);
  }
  return before;
}

Window::Window(double validation_share, bool learn_cheap_values)
    : validation_share_(validation_share), learn_cheap_values_(learn_cheap_values) {}

void Window::add(const shards::GameRecord& record) {
  Key key{record.writer, record.id};
  if (record.id < dropped_before_ || games_.contains(key)) return;
  auto game = std::make_shared<const WindowGame>(compact(record, validation_share_, learn_cheap_values_));
  games_.emplace(std::move(key), std::move(game));
}

int64_t Window::load(const std::filesystem::path& folder, uint64_t first_game, uint64_t end_game) {
  const int64_t before = games();
  for (const shards::ShardFile& file : shards::find_shards(folder).shards) {
    // By what the name says, not by the path: a run folder may be reached by two.
    const std::string name = file.path.filename().string();
    if (read_.contains(name)) continue;
    if (!overlaps(shards::read_header(file.path), std::max(first_game, dropped_before_), end_game)) continue;
    for (const shards::GameRecord& record : shards::read_shard(file.path).games) add(record);
    read_.insert(name);
  }
  return games() - before;
}

Selection Window::select(const WindowLimits& limits) const {
  std::vector<std::shared_ptr<const WindowGame>> in_range;
  for (const auto& [key, game] : games_)
    if (game->id >= limits.first_game && game->id < limits.end_game) in_range.push_back(game);
  // Newest first; games_ is ordered by writer, and a stable sort keeps that order among equal ids.
  std::stable_sort(in_range.begin(), in_range.end(),
                   [](const auto& a, const auto& b) { return a->id > b->id; });
  Selection s;
  int64_t rows = 0;
  for (const auto& game : in_range) {
    s.on_offer.push_back({game->writer, game->id, game->validation ? 0 : int64_t(game->rows.size())});
    const bool full = int64_t(s.games.size()) >= limits.max_games ||
                      (!s.games.empty() && rows + int64_t(game->rows.size()) > limits.max_rows);
    if (full) rows = INT64_MAX / 2;  // nothing older, even if it were small enough
    if (!full && rows < INT64_MAX / 2) {
      s.games.push_back(game);
      rows += int64_t(game->rows.size());
    }
  }
  if (!s.games.empty()) s.oldest_game = s.games.back()->id;
  std::sort(s.games.begin(), s.games.end(), [](const auto& a, const auto& b) {
    return std::tie(a->writer, a->id) < std::tie(b->writer, b->id);
  });
  for (uint32_t g = 0; g < s.games.size(); ++g)
    for (uint32_t r = 0; r < s.games[g]->rows.size(); ++r)
      (s.games[g]->validation ? s.validation : s.train).push_back({g, r});
  return s;
}

void Window::drop_before(uint64_t id) {
  dropped_before_ = std::max(dropped_before_, id);
  std::erase_if(games_, [this](const auto& entry) { return entry.second->id < dropped_before_; });
}

}  // namespace chuhe::trainer
