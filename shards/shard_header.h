#pragma once
// The plain-text block in front of a shard's HDF5 part. Internal to shards/.

#include <optional>
#include <string>
#include <string_view>

#include "shards/shard_file.h"

namespace chuhe::shards {

struct HeaderBlock {
  ShardHeader header;
  size_t size = 0;  // of the block: 512 or a higher power of two
  std::string checksum;
};

/// Bytes that the block of this header needs.
size_t block_size_for(const ShardHeader& header);
/// Writes the block into the first `block_size_for(header)` bytes of the file and seals it with the checksum
/// of all others.
void seal(std::string& file, const ShardHeader& header);

/// Reads the block; `file` may be only its beginning. Throws Error "<name>: ...".
HeaderBlock parse_block(std::string_view file, const std::string& name);
/// parse_block of a whole file, with its checksum checked.
HeaderBlock check_seal(std::string_view file, const std::string& name);

}  // namespace chuhe::shards
