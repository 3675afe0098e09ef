#pragma once
// The container of net files: header and tensor bytes, without knowing what a net is. Safe on any bytes.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe::nn {

struct SafetensorsEntry {
  std::vector<int64_t> shape;
  uint64_t begin = 0, end = 0;  // of its bytes, counted from the end of the header
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::map<std::string, SafetensorsEntry> tensors;  // all F32
  uint64_t header_bytes = 0;                        // the length field included
  uint64_t data_bytes = 0;                          // that the tensors take
};

constexpr uint64_t kMaxHeaderBytes = 16 << 20;

/// The header's length, from the file's first eight bytes. Throws Error (without the file's name, as all
/// here) if it makes no sense.
uint64_t safetensors_header_length(std::string_view first_bytes);
/// Parses the first 8 + length bytes of a file. Throws Error: no JSON, a tensor that is not F32, offsets that
/// do not fit its shape, gaps or overlaps.
SafetensorsHeader parse_safetensors_header(std::string_view bytes);
/// The first 8 + length bytes of a file with these tensors, in the order of their names.
std::string make_safetensors_header(const std::map<std::string, std::string>& metadata,
                                    const std::map<std::string, std::vector<int64_t>>& shapes);

}  // namespace chuhe::nn
