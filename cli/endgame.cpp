// chuhe endgame: exact values of positions with few men.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/long_step.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "xiangqi/endgame/endgame_table.h"

namespace chuhe::cli {
namespace {

using xiangqi::EndgameMove;
using xiangqi::EndgameTable;
using xiangqi::EndgameTables;
using xiangqi::EndgameValue;
using xiangqi::Position;
using xiangqi::Wdl;

std::string text_of(const EndgameValue& value) {
  return value.wdl == Wdl::Draw ? "draw" : fmt::format("{} in {} plies", name_of(value.wdl), value.plies);
}

nlohmann::json to_json(const EndgameValue& value) {
  nlohmann::json out;
  out["wdl"] = name_of(value.wdl);
  out["plies"] = value.wdl == Wdl::Draw ? nlohmann::json(nullptr) : nlohmann::json(value.plies);
  return out;
}

std::vector<std::string> texts_of(const std::vector<xiangqi::Move>& moves) {
  std::vector<std::string> texts;
  for (const xiangqi::Move m : moves) texts.push_back(to_uci(m));
  return texts;
}

void show_position(const Position& position, EndgameTables& tables, bool json) {
  const EndgameValue value = tables.probe(position);
  const std::vector<EndgameMove> moves = tables.moves(position);
  const std::vector<std::string> line = texts_of(tables.line(position));
  const std::string material = xiangqi::Material::of(position).name();
  if (json) {
    nlohmann::json out = to_json(value);
    out["fen"] = position.to_fen();
    out["material"] = material;
    out["moves"] = nlohmann::json::array();
    for (const EndgameMove& m : moves) {
      nlohmann::json move = to_json(m.value);
      move["move"] = to_uci(m.move);
      out["moves"].push_back(move);
    }
    out["line"] = line;
    fmt::print("{}\n", out.dump());
    return;
  }
  std::vector<xiangqi::Move> best;
  for (const EndgameMove& m : moves)
    if (m.value == value) best.push_back(m.move);
  fmt::print("{}\nmaterial {}\n", position.to_fen(), material);
  if (!best.empty()) fmt::print("best     {}\n", fmt::join(texts_of(best), " "));
  if (!line.empty()) fmt::print("line     {}\n", fmt::join(line, " "));
  fmt::print("{}: {}\n", position.side_to_move() == xiangqi::Color::Red ? "red" : "black", text_of(value));
}

void show_material(const EndgameTable& table, bool json) {
  const EndgameTable::Summary summary = table.summary();
  constexpr const char* kSides[] = {"red", "black"};
  nlohmann::json out;
  out["material"] = table.material().name();
  out["bytes"] = table.bytes();
  out["longest_plies"] = summary.longest;
  out["longest_fen"] = summary.longest_fen;
  if (!json) fmt::print("{:<15}{:>12}{:>12}{:>12}\n", table.material().name(), "wins", "draws", "losses");
  for (size_t side = 0; side < 2; ++side) {
    const auto& n = summary.to_move[side];
    out["to_move"][kSides[side]] = {{"wins", n.wins}, {"draws", n.draws}, {"losses", n.losses}};
    if (!json) fmt::print("{:<5} to move  {:>12}{:>12}{:>12}\n", kSides[side], n.wins, n.draws, n.losses);
  }
  if (json) {
    fmt::print("{}\n", out.dump());
    return;
  }
  if (summary.longest > 0) fmt::print("longest win {} plies: {}\n", summary.longest, summary.longest_fen);
  fmt::print("{} bytes\n", table.bytes());
}

}  // namespace

int endgame_command(int argc, char** argv) {
  CLI::App app(
      "Solves an endgame exactly (no repetition rules: what repeats is a draw): the value of a position for "
      "its side to move, or how all positions with a material end.",
      "chuhe endgame");
  app.footer(
      "example: chuhe endgame --fen \"9/3Ra4/3ak4/9/9/9/9/9/9/3K5 w\"\n         chuhe endgame --material "
      "KRkaa");
  std::string fen, material;
  uint64_t memory_mib = 1024;
  bool json = false;
  auto* fen_option = app.add_option("--fen", fen, "position to look up");
  auto* material_option =
      app.add_option("--material", material, "both sides' men, such as KRkaa or KRKAA, to sum up");
  app.add_option("--memory-mib", memory_mib, "the most memory to solve in, MiB")
      ->check(CLI::Range(uint64_t(1), uint64_t(1) << 30))
      ->capture_default_str();
  app.add_flag("--json", json, "one JSON object instead of text");
  if (!parse_command(app, argc, argv)) return 0;
  if (fen_option->empty() == material_option->empty())
    throw Error("endgame: one of --fen and --material is needed (see chuhe endgame --help)");

  Log log;
  const LongStep step(log, "solving " + (fen.empty() ? material : fen));
  EndgameTables tables(memory_mib << 20);
  if (!fen_option->empty()) {
    show_position(Position::from_fen(fen).value(), tables, json);
  } else {
    show_material(*tables.table(xiangqi::Material::parse(material).value()), json);
  }
  return 0;
}

}  // namespace chuhe::cli
