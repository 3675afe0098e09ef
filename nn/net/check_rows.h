#pragma once

#include <vector>

#include "nn/encoding/row.h"

namespace chuhe::nn {

/// Eight rows that any net can be asked about, for NetFile::checks: some plies of random games, the same
/// every time.
std::vector<PackedRow> self_check_rows();

}  // namespace chuhe::nn
