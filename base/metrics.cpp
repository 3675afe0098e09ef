#include "base/metrics.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace chuhe {
namespace {

constexpr std::array<uint32_t, 256> kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = c & 1 ? 0x82f63b78u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  return table;
}();

uint32_t masked_crc32c(std::string_view data) {
  uint32_t crc = ~0u;
  for (unsigned char byte : data) crc = kCrcTable[(crc ^ byte) & 255] ^ (crc >> 8);
  return std::rotr(~crc, 15) + 0xa282ead8u;
}

template <class T>
void put_little_endian(std::string& out, T value) {
  for (size_t i = 0; i < sizeof value; ++i) out += char(value >> (8 * i) & 255);
}

void put_varint(std::string& out, uint64_t value) {
  for (; value >= 128; value >>= 7) out += char(value | 128);
  out += char(value);
}

// Protocol Buffers wire format: the key is field * 8 + wire type (0 varint, 1 fixed 64, 2 length-delimited, 5
// fixed 32).
void put_bytes(std::string& out, int field, std::string_view bytes) {
  put_varint(out, uint64_t(field * 8 + 2));
  put_varint(out, bytes.size());
  out += bytes;
}

std::string event_head(double wall_time) {
  std::string event;
  put_varint(event, 1 * 8 + 1);
  put_little_endian(event, std::bit_cast<uint64_t>(wall_time));
  return event;
}

std::string version_event(double wall_time) {
  std::string event = event_head(wall_time);
  put_bytes(event, 3, "brain.Event:2");
  return event;
}

std::string scalar_event(int64_t step, double wall_time, const MetricList& values) {
  std::string summary;
  for (const auto& [tag, number] : values) {
    std::string value;
    put_bytes(value, 1, tag);
    put_varint(value, 2 * 8 + 5);
    put_little_endian(value, std::bit_cast<uint32_t>(float(number)));
    put_bytes(summary, 1, value);
  }
  std::string event = event_head(wall_time);
  put_varint(event, 2 * 8 + 0);
  put_varint(event, uint64_t(step));
  put_bytes(event, 5, summary);
  return event;
}

// TFRecord: length, its checksum, the bytes, their checksum.
std::string frame(std::string_view data) {
  std::string out;
  put_little_endian(out, uint64_t(data.size()));
  put_little_endian(out, masked_crc32c(out));
  out += data;
  put_little_endian(out, masked_crc32c(data));
  return out;
}

void append(std::ofstream& file, const std::filesystem::path& path, std::string_view data) {
  errno = 0;
  file.write(data.data(), std::streamsize(data.size()));
  file.flush();
  if (!file)
    throw Error("{}: cannot write: {}", path.string(), errno ? std::strerror(errno) : "output error");
}

}  // namespace

MetricsWriter::MetricsWriter(const std::filesystem::path& folder, double wall_time, const std::string& tag)
    : jsonl_(folder / "metrics.jsonl"),
      events_path_(folder / fmt::format("events.out.tfevents.{}.{}", int64_t(wall_time), tag)) {
  make_folder(folder);
  events_.open(events_path_, std::ios::binary | std::ios::app);
  if (!events_) throw Error("{}: cannot create: {}", events_path_.string(), std::strerror(errno));
  append(events_, events_path_, frame(version_event(wall_time)));
}

void MetricsWriter::write(int64_t step, double wall_time, const MetricList& values) {
  nlohmann::ordered_json row;
  row["step"] = step;
  row["time"] = wall_time;
  for (const auto& [name, value] : values) row[name] = value;  // NaN and infinity become null
  append_line(jsonl_, row.dump());
  append(events_, events_path_, frame(scalar_event(step, wall_time, values)));
}

}  // namespace chuhe
