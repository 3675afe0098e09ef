#include "nn/model/net_file.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "nn/model/metadata_json.h"
#include "nn/model/safetensors.h"

namespace chuhe::nn {
namespace {

constexpr std::string_view kFormat = "chuhe-net";
constexpr std::string_view kFormatVersion = "1";
constexpr std::string_view kBlankChecksum = "0000000000000000";

bool is_net_id(std::string_view id) {
  if (id.empty() || id.size() > 64) return false;
  for (char c : id) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '.' && c != '_' && c != '-') return false;
  }
  return true;
}

const std::string& metadata_value(const SafetensorsHeader& header, const std::string& key) {
  const auto it = header.metadata.find(key);
  if (it == header.metadata.end()) throw Error("no '{}' in its metadata, expected a net file of chuhe", key);
  return it->second;
}

int64_t parse_step(const std::string& text) {
  int64_t step = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  if (error != std::errc() || end != text.data() + text.size() || step < 0)
    throw Error("metadata 'step' is '{}', expected a whole number from 0", text);
  return step;
}

std::string shape_text(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

void check_shapes(const NetConfig& config, const std::map<std::string, SafetensorsEntry>& tensors) {
  const auto expected = tensor_shapes(config);
  for (const auto& [name, shape] : expected) {
    const auto it = tensors.find(name);
    if (it == tensors.end()) throw Error("tensor '{}' is missing", name);
    if (it->second.shape != shape)
      throw Error("tensor '{}' has shape {}, expected {}", name, shape_text(it->second.shape),
                  shape_text(shape));
  }
  for (const auto& [name, entry] : tensors)
    if (!expected.contains(name)) throw Error("tensor '{}' does not belong to its config", name);
}

// Everything but the weights. Format and encoding are asked first: a net of another kind should be told so,
// not that some key is missing.
NetFile parse_header(const SafetensorsHeader& header) {
  if (const auto& format = metadata_value(header, "format"); format != kFormat)
    throw Error("format '{}', expected '{}'", format, kFormat);
  if (const auto& version = metadata_value(header, "format_version"); version != kFormatVersion)
    throw Error("net file format version '{}', this build reads version {}", version, kFormatVersion);
  if (const auto& encoding = metadata_value(header, "encoding"); encoding != std::to_string(kEncodingVersion))
    throw Error("the net is for input encoding '{}', this build has encoding {}", encoding, kEncodingVersion);
  NetFile net;
  net.id = metadata_value(header, "id");
  if (!is_net_id(net.id)) throw Error("metadata 'id' is '{}', expected 1 to 64 of A-Z a-z 0-9 . _ -", net.id);
  net.parent = metadata_value(header, "parent");
  net.step = parse_step(metadata_value(header, "step"));
  net.rule_set = metadata_value(header, "rule_set");
  net.revision = metadata_value(header, "revision");
  net.config = config_from_json(metadata_value(header, "config"));
  net.checks = checks_from_json(metadata_value(header, "checks"));
  check_shapes(net.config, header.tensors);
  for (const auto& [name, entry] : header.tensors) net.tensors[name].shape = entry.shape;
  return net;
}

// Where the checksum's digits stand in the header: the value as JSON writes it, once.
size_t checksum_position(std::string_view header, std::string_view digits) {
  const std::string quoted = fmt::format("\"checksum\":\"{}\"", digits);
  const size_t at = header.find(quoted);
  if (at == std::string_view::npos || header.find(quoted, at + 1) != std::string_view::npos)
    throw Error("the header was rewritten by another program (its checksum is not where chuhe puts it)");
  return at + quoted.size() - digits.size() - 1;
}

std::string checksum_of(std::string bytes, size_t digits_at) {
  std::memcpy(bytes.data() + digits_at, kBlankChecksum.data(), kBlankChecksum.size());
  return fmt::format("{:016x}", hash_bytes(bytes.data(), bytes.size()));
}

void check_checksum(std::string_view bytes, const SafetensorsHeader& header) {
  const std::string& stored = metadata_value(header, "checksum");
  if (stored.size() != kBlankChecksum.size()) throw Error("corrupt: checksum '{}'", stored);
  const size_t at = checksum_position(bytes.substr(0, header.header_bytes), stored);
  const std::string actual = checksum_of(std::string(bytes), at);
  if (actual != stored) throw Error("corrupt: checksum {}, its metadata says {}", actual, stored);
}

void check_size(uint64_t size, const SafetensorsHeader& header) {
  const uint64_t expected = header.header_bytes + header.data_bytes;
  if (size < expected) throw Error("cut: {} bytes, expected {}", size, expected);
  if (size > expected) throw Error("corrupt: {} bytes, expected {}", size, expected);
}

NetFile parse_unnamed(std::string_view bytes) {
  const SafetensorsHeader header = parse_safetensors_header(bytes);
  check_size(bytes.size(), header);
  NetFile net = parse_header(header);
  check_checksum(bytes, header);
  for (const auto& [name, entry] : header.tensors) {
    std::vector<float>& values = net.tensors[name].values;
    values.resize((entry.end - entry.begin) / sizeof(float));
    std::memcpy(values.data(), bytes.data() + header.header_bytes + entry.begin, entry.end - entry.begin);
    check_finite(name, values);
  }
  return net;
}

}  // namespace

void check_finite(const std::string& name, const std::vector<float>& values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Error("tensor '{}': weight {} is {}, expected a finite number", name, i, values[i]);
}

NetFile parse_net_file(std::string_view bytes, const std::string& name) {
  try {
    return parse_unnamed(bytes);
  } catch (const Error& e) {
    throw Error("{}: {}", name, e.what());
  }
}

std::filesystem::path find_net_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.filename() == "latest" && std::filesystem::is_regular_file(path, ignored)) {
    const std::string line = read_file(path);
    return path.parent_path() / std::filesystem::path(line.substr(0, line.find('\n'))).filename();
  }
  const std::filesystem::path with_ending = path.string() + ".safetensors";
  if (!std::filesystem::exists(path, ignored) && std::filesystem::exists(with_ending, ignored))
    return with_ending;
  return path;
}

NetFile read_net_file(const std::filesystem::path& given) {
  const std::filesystem::path path = find_net_file(given);
  return parse_net_file(read_file(path), path.string());
}

NetFile read_net_header(const std::filesystem::path& given) {
  const std::filesystem::path path = find_net_file(given);
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw Error("{}: expected a net file, this is a folder", path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("{}: cannot open: {}", path.string(), std::strerror(errno));
  const auto read = [&file](uint64_t bytes) {
    std::string out(bytes, '\0');
    file.read(out.data(), std::streamsize(bytes));
    out.resize(size_t(file.gcount()));
    return out;
  };
  try {
    std::string bytes = read(8);
    bytes += read(safetensors_header_length(bytes));
    const SafetensorsHeader header = parse_safetensors_header(bytes);
    file.clear();
    file.seekg(0, std::ios::end);
    check_size(uint64_t(file.tellg()), header);
    return parse_header(header);
  } catch (const Error& e) {
    throw Error("{}: {}", path.string(), e.what());
  }
}

std::string to_bytes(const NetFile& net) {
  if (!is_net_id(net.id)) throw Error("net id '{}', expected 1 to 64 of A-Z a-z 0-9 . _ -", net.id);
  check_net_config(net.config);
  const auto shapes = tensor_shapes(net.config);
  CHUHE_CHECK(net.tensors.size() == shapes.size(), "net {} has {} tensors, its config {}", net.id,
              net.tensors.size(), shapes.size());
  const std::map<std::string, std::string> metadata = {
      {"format", std::string(kFormat)},
      {"format_version", std::string(kFormatVersion)},
      {"encoding", std::to_string(kEncodingVersion)},
      {"id", net.id},
      {"parent", net.parent},
      {"step", std::to_string(net.step)},
      {"rule_set", net.rule_set},
      {"revision", net.revision},
      {"config", config_to_json(net.config)},
      {"checks", checks_to_json(net.checks)},
      {"checksum", std::string(kBlankChecksum)},
  };
  std::string bytes = make_safetensors_header(metadata, shapes);
  const size_t digits_at = checksum_position(bytes, kBlankChecksum);
  for (const auto& [name, shape] : shapes) {
    const auto it = net.tensors.find(name);
    CHUHE_CHECK(it != net.tensors.end() && it->second.shape == shape, "net {}: tensor {}", net.id, name);
    const std::vector<float>& values = it->second.values;
    int64_t size = 1;
    for (int64_t n : shape) size *= n;
    CHUHE_CHECK(int64_t(values.size()) == size, "net {}: tensor {} has {} values", net.id, name,
                values.size());
    check_finite(name, values);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
  const std::string checksum = checksum_of(bytes, digits_at);
  bytes.replace(digits_at, checksum.size(), checksum);
  return bytes;
}

void write_net_file(const NetFile& net, const std::filesystem::path& path) {
  try {
    write_file_atomically(path, to_bytes(net));
  } catch (const Error& e) {
    const std::string_view what = e.what();
    if (what.find(path.string()) != std::string_view::npos) throw;
    throw Error("{}: {}", path.string(), what);
  }
}

}  // namespace chuhe::nn
