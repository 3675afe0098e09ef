#include "tests/unit/trainer/synthetic_games.h"

#include <algorithm>

#include "base/random.h"
#include "xiangqi/rules/game_history.h"
#include "xiangqi/rules/judge.h"

namespace chuhe::trainer::testing {
namespace {

using xiangqi::Move;
using xiangqi::Position;

shards::PlyRecord searched_ply(const Position& position, const xiangqi::MoveList& legal, Random& random) {
  shards::PlyRecord ply;
  double total = 0;
  std::vector<double> weights;
  for (Move m : legal) {
    const bool capture = !position.empty(m.to());
    weights.push_back((capture ? 8.0 : 0.2) * (0.5 + random.uniform()));
    total += weights.back();
  }
  double left = random.uniform() * total;
  int choice = 0;
  while (choice + 1 < legal.size() && (left -= weights[size_t(choice)]) > 0) ++choice;
  ply.move = legal[choice];
  ply.search = random.below(4) ? shards::SearchKind::Full : shards::SearchKind::Cheap;
  ply.visits = ply.search == shards::SearchKind::Full ? 64 : 8;
  ply.root_value = float(random.uniform() - 0.5);
  if (ply.search == shards::SearchKind::Full)
    for (int i = 0; i < legal.size(); ++i)
      if (const auto weight = uint16_t(weights[size_t(i)] / total * 65535 + 0.5); weight > 0)
        ply.policy.push_back({legal[i], weight});
  std::sort(ply.policy.begin(), ply.policy.end(),
            [](const auto& a, const auto& b) { return a.move < b.move; });
  return ply;
}

template <class Change>
shards::GameRecord changed(shards::GameRecord game, Change change) {
  for (shards::PlyRecord& p : game.plies) {
    p.move = change(p.move);
    for (shards::PolicyEntry& e : p.policy) e.move = change(e.move);
    std::sort(p.policy.begin(), p.policy.end(), [](const auto& a, const auto& b) { return a.move < b.move; });
  }
  return game;
}

}  // namespace

shards::GameRecord synthetic_game(uint64_t seed, uint64_t id, int max_plies) {
  shards::GameRecord game;
  game.writer = "test";
  game.id = id;
  game.seed = seed;
  game.rule_set = "checks_only";
  game.start_fen = xiangqi::kStartFen;
  game.nets = {{0, "random"}};
  const auto& rules = xiangqi::rule_set(game.rule_set);
  Random random(seed, "synthetic", id);
  xiangqi::GameHistory history(Position(), rules.natural_limit_checks);
  for (;;) {
    const xiangqi::MoveList legal = history.current().legal_moves();
    if (const auto end = xiangqi::game_end(history, legal, rules)) {
      game.outcome = end->outcome;
      game.reason = end->reason;
      if (const auto verdict = xiangqi::judge(history, rules)) game.article = verdict->article;
      return game;
    }
    if (history.plies() == max_plies) break;
    game.plies.push_back(searched_ply(history.current(), legal, random));
    history.push(game.plies.back().move);
  }
  const auto count = [&](xiangqi::Color c) { return history.current().pieces(c).count(); };
  const int balance = count(xiangqi::Color::Red) - count(xiangqi::Color::Black);
  game.outcome = balance > 0   ? xiangqi::Outcome::RedWins
                 : balance < 0 ? xiangqi::Outcome::BlackWins
                               : xiangqi::Outcome::Draw;
  game.reason = balance ? xiangqi::EndReason::PlyCapMaterial : xiangqi::EndReason::PlyCapDraw;
  return game;
}

shards::GameRecord mirrored_game(const shards::GameRecord& game) {
  shards::GameRecord m = changed(
      game, [](Move move) { return Move(xiangqi::mirrored(move.from()), xiangqi::mirrored(move.to())); });
  m.start_fen = Position::from_fen(game.start_fen).value().mirrored().to_fen();
  return m;
}

shards::GameRecord color_swapped_game(const shards::GameRecord& game) {
  shards::GameRecord s = changed(
      game, [](Move move) { return Move(xiangqi::flipped(move.from()), xiangqi::flipped(move.to())); });
  s.start_fen = Position::from_fen(game.start_fen).value().color_swapped().to_fen();
  s.outcome = xiangqi::mirrored(game.outcome);
  return s;
}

}  // namespace chuhe::trainer::testing
