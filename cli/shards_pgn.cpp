#include "cli/shards_pgn.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "shards/shard_file.h"
#include "shards/shard_folder.h"
#include "xiangqi/notation/pgn.h"

namespace chuhe::cli {
namespace {

using shards::GameRecord;
using xiangqi::Color;
using xiangqi::EndReason;
using xiangqi::PgnGame;

std::string_view result_of(xiangqi::Outcome outcome) {
  switch (outcome) {
    case xiangqi::Outcome::RedWins:
      return "1-0";
    case xiangqi::Outcome::BlackWins:
      return "0-1";
    case xiangqi::Outcome::Draw:
      return "1/2-1/2";
  }
  CHUHE_CHECK(false, "outcome {}", int(outcome));
}

std::string_view termination_of(EndReason reason) {
  switch (reason) {
    case EndReason::PerpetualCheck:
    case EndReason::PerpetualChase:
    case EndReason::Forfeit:
      return "rules infraction";
    case EndReason::TimeForfeit:
      return "time forfeit";
    case EndReason::PlyCapMaterial:
    case EndReason::PlyCapDraw:
    case EndReason::Tablebase:
      return "adjudication";
    default:
      return "normal";
  }
}

/// The players of a gauntlet game, else the nets that played from its first ply on.
std::string player_of(const GameRecord& record, Color side) {
  if (const std::string& name = record.players[int(side)]; !name.empty()) return name;
  return record.nets.empty() ? "?" : record.nets.front().net_id;
}

PgnGame pgn_of(const GameRecord& record, xiangqi::Notation notation) {
  PgnGame game;
  game.start = xiangqi::Position::from_fen(record.start_fen).value();
  for (const shards::PlyRecord& ply : record.plies) game.add_move(ply.move);
  game.result = result_of(record.outcome);
  game.notation = notation;
  game.set_tag("Event", "Chuhe");
  game.set_tag("Round", fmt::format("{}/{}", record.writer, record.id));
  game.set_tag("Red", player_of(record, Color::Red));
  game.set_tag("Black", player_of(record, Color::Black));
  game.set_tag(xiangqi::kRuleSetTag, record.rule_set);
  game.set_tag(xiangqi::kEndReasonTag, name_of(record.reason));
  if (!record.article.empty()) game.set_tag(xiangqi::kEndArticleTag, record.article);
  game.set_tag(xiangqi::kTerminationTag, termination_of(record.reason));
  return game;
}

}  // namespace

void write_shards_as_pgn(const std::filesystem::path& path, const ShardsPgnOptions& options) {
  const auto notation = xiangqi::notation_named(options.notation);
  const auto encoding = xiangqi::encoding_named(options.encoding);
  uint64_t games = 0, moves = 0;
  for (const shards::ShardFile& file : shards::list_shards(path))
    for (const GameRecord& record : shards::read_shard(file.path).games) {
      if (options.games > 0 && games == options.games) break;
      const std::string text = write_pgn(pgn_of(record, notation), encoding);
      std::fwrite(text.data(), 1, text.size(), stdout);
      ++games;
      moves += record.plies.size();
    }
  std::fflush(stdout);  // the summary comes last where both go to one place
  fmt::print(stderr, "PGN games={} moves={}\n", games, moves);
}

}  // namespace chuhe::cli
