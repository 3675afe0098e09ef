#pragma once
// Makes balanced openings: short random lines that alpha-beta calls even.

#include <functional>
#include <stop_token>

#include "match/openings.h"

namespace chuhe::match {

struct OpeningMaker {
  int count = 200;
  uint64_t seed = 1;
  int min_plies = 4, max_plies = 8;
  int depth = 6;        // of the alpha-beta search that decides
  double margin = 0.5;  // pawns
};

/// Random lines from the start position in the order of their random streams, until `count` of them are even;
/// positions are distinct, mirror images included. `found` gets each with its value.
void make_openings(const OpeningMaker& maker, const std::function<void(const Opening&, double value)>& found,
                   std::stop_token stop = {});

}  // namespace chuhe::match
