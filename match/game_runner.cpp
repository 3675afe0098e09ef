#include "match/game_runner.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "match/material.h"
#include "match/move_choice.h"
#include "mcts/search/search.h"
#include "nn/encoding/packed_row.h"
#include "nn/encoding/policy_index.h"
#include "xiangqi/endgame/adjudicate.h"

namespace chuhe::match {

using shards::GameRecord;
using shards::PlyRecord;
using shards::SearchKind;
using xiangqi::Color;
using xiangqi::EndReason;
using xiangqi::Move;
using xiangqi::MoveList;
using xiangqi::Outcome;

namespace {

// A cheap search plays the game on and is no target, so nothing in it is left to chance: no root noise, no
// Gumbel noise.
mcts::SearchParams cheap_params(const PlayerSpec& player) {
  mcts::SearchParams params = player.search;
  params.visits = player.cheap_visits;
  params.noise_share = 0;
  params.gumbel_scale = 0;
  return params;
}

bool same_search(const PlayerSpec& a, const PlayerSpec& b) {
  mcts::SearchParams x = a.search, y = b.search;
  return a.cheap_visits == b.cheap_visits && to_toml(fields_of(x), false) == to_toml(fields_of(y), false);
}

xiangqi::Position start_of(const GameSpec& spec) {
  if (spec.start_fen.empty()) return {};
  auto position = xiangqi::Position::from_fen(spec.start_fen);
  if (!position) throw Error("game {}: {}", spec.id, position.error());
  return *position;
}

}  // namespace

struct GameRunner::Impl {
  enum class State { Fresh, Thinking, Finished };  // Fresh: nobody has looked at the current position yet

  explicit Impl(GameSpec s, xiangqi::JudgeMemory* m)
      : spec(std::move(s)),
        rules(xiangqi::rule_set(spec.rule_set)),
        own_memory(m ? nullptr : std::make_unique<xiangqi::JudgeMemory>()),
        memory(m ? m : own_memory.get()),
        history(start_of(spec), rules.natural_limit_checks),
        choice_random(stream("choice")),
        search_random(stream("search")),
        builtin_random(stream("builtin")),
        cap_random(stream("playout_cap")) {
    record.writer = spec.writer;
    record.id = spec.id;
    record.seed = spec.seed;
    record.rule_set = spec.rule_set;
    record.params_hash = spec.params_hash;
    record.start_fen = history.start().to_fen();
    for (int side = 0; side < 2; ++side) {
      record.players[side] = spec.players[side].name;
      if (spec.players[side].kind == PlayerKind::Builtin)
        builtin[side] = make_builtin(spec.players[side].name);
    }
    if (spec.adjudication.resign_threshold > 0)
      record.resign_disabled = stream("resign").uniform() < spec.adjudication.played_out_share;
    shared_search = same_search(spec.players[0], spec.players[1]);
    play_opening();
  }

  Random stream(std::string_view name) const {
    return Random(spec.seed, fmt::format("{}/{}", spec.writer, name), spec.id);
  }

  int side() const { return int(history.current().side_to_move()); }
  const PlayerSpec& mover() const { return spec.players[side()]; }
  int ply() const { return history.plies(); }

  void play_opening() {
    for (const Move m : spec.opening) {
      if (!history.current().is_legal(m))
        throw Error("game {}: opening move {} ({}) is not legal", spec.id, ply() + 1, xiangqi::to_uci(m));
      play_unsearched(m);
    }
    if (spec.random_opening_plies <= 0) return;
    Random random = stream("opening");
    for (auto n = random.below(uint64_t(spec.random_opening_plies) + 1); n > 0; --n) {
      const MoveList moves = history.current().legal_moves();
      if (xiangqi::game_end(history, moves, rules, 0, memory)) return;
      play_unsearched(moves[int(random.below(uint64_t(moves.size())))]);
    }
  }

  void play(PlyRecord played) {
    history.push(played.move);
    record.plies.push_back(std::move(played));
    state = State::Fresh;
  }

  void play_unsearched(Move move) {
    PlyRecord played;
    played.move = move;
    play(std::move(played));
  }

  void finish(Outcome outcome, EndReason reason) {
    record.outcome = outcome;
    record.reason = reason;
    if (reason == EndReason::Repetition || reason == EndReason::PerpetualCheck ||
        reason == EndReason::PerpetualChase)
      record.article = xiangqi::judge(history, rules)->article;
    state = State::Finished;
  }

  // Looks at a new position: over, cut, or somebody's turn.
  void look() {
    legal = history.current().legal_moves();
    if (const auto end = xiangqi::game_end(history, legal, rules, 0, memory))
      return finish(end->outcome, end->reason);
    if (spec.endgames)
      if (const auto winner = xiangqi::certain_winner(history, rules, *spec.endgames))
        return finish(xiangqi::win_for(*winner), EndReason::Tablebase);
    const Adjudication& a = spec.adjudication;
    if (a.ply_cap > 0 && ply() >= a.ply_cap) {
      const double ahead =
          a.cap_result == "material" ? material_balance(history.current(), Color::Red) / kPawn : 0;
      if (ahead > a.cap_margin) return finish(Outcome::RedWins, EndReason::PlyCapMaterial);
      if (ahead < -a.cap_margin) return finish(Outcome::BlackWins, EndReason::PlyCapMaterial);
      return finish(Outcome::Draw, EndReason::PlyCapDraw);
    }
    state = State::Thinking;
    prior_choice = -1;
    search = nullptr;
    if (mover().kind == PlayerKind::Search) start_search();
  }

  void start_search() {
    full = mover().cheap_visits == 0 || cap_random.uniform() < mover().full_share;
    auto& slot = searches[shared_search ? 0 : side()][full ? 0 : 1];
    if (!slot) slot.emplace(full ? mover().search : cheap_params(mover()), rules, memory);
    search = &*slot;
    search->start(history, Random(search_random.next()));
  }

  // The move is known: a built-in player's, or that of a finished search. Returns whether one was made.
  bool move_on() {
    switch (mover().kind) {
      case PlayerKind::Builtin:
        play_unsearched(builtin[side()]->choose(history, rules, *memory, builtin_random));
        return true;
      case PlayerKind::External:
        return false;
      case PlayerKind::PolicyOnly:
        if (prior_choice < 0) return false;
        note_net();
        play_unsearched(legal[prior_choice]);
        return true;
      case PlayerKind::Search:
        if (!search->done()) return false;
        simulations += search->counters().simulations;
        play_searched(search->result());
        return true;
    }
    return false;
  }

  void play_searched(const mcts::SearchResult& result) {
    note_net();
    if (resigns(result.value)) return;
    PlyRecord played;
    played.move =
        choose_move(mover().choice, mover().search.algorithm == "gumbel", result, ply(), choice_random);
    played.search = full ? SearchKind::Full : SearchKind::Cheap;
    played.visits = result.visits;
    played.root_value = result.value;
    played.net_value = result.net_value;
    if (full) played.policy = stored_policy(result);
    play(std::move(played));
  }

  bool resigns(float value) {
    const Adjudication& a = spec.adjudication;
    if (a.resign_threshold <= 0) return false;
    int& low = low_values[side()];
    low = value < -a.resign_threshold ? low + 1 : 0;
    if (low < a.resign_plies) return false;
    if (record.resign_ply < 0) record.resign_ply = ply();
    if (record.resign_disabled) return false;
    finish(xiangqi::win_for(~history.current().side_to_move()), EndReason::Resignation);
    return true;
  }

  void note_net() {
    const auto e = size_t(mover().evaluator);
    const std::string net = e < nets.size() ? nets[e] : "";
    if (record.nets.empty() || record.nets.back().net_id != net)
      record.nets.push_back({uint32_t(ply()), net});
  }

  // The player to move has rows to evaluate (or waits for them).
  bool wants_evaluation() const {
    return state == State::Thinking &&
           (mover().kind == PlayerKind::Search || mover().kind == PlayerKind::PolicyOnly);
  }

  int gather_prior(nn::EvalBatch& batch) {
    if (prior_row >= 0 || batch.full()) return 0;
    uint16_t indices[xiangqi::kMaxMoves];
    nn::policy_indices(legal, history.current().side_to_move(), indices);
    prior_row = batch.add(nn::pack(history, rules, true, memory), {indices, size_t(legal.size())});
    return 1;
  }

  const GameSpec spec;
  const xiangqi::RuleSet& rules;
  std::unique_ptr<xiangqi::JudgeMemory> own_memory;
  xiangqi::JudgeMemory* memory;
  xiangqi::GameHistory history;
  GameRecord record;
  State state = State::Fresh;
  MoveList legal;  // of the current position, once it has been looked at
  std::unique_ptr<BuiltinPlayer> builtin[2];
  std::optional<mcts::Search> searches[2][2];  // [side][full, cheap]
  bool shared_search = false;                  // both sides search alike and use side 0's
  mcts::Search* search = nullptr;              // of this ply
  bool full = true;
  int prior_row = -1, prior_choice = -1;  // PolicyOnly: its row in the batch, its move
  uint64_t simulations = 0;               // of finished searches
  int low_values[2] = {0, 0};             // own moves in a row below the resign threshold
  std::vector<std::string> nets;          // ids by evaluator
  Random choice_random, search_random, builtin_random, cap_random;
};

GameRunner::GameRunner(GameSpec spec, xiangqi::JudgeMemory* memory)
    : impl_(std::make_unique<Impl>(std::move(spec), memory)) {}
GameRunner::~GameRunner() = default;
GameRunner::GameRunner(GameRunner&&) noexcept = default;
GameRunner& GameRunner::operator=(GameRunner&&) noexcept = default;

void GameRunner::advance(int max_moves) {
  for (int moves = 0; !finished();) {
    if (impl_->state == Impl::State::Fresh) {
      impl_->look();
    } else if (moves == max_moves || !impl_->move_on()) {
      return;
    } else {
      ++moves;
    }
  }
}

int GameRunner::gather(nn::EvalBatch& batch, int max) {
  advance();
  if (!impl_->wants_evaluation()) return 0;
  const int evaluator = wanted();
  while (impl_->wants_evaluation() && wanted() == evaluator) {
    const int rows = impl_->mover().kind == PlayerKind::PolicyOnly ? impl_->gather_prior(batch)
                                                                   : impl_->search->gather(batch, max);
    // Without rows the search has ended on results of the rules alone, or its rows are still out.
    if (rows > 0 || !impl_->search || !impl_->search->done()) return rows;
    advance();
  }
  return 0;
}

void GameRunner::absorb(const nn::EvalBatch& batch) {
  CHUHE_CHECK(impl_->wants_evaluation(), "no rows are out");
  if (impl_->mover().kind == PlayerKind::Search) return impl_->search->absorb(batch);
  CHUHE_CHECK(impl_->prior_row >= 0, "no row is out");
  impl_->prior_choice =
      choose_prior(impl_->mover().choice, batch.priors(impl_->prior_row), impl_->ply(), impl_->choice_random);
  impl_->prior_row = -1;
}

int GameRunner::wanted() const {
  return impl_->mover().evaluator;
}
bool GameRunner::wants_evaluation() const {
  return impl_->wants_evaluation();
}
bool GameRunner::finished() const {
  return impl_->state == Impl::State::Finished;
}

bool GameRunner::waits_for_outside() const {
  return impl_->state == Impl::State::Thinking && impl_->mover().kind == PlayerKind::External;
}

void GameRunner::play_outside(Move move) {
  CHUHE_CHECK(waits_for_outside(), "not an outside player's turn");
  CHUHE_CHECK(impl_->legal.contains(move), "{} is not legal; an outside player's illegal move is a forfeit",
              xiangqi::to_uci(move));
  impl_->play_unsearched(move);
}

void GameRunner::forfeit(EndReason reason) {
  CHUHE_CHECK(!finished(), "the game is over");
  impl_->finish(xiangqi::win_for(~history().current().side_to_move()), reason);
}

const xiangqi::GameHistory& GameRunner::history() const {
  return impl_->history;
}

void GameRunner::set_net(int evaluator, const std::string& net_id) {
  auto& nets = impl_->nets;
  if (nets.size() <= size_t(evaluator)) nets.resize(size_t(evaluator) + 1);
  nets[size_t(evaluator)] = net_id;
}

uint64_t GameRunner::simulations() const {
  return impl_->simulations;
}

GameRecord GameRunner::take_record() {
  CHUHE_CHECK(finished(), "the game is not over");
  return std::move(impl_->record);
}

}  // namespace chuhe::match
