#pragma once
// Whether material can win at all, over all ways to place it.

#include "xiangqi/endgame/material.h"

namespace chuhe::xiangqi {

/// Whether some legal placement of exactly this material has the side to move, the enemy of `winner`, without
/// a legal move. Looks at placements one by one until one is found, so that a "no" costs time in proportion
/// to PlacementIndex::size_of(material).
bool has_final_position(const Material& material, Color winner);

/// Whether `winner` has won some final position of the material or of what captures can make of it. A rook,
/// horse or pawn can even alone; a cannon needs a screen, so its company is looked at. A side without any of
/// them is said to be unable: such a side gives no check, and an enemy that has walled itself in is not its
/// doing. A lone cannon against an army too large to look at all placements counts as able.
bool can_mate(const Material& material, Color winner);

/// Neither side can mate: nobody has an attacking man (4.2.1 of the 1999 rules), or only cannons that lack a
/// screen.
bool no_mating_material(const Position& position);

}  // namespace chuhe::xiangqi
