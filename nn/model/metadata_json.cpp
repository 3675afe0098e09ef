#include "nn/model/metadata_json.h"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace chuhe::nn {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr size_t kMaxChecks = 1024;

float finite_float(const Json& json, std::string_view what) {
  if (!json.is_number()) throw Error("metadata 'checks': {} is not a number", what);
  const float value = json.get<float>();
  if (!std::isfinite(value)) throw Error("metadata 'checks': {} is not a finite number", what);
  return value;
}

void read_floats(const Json& check, const char* key, float* out, size_t count) {
  if (!check.contains(key) || !check[key].is_array() || check[key].size() != count)
    throw Error("metadata 'checks': expected '{}' to be a list of {} numbers", key, count);
  for (size_t i = 0; i < count; ++i) out[i] = finite_float(check[key][i], key);
}

Json parse(const std::string& text, std::string_view key) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Error("metadata '{}' is not JSON", key);
  return json;
}

}  // namespace

std::string row_to_hex(const PackedRow& row) {
  unsigned char bytes[sizeof row];
  std::memcpy(bytes, &row, sizeof row);
  std::string hex;
  for (unsigned char b : bytes) {
    hex += kDigits[b >> 4];
    hex += kDigits[b & 15];
  }
  return hex;
}

PackedRow row_from_hex(std::string_view hex) {
  unsigned char bytes[sizeof(PackedRow)];
  if (hex.size() != 2 * sizeof bytes)
    throw Error("a packed row has {} hexadecimal digits, got {}", 2 * sizeof bytes, hex.size());
  for (size_t i = 0; i < sizeof bytes; ++i) {
    const size_t high = kDigits.find(hex[2 * i]), low = kDigits.find(hex[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos)
      throw Error("a packed row is written in hexadecimal digits (0-9, a-f), got '{}'", hex.substr(2 * i, 2));
    bytes[i] = uint8_t(high << 4 | low);
  }
  PackedRow row;
  std::memcpy(&row, bytes, sizeof row);
  return row;
}

std::string checks_to_json(const std::vector<SelfCheck>& checks) {
  Json list = Json::array();
  for (const SelfCheck& c : checks)
    list.push_back({{"row", row_to_hex(c.row)},
                    {"wdl", c.wdl},
                    {"moves_left", c.moves_left},
                    {"logits", c.policy_logits}});
  return list.dump();
}

std::vector<SelfCheck> checks_from_json(const std::string& text) {
  const Json list = parse(text, "checks");
  if (!list.is_array() || list.size() > kMaxChecks)
    throw Error("metadata 'checks' is not a list of at most {} positions", kMaxChecks);
  std::vector<SelfCheck> checks;
  for (const Json& item : list) {
    if (!item.is_object() || !item.contains("row") || !item["row"].is_string() ||
        !item.contains("moves_left"))
      throw Error("metadata 'checks': expected objects with row, wdl, moves_left and logits");
    SelfCheck check{};
    check.row = row_from_hex(item["row"].get<std::string>());
    read_floats(item, "wdl", check.wdl, 3);
    read_floats(item, "logits", check.policy_logits, kCheckLogits);
    check.moves_left = finite_float(item["moves_left"], "moves_left");
    checks.push_back(check);
  }
  return checks;
}

std::string config_to_json(const NetConfig& config) {
  NetConfig copy = config;
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  const Fields fields = fields_of(copy);
  for (const Fields::Field& field : fields.all()) json[field.name] = std::stoll(field.get());
  return json.dump();
}

NetConfig config_from_json(const std::string& text) {
  const Json json = parse(text, "config");
  if (!json.is_object()) throw Error("metadata 'config' is not an object");
  NetConfig config;
  const Fields fields = fields_of(config);
  for (const Fields::Field& field : fields.all()) {
    if (!json.contains(field.name) || !json[field.name].is_number_integer())
      throw Error("metadata 'config': expected a whole number '{}'", field.name);
    try {
      field.set(json[field.name].dump());
    } catch (const Error& e) {
      throw Error("metadata 'config': {}: {}", field.name, e.what());
    }
  }
  if (json.size() != fields.all().size())
    throw Error("metadata 'config' has {} keys, expected {}", json.size(), fields.all().size());
  check_net_config(config);
  return config;
}

}  // namespace chuhe::nn
