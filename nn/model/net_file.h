#pragma once
// Net files: safetensors, all weights fp32, the metadata says what the net is (docs/net_file.md). Safe to
// load from a stranger; readable from Python and without torch.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "nn/encoding/row.h"
#include "nn/model/net_config.h"

namespace chuhe::nn {

struct Tensor {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

constexpr int kCheckLogits = 8;
constexpr int kCheckLogitStep = 257;

/// A position with the outputs that the trainer's own net gave for it: loaders check themselves with it.
struct SelfCheck {
  PackedRow row;
  float wdl[3];  // probabilities
  float moves_left;
  float policy_logits[kCheckLogits];  // of policy indices 0, 257, 514, ... (i * 257)
};

struct NetFile {
  std::string id;      // "<run>-<step>" or given; 1..64 of [A-Za-z0-9._-]
  std::string parent;  // id of the net that it was trained from, or empty
  int64_t step = 0;    // train steps behind it
  std::string rule_set;
  std::string revision;  // code that wrote it
  NetConfig config;
  std::map<std::string, Tensor> tensors;  // names as documented in docs/net_file.md
  std::vector<SelfCheck> checks;
};

/// The file that a user means: the path itself; else with ".safetensors" added ("nets/3"). A file named
/// "latest" is a run's pointer and names its neighbour. The path as given where nothing of that is there.
std::filesystem::path find_net_file(const std::filesystem::path& path);

/// Throws Error naming the file and: what is cut or corrupt (a checksum over the whole file is in the
/// metadata), an unknown format version, another encoding (says which and which was expected), a missing or
/// ill-shaped tensor, a non-finite weight.
NetFile read_net_file(const std::filesystem::path& path);
/// Only the header: for `net info` and quick listing. `tensors` have shapes, but no values; the checksum is
/// not looked at.
NetFile read_net_header(const std::filesystem::path& path);
/// Throws Error naming the tensor and the first weight that is not finite.
void check_finite(const std::string& name, const std::vector<float>& values);
/// Writes atomically. Throws Error for a bad id, a non-finite weight or a full disk; missing or ill-shaped
/// tensors are failed checks.
void write_net_file(const NetFile& net, const std::filesystem::path& path);
/// The bytes of the file, and back; `name` stands for the file in messages.
std::string to_bytes(const NetFile& net);
NetFile parse_net_file(std::string_view bytes, const std::string& name);

}  // namespace chuhe::nn
