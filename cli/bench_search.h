#pragma once
// `chuhe bench search`: fixed positions searched with the Hash evaluator. Its last figure, the signature,
// digests every visit count, so it tells whether a change altered what the search does, and whether two
// builds search alike.

#include <cstdint>
#include <cstdio>

namespace chuhe::cli {

/// Searches the positions with PUCT (one leaf and eight at a time) and Gumbel; a line for each kind goes to
/// `out`.
uint64_t search_signature(std::FILE* out);
/// One tree of `visits` visits per algorithm, on one thread: simulations per second, bytes per node.
void search_speed(std::FILE* out, int visits);

}  // namespace chuhe::cli
