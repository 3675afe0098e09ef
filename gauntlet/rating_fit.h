#pragma once
// One joint Elo scale for many players from all their results.

#include <span>
#include <string>
#include <vector>

namespace chuhe::gauntlet {

struct PairResult {
  std::string a, b;
  double score_a;  // points of a: a win 1, a draw 1/2
  int games;
};

struct Rating {
  std::string player;
  double elo;    // the anchor's is 0
  double error;  // half width of the 95 % interval of the distance to the anchor; the anchor's is 0
  int games;
};

/// Maximum-likelihood Bradley-Terry strengths (expected scores only, a draw as half a win; Hunter 2004,
/// minorisation-maximisation), with two virtual draws of each player against a player of average strength, so
/// that all-win records stay finite. Errors come from the inverse of the information matrix at the fit: what
/// stands between a player and the anchor adds up. Sorted by falling Elo. Throws Error if the anchor has no
/// games.
std::vector<Rating> fit_ratings(std::span<const PairResult> results, const std::string& anchor);

}  // namespace chuhe::gauntlet
