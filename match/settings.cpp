#include "match/game_runner.h"
#include "match/player.h"

namespace chuhe::match {

void MoveChoice::describe(Fields& f) {
  f("temperature", temperature,
    "a move's chance is visits^(1/T) (Gumbel: target^(1/T) over the visited moves); 0 = the search's own "
    "choice",
    {0, 10});
  f("temperature_plies", temperature_plies, "plies from the game's start with that temperature", {0, 10000});
  f("end_temperature", end_temperature, "temperature of the later plies", {0, 10});
  f("max_value_loss", max_value_loss,
    "a sampled move's value (win - loss) may be this much below the best move's; 2 = no bound", {0, 2});
}

void Adjudication::describe(Fields& f) {
  f("ply_cap", ply_cap, "the game is cut after so many plies; 0 = never", {0, 100000});
  f("cap_result", cap_result, "how a cut game is decided", Fields::Choices{"draw", "material"});
  f("cap_margin", cap_margin, "material: more than so many pawns ahead wins, else a draw", {0, 100});
  f("resign_threshold", resign_threshold,
    "a side whose root value stays below minus this resigns; 0 = nobody does", {0, 1});
  f("resign_plies", resign_plies, "own moves in a row below the threshold before resigning", {1, 1000});
  f("played_out_share", played_out_share,
    "share of games in which nobody resigns, to measure false resignations", {0, 1});
  f("endgame_mib", endgame_mib,
    "a win that an exact endgame table knows ends the game; MiB for such tables, 0 = none", {0, 65536});
}

std::shared_ptr<xiangqi::EndgameTables> Adjudication::endgame_tables() const {
  if (endgame_mib == 0) return nullptr;
  return std::make_shared<xiangqi::EndgameTables>(uint64_t(endgame_mib) << 20);
}

}  // namespace chuhe::match
