// Plays won positions out against itself: the winning side must not end the game by a repetition.
// usage: won_positions_program FILE.tsv [SEEDS]

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "match/game_runner.h"
#include "match/material.h"
#include "nn/api/doubles.h"

namespace chuhe {
namespace {

constexpr std::string_view kRules = "cxa2007";
constexpr int kVisits = 200, kPlies = 60;
constexpr double kLead = 8.5;  // pawns: about a rook

struct WonPosition {
  std::string id, fen;
  std::vector<xiangqi::Move> moves;
  xiangqi::Color winner;
};

WonPosition read_line(const std::string& line) {
  WonPosition won;
  std::istringstream fields(line);
  std::string moves;
  std::getline(fields, won.id, '\t');
  std::getline(fields, won.fen, '\t');
  std::getline(fields, moves);
  const auto start = xiangqi::Position::from_fen(won.fen);
  if (!start) throw Error("{}: {}", won.id, start.error());
  xiangqi::Position position = *start;
  std::istringstream words(moves == "-" ? "" : moves);
  for (std::string word; words >> word;) {
    const xiangqi::Move move = xiangqi::parse_uci(word);
    if (!move || !position.is_legal(move)) throw Error("{}: move '{}' is not legal there", won.id, word);
    position.play(move);
    won.moves.push_back(move);
  }
  won.winner = start->side_to_move();
  const double lead = match::material_balance(*start, won.winner) / match::kPawn;
  if (lead < kLead) throw Error("{}: the side to move is {} pawns ahead, expected {}", won.id, lead, kLead);
  return won;
}

std::vector<WonPosition> read_positions(const char* path) {
  std::ifstream file(path);
  if (!file) throw Error("{}: cannot be read", path);
  std::vector<WonPosition> positions;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && !line.starts_with("#") && !line.starts_with("id\t"))
      positions.push_back(read_line(line));
  return positions;
}

match::GameSpec spec_of(const WonPosition& won, uint64_t id, uint64_t seed) {
  match::GameSpec spec;
  spec.id = id;
  spec.seed = seed;
  spec.start_fen = won.fen;
  spec.opening = won.moves;
  spec.rule_set = kRules;
  spec.adjudication.ply_cap = int(won.moves.size()) + kPlies;
  for (match::PlayerSpec& player : spec.players) {
    player.search.visits = kVisits;
    player.search.noise_share = 0.25;  // so that seeds differ
    player.choice.temperature = 0;
  }
  return spec;
}

shards::GameRecord play(match::GameSpec spec, nn::Evaluator& evaluator, xiangqi::JudgeMemory& memory) {
  const auto batch = evaluator.make_batch(1);
  match::GameRunner game(std::move(spec), &memory);
  while (game.advance(), !game.finished()) {
    batch->clear();
    if (game.gather(*batch, 1) == 0) continue;
    evaluator.evaluate(*batch);
    game.absorb(*batch);
  }
  return game.take_record();
}

bool ended_by_repetition(const shards::GameRecord& game) {
  return game.reason == xiangqi::EndReason::Repetition || game.reason == xiangqi::EndReason::PerpetualCheck ||
         game.reason == xiangqi::EndReason::PerpetualChase;
}

int run(const char* path, uint64_t seeds) {
  const auto evaluator = nn::make_material_evaluator();
  xiangqi::JudgeMemory memory;
  int games = 0, repetition_ends = 0, wins = 0;
  const std::vector<WonPosition> positions = read_positions(path);
  for (const WonPosition& won : positions) {
    int won_games = 0, lost_games = 0;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const shards::GameRecord game = play(spec_of(won, uint64_t(games), seed), *evaluator, memory);
      ++games;
      const bool wins_it = game.outcome == win_for(won.winner);
      won_games += wins_it;
      lost_games += !wins_it && game.outcome != xiangqi::Outcome::Draw;
      if (!ended_by_repetition(game)) continue;
      ++repetition_ends;
      std::string moves;
      for (const auto& ply : game.plies) moves += fmt::format(" {}", xiangqi::to_uci(ply.move));
      fmt::print("{} seed {}: {} by {} ({}):{}\n", won.id, seed, name_of(game.outcome), name_of(game.reason),
                 game.article, moves);
    }
    fmt::print("{}: of {} games {} won, {} lost within {} plies\n", won.id, seeds, won_games, lost_games,
               kPlies);
    wins += won_games;
  }
  const auto& judge = memory.counts();
  fmt::print("won {} of {}; {} repetitions judged, {} plies classified, {} beyond the node budget\n", wins,
             games, judge.verdicts, judge.plies, judge.budget_exceeded);
  fmt::print("WON repetition_ends={} games={}\n", repetition_ends, games);
  return repetition_ends == 0 && games > 0 ? 0 : 1;
}

}  // namespace
}  // namespace chuhe

int main(int argc, char** argv) {
  uint64_t seeds = 5;
  const bool counted =
      argc == 3 &&
      std::from_chars(argv[2], argv[2] + std::string_view(argv[2]).size(), seeds).ec == std::errc();
  if (argc < 2 || (argc == 3 && !counted) || argc > 3) {
    fmt::print(stderr, "usage: won_positions_program FILE.tsv [SEEDS]\n");
    return 2;
  }
  try {
    return chuhe::run(argv[1], seeds);
  } catch (const chuhe::Error& e) {
    fmt::print(stderr, "won_positions: {}\n", e.what());
    return 2;
  }
}
