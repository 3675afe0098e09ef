#include "selfplay/farm.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "base/error.h"
#include "nn/api/doubles.h"
#include "small_settings.h"

namespace chuhe::selfplay {
namespace {

using namespace std::chrono_literals;
using shards::GameRecord;

const std::vector<nn::EvaluatorFactory> kHash = {[] { return nn::make_hash_evaluator(); }};

struct Played {
  std::map<uint64_t, GameRecord> games;
  int records = 0;
  FarmProgress progress;
};

Played play(const NextGame& next, int workers, int slots,
            const std::vector<nn::EvaluatorFactory>& evaluators = kHash) {
  FarmSettings farm;
  farm.workers = workers;
  farm.slots = slots;
  Played played;
  played.progress = play_games(farm, evaluators, next,
                               [&](GameRecord&& record) {
                                 ++played.records;
                                 const uint64_t id = record.id;
                                 played.games.emplace(id, std::move(record));
                               },
                               {});
  return played;
}

TEST(Farm, GamesDependOnNeitherWorkersNorSlots) {
  for (const char* algorithm : {"puct", "gumbel"}) {
    SelfplaySettings settings = small_settings();
    settings.search.algorithm = algorithm;
    settings.cheap_visits = 3;
    settings.full_share = 0.5;
    settings.rule_set = "cxa2007";  // whose judge remembers, in each worker, what earlier games taught it
    const GameMaker maker(settings, 5, "main");
    const auto first = play(games_of(maker, 24), 1, 1).games;
    ASSERT_EQ(first.size(), 24u);
    for (const int workers : {1, 2, 3})
      for (const int slots : {2, 5, 16}) EXPECT_EQ(play(games_of(maker, 24), workers, slots).games, first);
  }
}

// U005: no game is handed on twice, none is lost, and the counts agree.
TEST(Farm, EveryGameOnceAndSound) {
  const GameMaker maker(small_settings(), 1, "main");
  const Played played = play(games_of(maker, 100), 2, 16);
  EXPECT_EQ(played.games.size(), 100u);
  EXPECT_EQ(played.records, 100);
  EXPECT_EQ(played.progress.games, 100u);
  uint64_t plies = 0;
  for (const auto& [id, record] : played.games) {
    plies += record.plies.size();
    EXPECT_FALSE(shards::find_fault(record).has_value());
    EXPECT_EQ(record.nets.at(0).net_id, "hash");
    EXPECT_EQ(record.params_hash, maker.params_hash());
  }
  EXPECT_EQ(played.progress.plies, plies);
  EXPECT_GT(played.progress.simulations, 0u);
  EXPECT_GT(played.progress.rows, played.progress.batches);
  EXPECT_GT(played.progress.batch_fill, 0.3);
  EXPECT_LE(played.progress.batch_fill, 1);
}

// Every repetition judged is counted, and what it found is not worked out again.
TEST(Farm, CountsTheJudgesWork) {
  SelfplaySettings settings = small_settings();
  settings.rule_set = "cxa2007";
  const GameMaker maker(settings, 1, "main");
  const NextGame next = [games = games_of(maker, 30)](match::GameSpec& spec) {
    if (!games(spec)) return false;
    spec.start_fen = "3k5/9/9/9/9/9/9/9/4A4/R3K3r w - - 0 1";  // so few pieces repeat
    return true;
  };
  const auto judge = play(next, 2, 4).progress.judge;
  EXPECT_GT(judge.verdicts, 0);
  EXPECT_GT(judge.cycles_known, 0);
  EXPECT_LT(judge.cycles_known, judge.verdicts);
  EXPECT_GT(judge.plies, 0);
  EXPECT_EQ(judge_line({120, 90, 31, 2}),
            "judge: 120 repetitions judged (90 known before), 31 plies classified, 2 of them beyond the node "
            "budget");
}

TEST(Farm, NoGamesAtAll) {
  const Played played = play([](match::GameSpec&) { return false; }, 2, 4);
  EXPECT_EQ(played.records, 0);
}

TEST(Farm, TwoEvaluatorsServeOneGame) {
  const GameMaker maker(small_settings(), 1, "main");
  const NextGame self = games_of(maker, 12);
  const NextGame both = [&](match::GameSpec& spec) {
    if (!self(spec)) return false;
    spec.players[spec.id % 2].evaluator = 1;
    return true;
  };
  const std::vector<nn::EvaluatorFactory> two = {[] { return nn::make_hash_evaluator(); },
                                                 [] { return nn::make_material_evaluator(); }};
  const Played played = play(both, 2, 4, two);
  EXPECT_EQ(played.games.size(), 12u);
  for (const auto& [id, record] : played.games) {
    std::set<std::string> nets;
    for (const auto& run : record.nets) nets.insert(run.net_id);
    EXPECT_EQ(nets, (std::set<std::string>{"hash", "material"}));
  }
}

TEST(Farm, FewGamesSpreadOverTheWorkers) {
  const GameMaker maker(small_settings(), 1, "main");
  std::atomic<int> evaluators = 0;
  const std::vector<nn::EvaluatorFactory> counted = {[&] {
    ++evaluators;
    return nn::make_hash_evaluator();
  }};
  play(games_of(maker, 3), 3, 64, counted);
  EXPECT_EQ(evaluators, 3);
  evaluators = 0;
  play(games_of(maker, 1), 3, 64, counted);
  EXPECT_EQ(evaluators, 1) << "no thread without a game";
}

TEST(Farm, TheLastGamesShareOneHalf) {
  // Short and long games in turn: when the short ones end, each half is half empty.
  const NextGame next = [id = uint64_t(0)](match::GameSpec& spec) mutable {
    if (id == 8) return false;
    spec = {};
    spec.id = id;
    spec.adjudication.ply_cap = id % 2 ? 80 : 10;
    for (match::PlayerSpec& player : spec.players) player.kind = match::PlayerKind::PolicyOnly;
    ++id;
    return true;
  };
  const Played played = play(next, 1, 8);
  uint64_t plies = 0, longest = 0;
  for (const auto& [id, record] : played.games) {
    plies += record.plies.size();
    longest = std::max<uint64_t>(longest, record.plies.size());
  }
  EXPECT_EQ(played.progress.rows, plies);
  // Two halves that stayed apart would need about 2 * longest batches.
  EXPECT_LE(played.progress.batches, longest + 12);
}

// An evaluator whose batches are seen by the test.
class Watched final : public nn::Evaluator {
 public:
  using Call = std::function<void()>;
  Watched(Call on_submit, Call on_collect)
      : on_submit_(std::move(on_submit)), on_collect_(std::move(on_collect)) {}
  nn::EvaluatorInfo info() const override { return inner_->info(); }
  nn::Ticket submit(nn::EvalBatch& batch) override {
    on_submit_();
    return inner_->submit(batch);
  }
  void collect(nn::Ticket ticket) override {
    on_collect_();
    inner_->collect(ticket);
  }

 private:
  const std::unique_ptr<nn::Evaluator> inner_ = nn::make_hash_evaluator();
  const Call on_submit_, on_collect_;
};

// A stop ends each worker with the batch that it is about to fill, in the middle of its games.
TEST(Farm, AStopEndsEachWorkerWithItsBatch) {
  const GameMaker maker(small_settings(), 1, "main");
  for (const int workers : {1, 2, 3}) {
    std::stop_source stop;
    std::atomic<int> submitted = 0, after = 0;
    std::atomic<bool> stopped = false;
    const std::vector<nn::EvaluatorFactory> watched = {[&] {
      return std::make_unique<Watched>(
          [&] {
            if (stopped) ++after;
            if (++submitted != 50) return;
            stop.request_stop();
            stopped = true;  // the farm knows by now
          },
          [] {});
    }};
    FarmSettings farm;
    farm.workers = workers;
    farm.slots = 8;
    uint64_t seen = 0;
    const FarmProgress progress = play_games(
        farm, watched, games_of(maker, 1'000'000'000), [&](GameRecord&&) { ++seen; }, stop.get_token());
    EXPECT_LT(after, workers) << "at most one batch of each other worker";
    EXPECT_EQ(seen, progress.games) << "what had finished reached the sink";
  }
}

// Built-in players wait for no batch: a worker must ask between their plies.
TEST(Farm, AStopDropsTheGamesOfBuiltInPlayers) {
  const GameMaker maker(small_settings(), 1, "main");
  std::stop_source stop;
  const auto next = [&, id = uint64_t(0)](match::GameSpec& spec) mutable {
    if (id == 4) stop.request_stop();  // asked for when the first of four has ended
    spec = maker.make(id++);
    for (match::PlayerSpec& player : spec.players) {
      player.kind = match::PlayerKind::Builtin;
      player.name = "random";
    }
    return true;
  };
  FarmSettings farm;
  farm.workers = 1;
  farm.slots = 4;
  uint64_t seen = 0;
  const FarmProgress progress = play_games(
      farm, kHash, next, [&](GameRecord&&) { ++seen; }, stop.get_token());
  EXPECT_EQ(progress.games, 1u);
  EXPECT_EQ(seen, 1u);
}

TEST(Farm, ATokenThatIsStoppedAlreadyPlaysNothing) {
  const GameMaker maker(small_settings(), 1, "main");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(play_games(
                {}, kHash, games_of(maker, 10), [](GameRecord&&) {}, stop.get_token())
                .games,
            0u);
}

// An evaluator that fails in its n-th batch.
class Failing final : public nn::Evaluator {
 public:
  explicit Failing(int batches) : left_(batches) {}
  nn::EvaluatorInfo info() const override { return inner_->info(); }
  nn::Ticket submit(nn::EvalBatch& batch) override {
    if (--left_ < 0) throw Error("the device is gone");
    return inner_->submit(batch);
  }
  void collect(nn::Ticket ticket) override { inner_->collect(ticket); }

 private:
  std::unique_ptr<nn::Evaluator> inner_ = nn::make_hash_evaluator();
  int left_;
};

std::string failure_of(const NextGame& next, const GameSink& sink, const nn::EvaluatorFactory& evaluator) {
  FarmSettings farm;
  farm.workers = 2;
  farm.slots = 8;
  try {
    play_games(farm, {evaluator}, next, sink, {});
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(Farm, FailuresStopItAndAreThrownOn) {
  const GameMaker maker(small_settings(), 1, "main");
  const GameSink ignore = [](GameRecord&&) {};
  const uint64_t many = 1'000'000'000;
  EXPECT_EQ(failure_of(games_of(maker, many), ignore, [] { return std::make_unique<Failing>(100); }),
            "the device is gone");
  EXPECT_EQ(failure_of(games_of(maker, many), ignore,
                       []() -> std::unique_ptr<nn::Evaluator> { throw Error("no such net"); }),
            "no such net");
  EXPECT_EQ(failure_of(
                games_of(maker, many), [](GameRecord&&) { throw Error("the disk is full"); }, kHash[0]),
            "the disk is full");
  EXPECT_EQ(failure_of(
                [&, id = 0](match::GameSpec& spec) mutable {
                  if (id == 20) throw Error("no more");
                  spec = maker.make(uint64_t(id++));
                  return true;
                },
                ignore, kHash[0]),
            "no more");
}

// A report that fails (a terminal that is gone) must stop the threads, or they would be waited for in vain.
TEST(Farm, AFailingReportStopsItAndIsThrownOn) {
  const GameMaker maker(small_settings(), 1, "main");
  FarmSettings farm;
  farm.workers = 2;
  farm.slots = 8;
  uint64_t seen = 0;
  try {
    play_games(
        farm, kHash, games_of(maker, 1'000'000'000), [&](GameRecord&&) { ++seen; }, {},
        [](const FarmProgress&) { throw Error("nobody listens"); });
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "nobody listens");
  }
  EXPECT_GT(seen, 0u);
}

TEST(Farm, TicksAndReportsWhileNothingEnds) {
  const GameMaker maker(small_settings(), 1, "main");
  std::stop_source stop;
  std::atomic<int> ticks = 0;
  int reports = 0;
  // Its first batch is on the device until both have been seen.
  const std::vector<nn::EvaluatorFactory> device = {[&] {
    return std::make_unique<Watched>([] {},
                                     [&] {
                                       while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
                                     });
  }};
  FarmSettings farm;
  farm.workers = 1;
  farm.slots = 4;
  const FarmProgress progress = play_games(
      farm, device, games_of(maker, 8), [](GameRecord&&) {}, stop.get_token(),
      [&](const FarmProgress&) {
        ++reports;
        if (ticks > 0) stop.request_stop();
      },
      [&] { ++ticks; });
  EXPECT_EQ(progress.games, 0u);
  EXPECT_GE(ticks, 1);
  EXPECT_GE(reports, 1);
}

// Share of the batches during whose wait another batch was on the device.
double overlapping_share(int slots) {
  const GameMaker maker(small_settings(), 1, "main");
  std::stop_source stop;
  int open = 0, batches = 0, overlapping = 0;  // one worker: one thread
  const std::vector<nn::EvaluatorFactory> device = {[&] {
    return std::make_unique<Watched>(
        [&] {
          ++open;
          if (++batches == 500) stop.request_stop();
        },
        [&] { overlapping += open-- > 1; });
  }};
  FarmSettings farm;
  farm.workers = 1;
  farm.slots = slots;
  play_games(
      farm, device, games_of(maker, 1'000'000), [](GameRecord&&) {}, stop.get_token());
  return double(overlapping) / batches;
}

TEST(Farm, TheDeviceIsKeptBusy) {
  EXPECT_GT(overlapping_share(32), 0.99) << "one half is searched while the other's batch is on the device";
  // The measure can fail: a single slot has no other half.
  EXPECT_EQ(overlapping_share(1), 0);
}

}  // namespace
}  // namespace chuhe::selfplay
