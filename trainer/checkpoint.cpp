#include "trainer/checkpoint.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/config.h"
#include "base/error.h"
#include "base/files.h"
#include "base/random.h"

namespace chuhe::trainer {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "state.bin is little-endian");

constexpr int kVersion = 1;
constexpr std::string_view kPrefix = "step-";

std::string hex(uint64_t h) {
  return fmt::format("{:016x}", h);
}

uint64_t unhex(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) throw Error("'{}' is no hash", text);
  return value;
}

std::string checksum(json manifest) {
  manifest["checksum"] = "";
  return hex(hash_text(manifest.dump()));
}

std::string packed(const LearnerState& state, json& arrays) {
  std::string bytes;
  for (const auto& [name, values] : state.arrays) {
    arrays.push_back({{"name", name}, {"begin", bytes.size()}, {"count", values.size()}});
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
  return bytes;
}

void unpack(const std::string& bytes, const json& arrays, LearnerState& state) {
  for (const json& a : arrays) {
    const auto begin = a.at("begin").get<size_t>(), count = a.at("count").get<size_t>();
    if (count > bytes.size() / sizeof(float) || begin > bytes.size() - count * sizeof(float))
      throw Error("array {} lies beyond the end of state.bin", a.at("name").get<std::string>());
    std::vector<float> values(count);
    // An empty vector has no address, and memcpy must not be given none, even for nothing.
    if (count > 0) std::memcpy(values.data(), bytes.data() + begin, count * sizeof(float));
    state.arrays.emplace(a.at("name").get<std::string>(), std::move(values));
  }
}

Checkpoint parse(const json& m, const fs::path& folder) {
  if (m.value("format", "") != "chuhe-checkpoint") throw Error("manifest.json is not a checkpoint's");
  if (m.value("version", 0) != kVersion)
    throw Error("its version is {}, expected {}", m.value("version", 0), kVersion);
  if (m.value("checksum", "") != checksum(m)) throw Error("manifest.json is corrupt: its checksum differs");
  const std::string bytes = read_file(folder / "state.bin");
  if (bytes.size() != m.at("state_bytes").get<size_t>())
    throw Error("state.bin has {} bytes, expected {}", bytes.size(), m.at("state_bytes").get<size_t>());
  if (hex(hash_bytes(bytes.data(), bytes.size())) != m.at("state_hash").get<std::string>())
    throw Error("state.bin is corrupt: its hash differs");
  Checkpoint c;
  c.state.steps = m.at("steps").get<int64_t>();
  c.seed = unhex(m.at("seed").get<std::string>());
  c.settings = m.at("settings").get<std::string>();
  c.generated.rows = m.at("generated").at("rows").get<int64_t>();
  c.generated.ends = m.at("generated").at("ends").get<std::map<std::string, uint64_t>>();
  c.device = m.at("device").get<std::string>();
  c.revision = m.at("revision").get<std::string>();
  apply_toml(fields_of(c.net), m.at("net").get<std::string>(), "manifest.json, net");
  unpack(bytes, m.at("arrays"), c.state);
  return c;
}

// Removes what killed processes left, and the oldest ones.
void prune(const fs::path& dir, int keep) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(dir, ignored))
    if (entry.path().extension() == ".tmp") fs::remove_all(entry.path(), ignored);
  const auto all = list_checkpoints(dir);
  for (size_t i = size_t(keep); i < all.size(); ++i) {
    // Renamed first: a kill in the middle must not leave half a checkpoint under its name.
    const fs::path grave = all[i].path.string() + ".tmp";
    fs::rename(all[i].path, grave, ignored);
    fs::remove_all(grave, ignored);
  }
}

}  // namespace

void write_checkpoint(const Checkpoint& c, const fs::path& dir, int keep) {
  make_folder(dir);
  json m = {{"format", "chuhe-checkpoint"},
            {"version", kVersion},
            {"steps", c.state.steps},
            {"seed", hex(c.seed)},
            {"settings", c.settings},
            {"generated", {{"rows", c.generated.rows}, {"ends", json(c.generated.ends)}}},
            {"device", c.device},
            {"revision", c.revision},
            {"arrays", json::array()}};
  nn::NetConfig net = c.net;
  m["net"] = to_toml(fields_of(net), false);
  const std::string bytes = packed(c.state, m["arrays"]);
  m["state_bytes"] = bytes.size();
  m["state_hash"] = hex(hash_bytes(bytes.data(), bytes.size()));
  m["checksum"] = checksum(m);

  const fs::path path = dir / fmt::format("{}{:010}", kPrefix, c.state.steps);
  const fs::path temporary = path.string() + ".tmp";
  std::error_code ignored;
  fs::remove_all(temporary, ignored);
  try {
    make_folder(temporary);
    write_file_atomically(temporary / "state.bin", bytes);
    write_file_atomically(temporary / "manifest.json", m.dump(1) + "\n");
    sync_path(temporary);
    if (fs::exists(path)) fs::rename(path, path.string() + ".old.tmp");
    rename_into_place(temporary, path);
  } catch (...) {
    fs::remove_all(temporary, ignored);
    throw;
  }
  prune(dir, keep);
}

Checkpoint read_checkpoint(const fs::path& folder) {
  try {
    const std::string text = read_file(folder / "manifest.json");
    if (text.empty()) throw Error("manifest.json is empty");
    return parse(json::parse(text), folder);
  } catch (const json::exception& e) {
    throw Error("checkpoint {}: manifest.json is cut or corrupt: {}", folder.string(), e.what());
  } catch (const Error& e) {
    throw Error("checkpoint {}: {}", folder.string(), e.what());
  }
}

std::vector<CheckpointFolder> list_checkpoints(const fs::path& dir) {
  std::vector<CheckpointFolder> list;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(dir, missing)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    int64_t steps = 0;
    const char* begin = name.data() + kPrefix.size();
    const auto [end, error] = std::from_chars(begin, name.data() + name.size(), steps);
    if (error == std::errc() && end == name.data() + name.size()) list.push_back({steps, entry.path()});
  }
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.steps > b.steps; });
  return list;
}

std::optional<Checkpoint> newest_checkpoint(const fs::path& dir,
                                            const std::function<void(const std::string&)>& passed_over,
                                            int64_t max_step) {
  for (const CheckpointFolder& folder : list_checkpoints(dir)) {
    if (folder.steps > max_step) {
      passed_over(fmt::format("checkpoint {}: it is beyond step {}", folder.path.string(), max_step));
      continue;
    }
    try {
      return read_checkpoint(folder.path);
    } catch (const Error& e) {
      passed_over(e.what());
    }
  }
  return std::nullopt;
}

}  // namespace chuhe::trainer
