#pragma once
// One game between two players as a resumable state machine: the only game loop of the project. Self-play,
// gauntlets and tests differ in the specs that they pass in. No thread, file or clock inside.

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "match/player.h"
#include "nn/api/evaluator.h"
#include "shards/game_record.h"
#include "xiangqi/endgame/endgame_table.h"

namespace chuhe::match {

struct Adjudication {
  int ply_cap = 0;                  // the game is cut after so many plies; 0 = never
  std::string cap_result = "draw";  // draw; material: more than cap_margin pawns ahead wins
  double cap_margin = 1.0;
  double resign_threshold =
      0;  // root value below -threshold for resign_plies own moves in a row: resigns; 0 = never
  int resign_plies = 3;
  double played_out_share = 0.1;  // share of games in which nobody resigns, to measure false resignations
  int endgame_mib = 0;            // wins that endgame tables of so much memory know end the game; 0 = never
  void describe(Fields& f);
  /// The tables for GameSpec::endgames; null if endgame_mib is 0.
  std::shared_ptr<xiangqi::EndgameTables> endgame_tables() const;
};

struct GameSpec {
  uint64_t id = 0;
  uint64_t seed = 0;  // run seed: all of the game's streams derive from (seed, name, id)
  std::string writer = "main";
  std::string start_fen;               // empty: the start position
  std::vector<xiangqi::Move> opening;  // played before the players are asked
  int random_opening_plies =
      0;  // then so many uniformly random plies at most (the number itself is drawn per game)
  std::string rule_set{xiangqi::kDefaultRuleSet};
  uint64_t params_hash = 0;
  Adjudication adjudication;
  std::shared_ptr<xiangqi::EndgameTables> endgames;  // shared by games; null: no game ends by them
  PlayerSpec players[2];  // Red, Black; equal evaluators may share a tree in self-play
};

class GameRunner {
 public:
  /// `memory` (of the game's rule set, must outlive the game) lets games share what the judge found out;
  /// without it the game keeps its own. The record does not depend on it.
  explicit GameRunner(GameSpec spec, xiangqi::JudgeMemory* memory = nullptr);
  ~GameRunner();
  GameRunner(GameRunner&&) noexcept;
  GameRunner& operator=(GameRunner&&) noexcept;

  /// Plays as far as possible without an evaluation; then appends rows (at most `max`) for the player to move
  /// to the batch of the evaluator wanted(). Returns the number of rows appended; 0 = the game is finished or
  /// waits for an outside player.
  int gather(nn::EvalBatch& batch, int max);
  /// Results for the rows gathered.
  void absorb(const nn::EvalBatch& batch);
  /// Which evaluator the player to move needs (PlayerSpec::evaluator). Call advance() first: built-in
  /// players' moves are made there.
  int wanted() const;
  /// Lets built-in players and finished searches move until an evaluation, an outside player or the end is
  /// reached, or max_moves are made.
  void advance(int max_moves = std::numeric_limits<int>::max());
  /// After advance(): whether the player to move needs rows evaluated.
  bool wants_evaluation() const;

  bool finished() const;
  /// True if the side to move is PlayerKind::External: give its move (or its failure).
  bool waits_for_outside() const;
  void play_outside(xiangqi::Move move);
  void forfeit(xiangqi::EndReason reason);

  const xiangqi::GameHistory& history() const;
  /// The evaluator's net has changed (self-play, at a move boundary): recorded as a run of (ply, net).
  void set_net(int evaluator, const std::string& net_id);
  /// Simulations of all finished searches, for progress reports.
  uint64_t simulations() const;
  shards::GameRecord take_record();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chuhe::match
