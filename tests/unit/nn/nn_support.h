#pragma once
// What the tests of nn share: random games, random nets, boards from a FEN and moves.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "nn/api/evaluator.h"
#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"
#include "nn/model/net_file.h"
#include "xiangqi/rules/game_history.h"

namespace chuhe::nn::test {

inline const xiangqi::RuleSet& rules() {
  return xiangqi::rule_set("checks_only");
}

/// The game from a FEN over UCI moves, each of which must be legal.
inline xiangqi::GameHistory game(std::string_view fen, std::string_view moves = "") {
  xiangqi::GameHistory history(xiangqi::Position::from_fen(fen).value());
  while (!moves.empty()) {
    const size_t end = std::min(moves.find(' '), moves.size());
    const xiangqi::Move move = xiangqi::parse_uci(moves.substr(0, end));
    CHUHE_CHECK(history.current().is_legal(move), "{}", moves.substr(0, end));
    history.push(move);
    moves.remove_prefix(std::min(end + 1, moves.size()));
  }
  return history;
}

/// The same game seen by the other player: ranks in reverse, colours and mover swapped. Made from the FEN's
/// text, without the board's own functions.
inline xiangqi::Position twin_of(const xiangqi::Position& position) {
  const std::string fen = position.to_fen();
  const size_t space = fen.find(' ');
  std::string ranks, rank;
  for (char c : fen.substr(0, space) + "/") {
    if (c == '/') {
      ranks = ranks.empty() ? rank : rank + "/" + ranks;
      rank.clear();
    } else {
      rank += char(std::isupper(c) ? std::tolower(c) : std::toupper(c));
    }
  }
  const char mover = fen[space + 1] == 'w' ? 'b' : 'w';
  return xiangqi::Position::from_fen(fmt::format("{} {}{}", ranks, mover, fen.substr(space + 2))).value();
}

/// Plays random legal moves; with probability `back` the mover takes its last move back, so that positions
/// repeat. Calls visit(history) before each ply.
template <class Visit>
void random_game(Random& random, int plies, double back, Visit visit) {
  xiangqi::GameHistory history;
  for (int ply = 0; ply < plies; ++ply) {
    const xiangqi::MoveList legal = history.current().legal_moves();
    if (legal.empty()) return;
    visit(history);
    xiangqi::Move move = legal[int(random.below(uint64_t(legal.size())))];
    const auto facts = history.facts();
    if (facts.size() >= 2 && random.uniform() < back) {
      const xiangqi::Move last = facts[facts.size() - 2].move;
      const xiangqi::Move undo(last.to(), last.from());
      if (legal.contains(undo)) move = undo;
    }
    history.push(move);
  }
}

inline std::vector<uint16_t> indices_of(const xiangqi::Position& position) {
  const xiangqi::MoveList legal = position.legal_moves();
  std::vector<uint16_t> indices(size_t(legal.size()));
  policy_indices(legal, position.side_to_move(), indices.data());
  return indices;
}

struct Sample {
  PackedRow row;
  std::vector<uint16_t> indices;
};

/// Rows of random games with repetitions in them.
inline std::vector<Sample> random_samples(int count, uint64_t seed) {
  std::vector<Sample> samples;
  for (uint64_t g = 0; int(samples.size()) < count; ++g) {
    Random random(seed, "samples", g);
    random_game(random, 120, 0.5, [&](const xiangqi::GameHistory& history) {
      if (int(samples.size()) < count && random.below(3) == 0)
        samples.push_back({pack(history, rules()), indices_of(history.current())});
    });
  }
  return samples;
}

/// Weights that keep activations near 1 and outputs far from constant.
inline NetFile random_net(const NetConfig& config, uint64_t seed) {
  NetFile net;
  net.id = "random-" + std::to_string(seed);
  net.rule_set = "checks_only";
  net.revision = "test";
  net.config = config;
  for (const auto& [name, shape] : tensor_shapes(config)) {
    Random random(seed, name, 0);
    int64_t size = 1;
    for (int64_t n : shape) size *= n;
    Tensor tensor{shape, std::vector<float>(size_t(size))};
    const bool bias = shape.size() == 1;
    const double deviation = bias ? 0.1 : std::sqrt(2.0 / double(size / shape[0]));
    for (float& v : tensor.values) v = float(deviation * random.normal());
    net.tensors[name] = std::move(tensor);
  }
  return net;
}

inline std::shared_ptr<const NetFile> shared_net(const NetConfig& config, uint64_t seed) {
  return std::make_shared<const NetFile>(random_net(config, seed));
}

inline void fill(EvalBatch& batch, const std::vector<Sample>& samples) {
  batch.clear();
  for (const Sample& s : samples) batch.add(s.row, s.indices);
}

}  // namespace chuhe::nn::test
