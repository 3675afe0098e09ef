#include "nn/model/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace chuhe::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian, and so are we");

using Json = nlohmann::json;
constexpr size_t kLengthBytes = 8;

std::map<std::string, std::string> parse_metadata(const Json& json) {
  if (!json.is_object()) throw Error("header: __metadata__ is not an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) throw Error("header: metadata '{}' is not a string", key);
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

uint64_t whole_number(const Json& json, std::string_view what, const std::string& tensor) {
  if (!json.is_number_unsigned())
    throw Error("header: tensor '{}': {} holds {}, expected a whole number from 0", tensor, what,
                json.dump());
  return json.get<uint64_t>();
}

SafetensorsEntry parse_entry(const std::string& name, const Json& json) {
  if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") ||
      !json.contains("data_offsets"))
    throw Error("header: tensor '{}' lacks dtype, shape or data_offsets", name);
  if (json["dtype"] != "F32")
    throw Error("header: tensor '{}' has dtype {}, expected \"F32\"", name, json["dtype"].dump());
  const Json &shape = json["shape"], &offsets = json["data_offsets"];
  if (!shape.is_array() || shape.size() > 8 || !offsets.is_array() || offsets.size() != 2)
    throw Error("header: tensor '{}' has an odd shape or odd data_offsets", name);
  SafetensorsEntry entry;
  uint64_t bytes = sizeof(float);
  for (const Json& n : shape) {
    const uint64_t size = whole_number(n, "shape", name);
    if (size > (1u << 30) || (size > 0 && bytes > (uint64_t(1) << 40) / size))
      throw Error("header: tensor '{}' is too large", name);
    bytes *= size;
    entry.shape.push_back(int64_t(size));
  }
  entry.begin = whole_number(offsets[0], "data_offsets", name);
  entry.end = whole_number(offsets[1], "data_offsets", name);
  if (entry.end < entry.begin || entry.end - entry.begin != bytes)
    throw Error("header: tensor '{}': data_offsets {} do not fit its shape {}", name, offsets.dump(),
                shape.dump());
  return entry;
}

// Tensors must lie one after the other, so that no byte is unaccounted for and none is in two tensors.
uint64_t check_layout(const std::map<std::string, SafetensorsEntry>& tensors) {
  std::vector<std::pair<uint64_t, uint64_t>> spans;
  for (const auto& [name, entry] : tensors) spans.emplace_back(entry.begin, entry.end);
  std::sort(spans.begin(), spans.end());
  uint64_t end = 0;
  for (const auto& [b, e] : spans) {
    if (b != end) throw Error("header: tensors overlap or leave a gap at offset {}", std::min(b, end));
    end = e;
  }
  return end;
}

}  // namespace

uint64_t safetensors_header_length(std::string_view first_bytes) {
  if (first_bytes.size() < kLengthBytes)
    throw Error("cut: {} bytes, expected at least {}", first_bytes.size(), kLengthBytes);
  uint64_t length = 0;
  std::memcpy(&length, first_bytes.data(), kLengthBytes);
  if (length < 2 || length > kMaxHeaderBytes)
    throw Error("not a safetensors file, or corrupt: header of {} bytes, expected 2 to {}", length,
                kMaxHeaderBytes);
  return length;
}

SafetensorsHeader parse_safetensors_header(std::string_view bytes) {
  const uint64_t length = safetensors_header_length(bytes);
  if (bytes.size() < kLengthBytes + length)
    throw Error("cut: {} bytes, expected a header of {}", bytes.size(), kLengthBytes + length);
  const std::string_view text = bytes.substr(kLengthBytes, length);
  const Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw Error("not a safetensors file, or corrupt: the header is not a JSON object");
  SafetensorsHeader header;
  header.header_bytes = kLengthBytes + length;
  for (const auto& [name, value] : json.items()) {
    if (name == "__metadata__") {
      header.metadata = parse_metadata(value);
    } else {
      header.tensors[name] = parse_entry(name, value);
    }
  }
  header.data_bytes = check_layout(header.tensors);
  return header;
}

std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::map<std::string, std::vector<int64_t>>& shapes) {
  Json json = Json::object();
  json["__metadata__"] = metadata;
  uint64_t at = 0;
  for (const auto& [name, shape] : shapes) {
    uint64_t bytes = sizeof(float);
    for (int64_t n : shape) bytes *= uint64_t(n);
    json[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
    at += bytes;
  }
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const uint64_t length = text.size();
  CHUHE_CHECK(length <= kMaxHeaderBytes);
  std::string out(kLengthBytes, '\0');
  std::memcpy(out.data(), &length, kLengthBytes);
  return out + text;
}

}  // namespace chuhe::nn
