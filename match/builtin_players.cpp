#include <algorithm>

#include "base/error.h"
#include "match/alpha_beta.h"
#include "match/material.h"
#include "match/player.h"

namespace chuhe::match {

using xiangqi::Move;
using xiangqi::MoveList;

namespace {

Move any_of(const MoveList& moves, Random& random) {
  return moves[int(random.below(uint64_t(moves.size())))];
}

class RandomPlayer final : public BuiltinPlayer {
 public:
  Move choose(const xiangqi::GameHistory& history, const xiangqi::RuleSet&, xiangqi::JudgeMemory&,
              Random& random) override {
    return any_of(history.current().legal_moves(), random);
  }
};

class GreedyPlayer final : public BuiltinPlayer {
 public:
  Move choose(const xiangqi::GameHistory& history, const xiangqi::RuleSet&, xiangqi::JudgeMemory&,
              Random& random) override {
    const xiangqi::Position& p = history.current();
    MoveList best;
    int best_value = -1;  // an empty square is worth 0
    for (const Move m : p.legal_moves()) {
      const int value = piece_value(p.piece_on(m.to()), m.to());
      if (value > best_value) {
        best_value = value;
        best.clear();
      }
      if (value == best_value) best.push(m);
    }
    return any_of(best, random);
  }
};

class AlphaBetaPlayer final : public BuiltinPlayer {
 public:
  explicit AlphaBetaPlayer(int depth) : depth_(depth) {}
  Move choose(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules,
              xiangqi::JudgeMemory& memory, Random& random) override {
    return AlphaBeta(history, rules, &memory).choose(depth_, random);
  }

 private:
  const int depth_;
};

// The depth of "ab:N", or 0.
int alpha_beta_depth(std::string_view name) {
  if (name.size() != 4 || name.substr(0, 3) != "ab:") return 0;
  const int depth = name[3] - '0';
  return depth >= 1 && depth <= AlphaBeta::kMaxDepth ? depth : 0;
}

}  // namespace

bool is_builtin(std::string_view name) {
  return name == "random" || name == "greedy" || alpha_beta_depth(name) > 0;
}

std::unique_ptr<BuiltinPlayer> make_builtin(std::string_view name) {
  if (name == "random") return std::make_unique<RandomPlayer>();
  if (name == "greedy") return std::make_unique<GreedyPlayer>();
  if (const int depth = alpha_beta_depth(name)) return std::make_unique<AlphaBetaPlayer>(depth);
  throw Error("unknown player '{}', expected random, greedy or ab:N with N from 1 to {}", name,
              AlphaBeta::kMaxDepth);
}

}  // namespace chuhe::match
