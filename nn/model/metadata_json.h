#pragma once
// The structured values of a net file's metadata, as JSON texts.

#include <string>
#include <vector>

#include "nn/model/net_file.h"

namespace chuhe::nn {

/// 128 hexadecimal digits, and back. Throws Error for any other text.
std::string row_to_hex(const PackedRow& row);
PackedRow row_from_hex(std::string_view hex);

std::string checks_to_json(const std::vector<SelfCheck>& checks);
std::vector<SelfCheck> checks_from_json(const std::string& text);

std::string config_to_json(const NetConfig& config);
/// Every key must be there, none else. Throws Error.
NetConfig config_from_json(const std::string& text);

}  // namespace chuhe::nn
