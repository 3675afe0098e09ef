#include "shards/shard_file.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "shards/hdf5_io.h"
#include "shards/shard_folder.h"
#include "shards/shard_header.h"

namespace chuhe::shards {
namespace {

using hdf5::Member;
using hdf5::Number;
using hdf5::Table;

// Rows of the tables; docs/shard_format.md explains each member. Texts are indices into the list of strings.
struct GameRow {
  uint64_t id, seed, params_hash;
  uint32_t plies, net_runs;
  int32_t resign_ply;
  uint32_t rule_set, start_fen, article, red, black;
  uint8_t outcome, reason, resign_disabled;
};
struct PlyRow {
  float root_value, net_value;
  uint32_t visits;
  uint8_t from, to, search, policy_size;
};
struct NetRow {
  uint32_t ply, net;
};
struct SquarePair {
  uint8_t from, to;
};

#define CHUHE_MEMBER(Struct, name, number) \
  { #name, offsetof(Struct, name), Number::number }
constexpr Member kGameMembers[] = {
    CHUHE_MEMBER(GameRow, id, U64),          CHUHE_MEMBER(GameRow, seed, U64),
    CHUHE_MEMBER(GameRow, params_hash, U64), CHUHE_MEMBER(GameRow, plies, U32),
    CHUHE_MEMBER(GameRow, net_runs, U32),    CHUHE_MEMBER(GameRow, resign_ply, I32),
    CHUHE_MEMBER(GameRow, rule_set, U32),    CHUHE_MEMBER(GameRow, start_fen, U32),
    CHUHE_MEMBER(GameRow, article, U32),     CHUHE_MEMBER(GameRow, red, U32),
    CHUHE_MEMBER(GameRow, black, U32),       CHUHE_MEMBER(GameRow, outcome, U8),
    CHUHE_MEMBER(GameRow, reason, U8),       CHUHE_MEMBER(GameRow, resign_disabled, U8)};
constexpr Member kPlyMembers[] = {CHUHE_MEMBER(PlyRow, from, U8),      CHUHE_MEMBER(PlyRow, to, U8),
                                  CHUHE_MEMBER(PlyRow, search, U8),    CHUHE_MEMBER(PlyRow, policy_size, U8),
                                  CHUHE_MEMBER(PlyRow, visits, U32),   CHUHE_MEMBER(PlyRow, root_value, F32),
                                  CHUHE_MEMBER(PlyRow, net_value, F32)};
constexpr Member kNetMembers[] = {CHUHE_MEMBER(NetRow, ply, U32), CHUHE_MEMBER(NetRow, net, U32)};
#undef CHUHE_MEMBER
constexpr Member kByte[] = {{"", 0, Number::U8}};
constexpr Member kWeight[] = {{"", 0, Number::U16}};

const Table kGames{"games", kGameMembers, sizeof(GameRow)};
const Table kPlies{"plies", kPlyMembers, sizeof(PlyRow)};
const Table kNets{"net_runs", kNetMembers, sizeof(NetRow)};
// Neighbouring plies have nearly the same moves: as runs of (from, to) they compress to 0.3 bytes a move,
// shuffled to 0.4.
const Table kPolicyMoves{"policy_moves", kByte, sizeof(SquarePair), 2, false};
const Table kPolicyWeights{"policy_weights", kWeight, sizeof(uint16_t)};
const Table kStrings{"strings", kByte, 1, 1, false};

// The distinct texts of a shard, each ended by a zero byte.
class StringTable {
 public:
  uint32_t index_of(const std::string& text) {
    CHUHE_CHECK(text.find('\0') == std::string::npos, "a text of a game record holds a zero byte");
    const auto [place, is_new] = indices_.emplace(text, uint32_t(indices_.size()));
    if (is_new) bytes_ += text + '\0';
    return place->second;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::map<std::string, uint32_t> indices_;
  std::string bytes_;
};

struct Tables {
  std::vector<GameRow> games;
  std::vector<PlyRow> plies;
  std::vector<NetRow> nets;
  std::vector<SquarePair> policy_moves;
  std::vector<uint16_t> policy_weights;
};

void append_ply(Tables& tables, const PlyRecord& ply) {
  CHUHE_CHECK(ply.policy.size() <= 255, "a policy of {} moves", ply.policy.size());
  tables.plies.push_back({ply.root_value, ply.net_value, ply.visits, ply.move.from(), ply.move.to(),
                          uint8_t(ply.search), uint8_t(ply.policy.size())});
  // Sorted by piece, moves come in the same order as two plies before, which is what compresses them.
  std::vector<PolicyEntry> policy = ply.policy;
  std::sort(policy.begin(), policy.end(), [](const PolicyEntry& a, const PolicyEntry& b) {
    return std::pair(a.move.from(), a.move.to()) < std::pair(b.move.from(), b.move.to());
  });
  for (const PolicyEntry& entry : policy) {
    tables.policy_moves.push_back({entry.move.from(), entry.move.to()});
    tables.policy_weights.push_back(entry.weight);
  }
}

void append_game(Tables& tables, StringTable& strings, const GameRecord& game) {
  for (const NetRun& run : game.nets) tables.nets.push_back({run.ply, strings.index_of(run.net_id)});
  for (const PlyRecord& ply : game.plies) append_ply(tables, ply);
  tables.games.push_back({game.id, game.seed, game.params_hash, uint32_t(game.plies.size()),
                          uint32_t(game.nets.size()), game.resign_ply, strings.index_of(game.rule_set),
                          strings.index_of(game.start_fen), strings.index_of(game.article),
                          strings.index_of(game.players[0]), strings.index_of(game.players[1]),
                          uint8_t(game.outcome), uint8_t(game.reason), uint8_t(game.resign_disabled)});
}

void write_attributes(hdf5::Output& out, const ShardHeader& header, const Provenance& provenance,
                      std::span<const GameRecord* const> games) {
  std::set<std::string> rule_sets, nets;
  std::set<uint64_t> seeds, params_hashes;
  for (const GameRecord* game : games) {
    rule_sets.insert(game->rule_set);
    for (const NetRun& run : game->nets) nets.insert(run.net_id);
    seeds.insert(game->seed);
    params_hashes.insert(game->params_hash);
  }
  const auto list = [](const auto& set) { return std::vector(set.begin(), set.end()); };
  out.attribute("format_version", uint64_t(header.format_version));
  out.attribute("writer", header.writer);
  out.attribute("games", header.games);
  out.attribute("rows", header.rows);
  out.attribute("rule_sets", list(rule_sets));
  out.attribute("net_ids", list(nets));
  out.attribute("seeds", list(seeds));
  out.attribute("params_hashes", list(params_hashes));
  out.attribute("code_revision", provenance.code_revision);
  // An attribute holds 64 KiB at most.
  CHUHE_CHECK(provenance.params.size() < 60000, "parameters of {} bytes", provenance.params.size());
  out.attribute("params", provenance.params);
  if (provenance.openings) out.attribute("openings", provenance.openings);
}

// Turns the tables of a file back into records; every index and number is checked on the way.
class Decoder {
 public:
  Decoder(const hdf5::Input& in, const std::string& name, const std::string& writer)
      : name_(name),
        writer_(writer),
        tables_{in.table<GameRow>(kGames), in.table<PlyRow>(kPlies), in.table<NetRow>(kNets),
                in.table<SquarePair>(kPolicyMoves), in.table<uint16_t>(kPolicyWeights)} {
    const auto bytes = in.table<char>(kStrings);
    for (auto begin = bytes.begin(); begin != bytes.end();) {
      const auto end = std::find(begin, bytes.end(), '\0');
      need(end != bytes.end(), "its last string has no end");
      strings_.emplace_back(begin, end);
      begin = end + 1;
    }
  }

  std::vector<GameRecord> games() {
    std::vector<GameRecord> games;
    games.reserve(tables_.games.size());
    for (const GameRow& row : tables_.games) games.push_back(game(row));
    need(ply_ == tables_.plies.size(), "plies that belong to no game");
    need(net_ == tables_.nets.size(), "net runs that belong to no game");
    need(policy_ == tables_.policy_moves.size() && policy_ == tables_.policy_weights.size(),
         "policy entries that belong to no ply");
    return games;
  }

 private:
  void need(bool ok, const char* what) const {
    if (!ok) throw Error("{}: damaged: {}", name_, what);
  }
  const std::string& string(uint32_t index) const {
    need(index < strings_.size(), "a string that is not in its list");
    return strings_[index];
  }
  xiangqi::Move move(uint8_t from, uint8_t to) const {
    need(from < xiangqi::kSquares && to < xiangqi::kSquares, "a square off the board");
    return {from, to};
  }

  GameRecord game(const GameRow& row) {
    GameRecord game;
    game.writer = writer_;
    game.id = row.id;
    game.seed = row.seed;
    game.params_hash = row.params_hash;
    game.rule_set = string(row.rule_set);
    game.start_fen = string(row.start_fen);
    game.article = string(row.article);
    game.players[0] = string(row.red);
    game.players[1] = string(row.black);
    need(row.outcome <= uint8_t(xiangqi::Outcome::Draw), "an unknown outcome");
    need(row.reason < xiangqi::kEndReasons, "an unknown end reason");
    game.outcome = xiangqi::Outcome(row.outcome);
    game.reason = xiangqi::EndReason(row.reason);
    game.resign_disabled = row.resign_disabled != 0;
    game.resign_ply = row.resign_ply;
    need(row.plies <= tables_.plies.size() - ply_, "a game with more plies than there are");
    game.plies.reserve(row.plies);
    for (uint32_t i = 0; i < row.plies; ++i) game.plies.push_back(ply(tables_.plies[ply_++]));
    need(row.net_runs <= tables_.nets.size() - net_, "a game with more net runs than there are");
    for (uint32_t i = 0; i < row.net_runs; ++i, ++net_)
      game.nets.push_back({tables_.nets[net_].ply, string(tables_.nets[net_].net)});
    return game;
  }

  PlyRecord ply(const PlyRow& row) {
    PlyRecord ply;
    ply.move = move(row.from, row.to);
    need(row.search <= uint8_t(SearchKind::Full), "an unknown kind of search");
    ply.search = SearchKind(row.search);
    ply.visits = row.visits;
    ply.root_value = row.root_value;
    ply.net_value = row.net_value;
    need(row.policy_size <= tables_.policy_moves.size() - policy_ &&
             row.policy_size <= tables_.policy_weights.size() - policy_,
         "a policy with more entries than there are");
    ply.policy.reserve(row.policy_size);
    for (uint32_t i = 0; i < row.policy_size; ++i, ++policy_)
      ply.policy.push_back({move(tables_.policy_moves[policy_].from, tables_.policy_moves[policy_].to),
                            tables_.policy_weights[policy_]});
    std::sort(ply.policy.begin(), ply.policy.end(),
              [](const PolicyEntry& a, const PolicyEntry& b) { return a.move < b.move; });
    return ply;
  }

  const std::string& name_;
  const std::string& writer_;
  const Tables tables_;
  std::vector<std::string> strings_;
  size_t ply_ = 0, net_ = 0, policy_ = 0;
};

}  // namespace

std::string encode_shard(std::span<const GameRecord> games, const Provenance& provenance) {
  std::vector<const GameRecord*> sorted;
  for (const GameRecord& game : games) sorted.push_back(&game);
  std::sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->id < b->id; });

  ShardHeader header;
  CHUHE_CHECK(!sorted.empty(), "a shard without games");
  header.writer = sorted[0]->writer;
  CHUHE_CHECK(is_writer_name(header.writer), "writer '{}'", header.writer);
  Tables tables;
  StringTable strings;
  std::vector<uint64_t> ids;
  for (const GameRecord* game : sorted) {
    CHUHE_CHECK(game->writer == header.writer, "games of the writers {} and {}", header.writer, game->writer);
    CHUHE_CHECK(ids.empty() || ids.back() < game->id, "game {} twice", game->id);
    ids.push_back(game->id);
    append_game(tables, strings, *game);
  }
  header.games = tables.games.size();
  header.rows = tables.plies.size();
  header.ids = ranges_of(ids);

  std::string file;
  {
    hdf5::Output out(block_size_for(header));
    write_attributes(out, header, provenance, sorted);
    out.table(kGames, tables.games.data(), tables.games.size());
    out.table(kNets, tables.nets.data(), tables.nets.size());
    out.table(kPlies, tables.plies.data(), tables.plies.size());
    out.table(kPolicyMoves, tables.policy_moves.data(), tables.policy_moves.size());
    out.table(kPolicyWeights, tables.policy_weights.data(), tables.policy_weights.size());
    out.table(kStrings, strings.bytes().data(), strings.bytes().size());
    file = out.finish();
  }
  seal(file, header);
  return file;
}

Shard decode_shard(std::string_view bytes, const std::string& name) {
  Shard shard;
  shard.header = check_seal(bytes, name).header;
  const hdf5::Input in(bytes, name);
  const uint64_t version = in.number("format_version");
  if (version != uint64_t(kFormatVersion))
    throw Error("{}: shard format {}, this program reads format {}", name, version, kFormatVersion);
  shard.provenance = {in.text("params"), in.text("code_revision"),
                      in.has("openings") ? in.number("openings") : 0};
  shard.games = Decoder(in, name, shard.header.writer).games();

  uint64_t rows = 0;
  std::vector<uint64_t> ids;
  for (const GameRecord& game : shard.games) {
    rows += game.plies.size();
    ids.push_back(game.id);
    if (ids.size() > 1 && ids[ids.size() - 2] >= game.id)
      throw Error("{}: game {} twice or out of order", name, game.id);
  }
  if (shard.games.size() != shard.header.games || rows != shard.header.rows ||
      ranges_of(ids) != shard.header.ids)
    throw Error("{}: holds {} games and {} rows, its header says {} and {} or other ids", name,
                shard.games.size(), rows, shard.header.games, shard.header.rows);
  return shard;
}

Shard read_shard(const std::filesystem::path& path) {
  Shard shard = decode_shard(read_file(path), path.string());
  const auto name = parse_file_name(path.filename().string());
  const ShardName expected{shard.games.front().id, shard.header.writer, shard.header.games,
                           shard.header.rows};
  if (name != expected)
    throw Error("{}: its name does not tell what it holds, expected {}", path.string(),
                to_file_name(expected));
  return shard;
}

}  // namespace chuhe::shards
