#pragma once
// One shard: finished games in one HDF5 file that appears whole and never changes. The format, with all its
// names and types, is docs/shard_format.md.
//
// HDF5 never touches the disk here: a shard is encoded into bytes and decoded from bytes (core driver), and
// the bytes are written and read by plain file calls. So nothing is locked (locks fail on many network file
// systems), a full disk is an ordinary error, and a person who looks into a folder of shards disturbs nobody.
// All functions may be called from any thread: one lock of the process stands around every use of HDF5.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shards/game_record.h"

namespace chuhe::shards {

inline constexpr int kFormatVersion = 1;

/// Ids first..last, both included.
struct IdRange {
  uint64_t first, last;
  bool operator==(const IdRange&) const = default;
};
/// Sorted, disjoint, not adjacent. `ids` in any order; equal ones count once.
std::vector<IdRange> ranges_of(std::vector<uint64_t> ids);

/// What the first bytes of a shard say in plain text: enough to list folders without opening HDF5.
struct ShardHeader {
  int format_version = kFormatVersion;
  std::string writer;
  uint64_t games = 0, rows = 0;
  std::vector<IdRange> ids;
};

/// Where the games come from; stored, not interpreted.
struct Provenance {
  std::string params;         // effective settings, as TOML
  std::string code_revision;  // of the program that played
  uint64_t openings = 0;      // digest of the list of openings that the settings name; 0: none, or not stored
  bool operator==(const Provenance&) const = default;
};

struct Shard {
  ShardHeader header;
  Provenance provenance;
  std::vector<GameRecord> games;  // by id
};

/// The bytes of a shard: equal games and provenance give equal bytes. The games are of one writer (a valid
/// name, see is_writer_name), with different ids; they are stored by id.
std::string encode_shard(std::span<const GameRecord> games, const Provenance& provenance);

/// The way back. Throws Error "<name>: ..." for bytes that are not a sound shard of this format version.
Shard decode_shard(std::string_view bytes, const std::string& name);

/// Reads a shard. Throws Error naming the file: cannot be read, is cut, damaged, of another format version,
/// or its name does not tell what it holds.
Shard read_shard(const std::filesystem::path& path);
/// Reads the plain-text header only (a few hundred bytes), unchecked beyond its syntax and version.
ShardHeader read_header(const std::filesystem::path& path);

/// Letters, digits, '.', '_' and '-', at most 64, the first one a letter or digit.
bool is_writer_name(std::string_view name);

}  // namespace chuhe::shards
