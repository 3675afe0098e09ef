#pragma once
// The solver behind EndgameTable.

#include <functional>

#include "xiangqi/endgame/endgame_table.h"

namespace chuhe::xiangqi {

/// Values of all positions of the index. `smaller` gives the solved table of a material with one man less, or
/// of its colour swap; it is called once per kind of man.
EndgameTable::Values solve_by_retrograde(
    const PlacementIndex& index,
    const std::function<std::shared_ptr<const EndgameTable>(const Material&)>& smaller);

/// Bytes of work space per placement, beside the values themselves.
inline constexpr uint64_t kRetrogradeWorkBytes = 2;

}  // namespace chuhe::xiangqi
