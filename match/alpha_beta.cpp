#include "match/alpha_beta.h"

#include <algorithm>

#include "match/material.h"
#include "match/player.h"

namespace chuhe::match {

using xiangqi::Color;
using xiangqi::Move;
using xiangqi::MoveList;
using xiangqi::Piece;
using xiangqi::Position;

namespace {

constexpr int kMoveBits = 1 << 14;
constexpr int kInfinite = 2 * AlphaBeta::kMate;

// Victim first, then the cheaper attacker. A king attacks last: its value of 0 says nothing about its worth.
int capture_order(const Position& p, Move m) {
  const Piece mover = p.piece_on(m.from());
  const int attacker =
      xiangqi::type_of(mover) == xiangqi::PieceType::King ? 20 : piece_value(mover, m.from());
  return 1'000'000 + 100 * piece_value(p.piece_on(m.to()), m.to()) - attacker;
}

}  // namespace

AlphaBeta::AlphaBeta(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules,
                     xiangqi::JudgeMemory* memory)
    : history_(history),
      rules_(rules),
      memory_(memory),
      balance_(material_balance(history.current(), history.current().side_to_move())),
      history_scores_(2 * kMoveBits) {}

void AlphaBeta::play(Move m) {
  const Position& p = history_.current();
  const Piece mover = p.piece_on(m.from());
  balance_ +=
      piece_value(p.piece_on(m.to()), m.to()) + piece_value(mover, m.to()) - piece_value(mover, m.from());
  history_.push(m);
  balance_ = -balance_;
}

void AlphaBeta::take_back(int balance) {
  history_.pop();
  balance_ = balance;
}

int AlphaBeta::after(Move move, int depth, int alpha, int beta, int ply) {
  const int balance = balance_;
  play(move);
  const int score = -search(depth - 1, -beta, -alpha, ply + 1);
  take_back(balance);
  return score;
}

void AlphaBeta::order(const MoveList& legal, int ply, std::vector<Scored>& out) const {
  const Position& p = history_.current();
  const int* quiet = history_scores_.data() + int(p.side_to_move()) * kMoveBits;
  out.clear();
  for (const Move m : legal) {
    int score = quiet[m.bits];
    if (ply == 0 && m == root_best_)
      score = 10'000'000;
    else if (!p.empty(m.to()))
      score = capture_order(p, m);
    else if (m == killers_[size_t(ply)][0])
      score = 900'001;
    else if (m == killers_[size_t(ply)][1])
      score = 900'000;
    out.push_back({m, score});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Scored& a, const Scored& b) { return a.order > b.order; });
}

void AlphaBeta::remember_cutoff(Move move, int depth, int ply) {
  if (!history_.current().empty(move.to())) return;
  auto& killers = killers_[size_t(ply)];
  if (killers[0] != move) killers = {move, killers[0]};
  int& score = history_scores_[size_t(int(history_.current().side_to_move()) * kMoveBits + move.bits)];
  score = std::min(score + depth * depth, 800'000);
}

int AlphaBeta::search(int depth, int alpha, int beta, int ply) {
  ++nodes_;
  const MoveList legal = history_.current().legal_moves();
  if (const auto end = xiangqi::game_end(history_, legal, rules_, 2, memory_)) {
    if (end->outcome == xiangqi::Outcome::Draw) return 0;
    const bool won = end->outcome == xiangqi::win_for(history_.current().side_to_move());
    return won ? kMate - ply : ply - kMate;
  }
  if (depth == 0) return quiesce(legal, alpha, beta, ply);
  auto& moves = buffers_[size_t(ply)];
  order(legal, ply, moves);
  int best = -kInfinite;
  for (size_t i = 0; i < moves.size(); ++i) {
    const Move move = moves[i].move;
    best = std::max(best, after(move, depth, std::max(alpha, best), beta, ply));
    if (best >= beta) {
      remember_cutoff(move, depth, ply);
      break;
    }
  }
  return best;
}

int AlphaBeta::quiesce(const MoveList& legal, int alpha, int beta, int ply) {
  if (legal.empty()) return ply - kMate;
  int best = balance_;
  if (best >= beta || ply + 1 >= kMaxPly) return best;
  const Position& p = history_.current();
  auto& moves = buffers_[size_t(ply)];
  moves.clear();
  for (const Move m : legal)
    if (!p.empty(m.to())) moves.push_back({m, capture_order(p, m)});
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Scored& a, const Scored& b) { return a.order > b.order; });
  for (size_t i = 0; i < moves.size() && best < beta; ++i) {
    const int balance = balance_;
    play(moves[i].move);
    ++nodes_;
    best = std::max(best, -quiesce(history_.current().legal_moves(), -beta, -std::max(alpha, best), ply + 1));
    take_back(balance);
  }
  return best;
}

int AlphaBeta::search_root(int depth) {
  auto& moves = buffers_[0];
  order(history_.current().legal_moves(), 0, moves);
  int best = -kInfinite;
  Move best_move;
  for (size_t i = 0; i < moves.size(); ++i) {
    const Move move = moves[i].move;
    const int score = after(move, depth, best, kInfinite, 0);
    if (score > best) {
      best = score;
      best_move = move;
    }
  }
  root_best_ = best_move;
  return best;
}

int AlphaBeta::value(int depth) {
  CHUHE_CHECK(depth >= 1 && depth <= kMaxDepth, "depth {}", depth);
  int score = 0;
  // The shallow searches only serve the order of the moves.
  for (int d = 1; d <= depth; ++d) score = search_root(d);
  return score;
}

Move AlphaBeta::choose(int depth, Random& random) {
  const int best = value(depth);
  MoveList moves = history_.current().legal_moves();
  random.shuffle(std::span<Move>(moves.begin(), moves.end()));
  for (const Move m : moves)
    if (m == root_best_ || after(m, depth, best - 1, best, 0) >= best) return m;
  CHUHE_CHECK(false, "no move reaches the value {}", best);
}

double alpha_beta_value(const xiangqi::GameHistory& history, const xiangqi::RuleSet& rules, int depth) {
  xiangqi::JudgeMemory memory;
  return AlphaBeta(history, rules, &memory).value(depth) / kPawn;
}

}  // namespace chuhe::match
