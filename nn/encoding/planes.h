#pragma once
// Encoding v1, second half: packed row -> input planes. The bodies (planes_inl.h) are host-device functions
// that the CPU twin and the CUDA kernel share.

#include <cstddef>

#include "nn/encoding/row.h"

namespace chuhe::nn {

// planes
//  0..13  own K A E H R C P, then the opponent's (one-hot)
// 14..21  the square that each of the last 8 moves went to, newest first
// 22..29  the square that each of them came from
// 30, 31  squares that own pieces attack (pseudo-legally); that the opponent's attack
// 32, 33  the position occurred once before; twice or more
// 34..36  what the judge says of the current cycle: draw, own loss, own win
// 37..41  no-capture bucket >= 1, >= 2, .. >= 5
// 42      own king in check
// 43      ones
// 44..47  zero (padding to a multiple of 16)
constexpr int kPlanes = 48;

/// out: [90][48], channels last, all written. Square order as the packed board.
void expand_planes(const PackedRow& row, float* out);

/// The same as bits: out[square] has bit p set where plane p is 1. (All planes are binary.)
void plane_masks(const PackedRow& row, uint64_t* out);

}  // namespace chuhe::nn
