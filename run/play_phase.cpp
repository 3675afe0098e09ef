#include "run/play_phase.h"

#include <iterator>
#include <set>

#include "base/build_info.h"
#include "base/error.h"
#include "base/files.h"
#include "base/long_step.h"
#include "run/lease.h"
#include "selfplay/farm.h"
#include "selfplay/game_summary.h"
#include "shards/shard_folder.h"
#include "shards/shard_writer.h"

namespace chuhe::run {
namespace {

/// After a fault: what had finished is written, if that goes; the fault itself is not hidden by another.
void keep_finished(shards::ShardWriter& writer, Log& log) {
  try {
    writer.flush();
  } catch (const Error& e) {
    log.warn(e.what());
  }
}

}  // namespace

void play_phase(const PlayPhase& phase, Log& log, std::stop_token stop,
                const std::function<double()>& clock) {
  if (!shards::is_writer_name(phase.writer))
    throw Error(
        "writer name '{}': expected at most 64 letters, digits, '.', '_', '-', the first a letter or digit",
        phase.writer);
  const std::filesystem::path folder = phase.shards / phase.writer;
  CHUHE_CHECK(phase.first <= phase.end);
  const auto missing_of = [&](const std::set<uint64_t>& ids) {
    const auto there = std::distance(ids.lower_bound(phase.first), ids.lower_bound(phase.end));
    return phase.end - phase.first - uint64_t(there);
  };
  if (std::filesystem::exists(folder) && missing_of(shards::stored_ids(folder, phase.writer)) == 0) return;

  // Before the first file: a net or opening that is refused leaves nothing behind.
  const nn::NetHandle net = [&] {
    const LongStep step(log, phase.title + ": opening " + phase.net.string());
    return nn::open_net(phase.net.string(), selfplay::fitted(phase.evaluator, phase.settings.farm));
  }();
  const selfplay::GameMaker maker(phase.settings, phase.seed, phase.writer);
  make_folder(folder);
  const Lease lease(folder);  // one process a writer: two would use the same ids
  selfplay::StoredConfig stored_config{phase.settings, phase.evaluator};
  shards::ShardWriter writer(
      folder, phase.writer,
      {to_toml(fields_of(stored_config), false), build_info().revision, maker.openings_digest()},
      {.games = size_t(phase.shard_games)});
  const std::set<uint64_t> stored = writer.stored();
  const uint64_t missing = missing_of(stored);
  uint64_t id = phase.first;
  log.info(fmt::format("{}: {} games to play with {} on {}", phase.title, missing, net.net_id, net.device));
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
  const std::stop_callback tell(stop, [&] {
    log.info(phase.title +
             ": stopping; finished games are kept, those in flight are played anew at the next start");
  });
  selfplay::FarmProgress played;
  try {
    played = selfplay::play_games(phase.settings.farm, {net.make}, next, sink, stop, progress,
                                  [&] { writer.poll(clock()); });
    progress(played);
  } catch (const std::exception&) {
    keep_finished(writer, log);
    throw;
  }
  {
    const LongStep step(log, fmt::format("{}: writing the last {} games", phase.title, writer.waiting()));
    writer.flush();
  }
  for (const std::string& line : summary.lines()) log.info(line);
  if (played.judge.verdicts > 0) log.info(selfplay::judge_line(played.judge));
}

}  // namespace chuhe::run
