#pragma once
#include "nn/api/evaluator.h"

namespace chuhe::nn {

constexpr int kCachedMoves = 80;

struct CacheCounters {
  uint64_t hits = 0, misses = 0;
};
/// Remembers results by the digest of the packed row (it covers all that the net sees) in a table of
/// `entries` slots, newest wins. Not shared between threads.
std::unique_ptr<Evaluator> make_cached(std::unique_ptr<Evaluator> inner, size_t entries,
                                       CacheCounters* counters = nullptr);

struct Difference {
  double max_value = 0, mean_value = 0;  // |win - loss| apart
  double max_policy_kl = 0, mean_policy_kl = 0;
  double top_move_agreement = 1;  // share of rows
  int64_t rows = 0;
};
/// Answers with `first`'s results and adds up how far `second`'s are apart.
std::unique_ptr<Evaluator> make_checked(std::unique_ptr<Evaluator> first, std::unique_ptr<Evaluator> second,
                                        Difference* difference);

}  // namespace chuhe::nn
