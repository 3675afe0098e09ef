#include "run/play_phase.h"

#include "base/build_info.h"
#include "base/error.h"
#include "selfplay/farm.h"
#include "selfplay/game_summary.h"
#include "shards/shard_writer.h"

namespace chuhe::run {
void play_phase(const PlayPhase& phase, Log& log, std::stop_token stop,
                const std::function<double()>& clock) {
  selfplay::StoredConfig stored_config{phase.settings, phase.evaluator};
  shards::ShardWriter writer(phase.shards / phase.writer, phase.writer,
                             {to_toml(fields_of(stored_config), false), build_info().revision},
                             {.games = size_t(phase.shard_games)});
  uint64_t id = phase.first, missing = 0;
  for (uint64_t i = phase.first; i < phase.end; ++i) missing += !writer.stored().contains(i);
  if (missing == 0) return;
  const std::set<uint64_t> stored = writer.stored();

  const nn::NetHandle net = nn::open_net(phase.net.string(), fitted(phase.evaluator, phase.settings.farm));
  log.info(fmt::format("{}: {} games to play with {} on {}", phase.title, missing, net.net_id, net.device));
  const selfplay::GameMaker maker(phase.settings, phase.seed, phase.writer);
  const selfplay::NextGame next = [&](match::GameSpec& spec) {
    while (id < phase.end && stored.contains(id)) ++id;
    if (id >= phase.end) return false;
    spec = maker.make(id++);
    return true;
  };
  selfplay::GameSummary summary;
  const selfplay::GameSink sink = [&](shards::GameRecord&& record) {
    summary.add(record);
    writer.add(std::move(record), clock());
  };
  const double begin = clock();
  const auto progress = [&](const selfplay::FarmProgress& p) {
    const double seconds = std::max(clock() - begin, 1e-3), rate = double(p.games) / seconds;
    log.progress(fmt::format(
        "{}: {}/{} games, {:.1f} games/s, {} positions/s, {} evaluations/s, fill {:.0f} %, ETA {}",
        phase.title, p.games, missing, rate, format_count(double(p.plies) / seconds),
        format_count(double(p.rows) / seconds), 100 * p.batch_fill,
        rate > 0 ? format_duration(double(missing - p.games) / rate) : "?"));
  };
  const selfplay::FarmProgress all = selfplay::play_games(phase.settings.farm, {net.make}, next, sink, stop,
                                                          progress, [&] { writer.poll(clock()); });
  writer.flush();
  progress(all);
  for (const std::string& line : summary.lines()) log.info(line);
}

}  // namespace chuhe::run
