#include "shards/shard_header.h"

#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>

#include "base/error.h"
#include "base/files.h"

namespace chuhe::shards {
namespace {

constexpr size_t kSmallestBlock = 512;
constexpr size_t kLargestBlock = 1 << 16;
// More games than any shard's tables may hold: whoever lists the ids of a damaged header must come to an end.
constexpr uint64_t kMostGames = 1 << 22;
constexpr std::string_view kMagic = "chuhe shard ";
constexpr std::string_view kChecksumKey = "\ncrc32 ";

std::string text_of(const ShardHeader& header, size_t block) {
  std::string ids;
  for (const IdRange& r : header.ids) {
    if (!ids.empty()) ids += ',';
    ids += r.first == r.last ? fmt::format("{}", r.first) : fmt::format("{}-{}", r.first, r.last);
  }
  return fmt::format("{}{}\nblock {}\nwriter {}\ngames {}\nrows {}\nids {}{}", kMagic, header.format_version,
                     block, header.writer, header.games, header.rows, ids, kChecksumKey);
}

// Of the block's text up to the checksum, then of all behind the block.
std::string checksum_of(std::string_view text, std::string_view body) {
  const auto extend = [](uLong crc, std::string_view bytes) {
    return crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  };
  return fmt::format("{:08x}", extend(extend(0, text), body));
}

std::optional<uint64_t> parse_number(std::string_view text) {
  uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<std::vector<IdRange>> parse_ids(std::string_view text) {
  std::vector<IdRange> ids;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const size_t dash = std::min(part.find('-'), part.size());
    const auto first = parse_number(part.substr(0, dash));
    const auto last = dash == part.size() ? first : parse_number(part.substr(dash + 1));
    if (!first || !last || *last < *first || (!ids.empty() && *first <= ids.back().last)) return std::nullopt;
    ids.push_back({*first, *last});
  }
  return ids;
}

// Takes "<key> <value>\n" off the front of the text.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view key) {
  if (!text.starts_with(key) || text.substr(key.size(), 1) != " ") return std::nullopt;
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const auto value = text.substr(key.size() + 1, end - key.size() - 1);
  text.remove_prefix(end + 1);
  return value;
}

}  // namespace

std::vector<IdRange> ranges_of(std::vector<uint64_t> ids) {
  std::sort(ids.begin(), ids.end());
  std::vector<IdRange> ranges;
  for (const uint64_t id : ids) {
    if (!ranges.empty() && id - ranges.back().last <= 1) {  // the last one may be 2^64 - 1
      ranges.back().last = id;
    } else {
      ranges.push_back({id, id});
    }
  }
  return ranges;
}

bool is_writer_name(std::string_view name) {
  const auto alnum = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !name.empty() && name.size() <= 64 && alnum(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return alnum(c) || c == '.' || c == '_' || c == '-'; });
}

size_t block_size_for(const ShardHeader& header) {
  constexpr size_t kChecksumAndEnd = 8 + 2;
  return std::bit_ceil(std::max(kSmallestBlock, text_of(header, kLargestBlock).size() + kChecksumAndEnd));
}

void seal(std::string& file, const ShardHeader& header) {
  const size_t block = block_size_for(header);
  std::string text = text_of(header, block);
  text += checksum_of(text, std::string_view(file).substr(block)) + "\n";
  text.resize(block, '\0');
  std::copy(text.begin(), text.end(), file.begin());
}

HeaderBlock parse_block(std::string_view file, const std::string& name) {
  std::string_view text = file.substr(0, std::min(file.find('\0'), file.size()));
  if (!text.starts_with(kMagic)) throw Error("{}: not a shard: it does not begin with '{}'", name, kMagic);
  const size_t version_end = std::min(text.find('\n'), text.size());
  const auto version = parse_number(text.substr(kMagic.size(), version_end - kMagic.size()));
  if (!version) throw Error("{}: damaged header: no format version", name);
  if (*version != uint64_t(kFormatVersion))
    throw Error(
        "{}: shard format {}, this program reads format {}: move the file away, or convert it with the "
        "version that wrote it",
        name, *version, kFormatVersion);
  text.remove_prefix(std::min(version_end + 1, text.size()));

  HeaderBlock block;
  const auto need = [&](std::string_view key) {
    const auto value = take_line(text, key);
    if (!value) throw Error("{}: damaged header: no line '{} ...'", name, key);
    return *value;
  };
  const auto number = [&](std::string_view key) {
    const auto value = parse_number(need(key));
    if (!value) throw Error("{}: damaged header: '{}' is no number", name, key);
    return *value;
  };
  block.size = number("block");
  if (block.size < kSmallestBlock || !std::has_single_bit(block.size))
    throw Error("{}: damaged header: block {}", name, block.size);
  block.header.writer = need("writer");
  block.header.games = number("games");
  block.header.rows = number("rows");
  if (block.header.games > kMostGames)
    throw Error("{}: damaged header: {} games, expected {} at most", name, block.header.games, kMostGames);
  // A long list of ids may go on behind the part that was read.
  if (file.size() < block.size) return block;
  const auto ids = parse_ids(need("ids"));
  if (!ids) throw Error("{}: damaged header: list of ids", name);
  block.header.ids = *ids;
  uint64_t listed = 0;
  for (const IdRange& r : *ids) listed += std::min(r.last - r.first, block.header.games) + 1;
  if (listed != block.header.games)
    throw Error("{}: damaged header: its ids are not {} games", name, block.header.games);
  block.checksum = need("crc32");
  if (!text.empty()) throw Error("{}: damaged header: text behind its end", name);
  return block;
}

HeaderBlock check_seal(std::string_view file, const std::string& name) {
  HeaderBlock block = parse_block(file, name);
  if (file.size() <= block.size) throw Error("{}: cut short: {} bytes", name, file.size());
  const std::string_view head = file.substr(0, block.size);
  const size_t text_end = head.find(kChecksumKey) + kChecksumKey.size();
  const bool padded = head.find_first_not_of('\0', head.find('\0')) == std::string_view::npos;
  if (!padded || block.checksum != checksum_of(head.substr(0, text_end), file.substr(block.size)))
    throw Error("{}: damaged or cut short: its checksum does not fit its {} bytes", name, file.size());
  return block;
}

ShardHeader read_header(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("{}: cannot open", name);
  std::string bytes(kSmallestBlock, '\0');
  const auto fill = [&](size_t from) {
    in.read(bytes.data() + from, std::streamsize(bytes.size() - from));
    bytes.resize(from + size_t(in.gcount()));
  };
  fill(0);
  HeaderBlock block = parse_block(bytes, name);
  if (block.size > bytes.size() && block.size <= kLargestBlock) {
    const size_t have = bytes.size();
    bytes.resize(block.size);
    fill(have);
    block = parse_block(bytes, name);
  }
  if (bytes.size() < block.size) throw Error("{}: cut short: {} bytes", name, bytes.size());
  return block.header;
}

}  // namespace chuhe::shards
