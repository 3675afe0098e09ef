// tests/e2e/resume: interrupted training equals uninterrupted training, bit by bit. Every piece of training
// is a process of its own (a fork before LibTorch is loaded), so nothing survives but the files.

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/random.h"
#include "shards/shard_writer.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/trainer/synthetic_games.h"
#include "trainer/checkpoint.h"
#include "trainer/trainer.h"

namespace chuhe::trainer {
namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 200, kKills = 3;

struct Paths {
  fs::path shards, folder, net;
};

TrainRequest request(const Paths& paths, int64_t steps) {
  TrainRequest r;
  r.shards = {paths.shards};
  r.folder = paths.folder;
  r.target_step = steps;
  r.net_out = paths.net;
  r.net_id = fmt::format("resume-{}", steps);
  r.rule_set = "checks_only";
  r.net = nn::net_preset("nano");
  r.seed = 7;
  r.settings.batch = 32;
  r.settings.device = "cpu";
  r.settings.threads = 2;  // not one: the sums of parallel work must be in a fixed order too
  r.settings.data_threads = 2;
  r.settings.warmup_steps = 20;
  r.settings.schedule = "cosine";
  r.settings.schedule_steps = kSteps;
  r.settings.checkpoint_every = 17;
  r.settings.validate_every = 50;
  r.settings.validation_rows = 64;
  return r;
}

/// Trains in a child process.
pid_t start(const Paths& paths, int64_t steps) {
  const pid_t child = fork();
  if (child != 0) return child;
  int status = 0;
  try {
    Log log(paths.folder.string() + ".log");
    log.set_plain_every(1e9);
    train(request(paths, steps), log, {});
  } catch (const std::exception& e) {
    fmt::print(stderr, "resume: {}\n", e.what());
    status = 1;
  }
  _exit(status);
}

void finish(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error("training failed, wait status {}", status);
}

/// Kills the training at random moments, then lets it come to its end. Returns how many kills found it alive.
int train_under_fire(const Paths& paths, Random& random, double whole_seconds) {
  int kills = 0;
  for (int i = 0; i < kKills; ++i) {
    const pid_t child = start(paths, kSteps);
    std::this_thread::sleep_for(
        std::chrono::duration<double>(whole_seconds * (0.1 + 0.5 * random.uniform())));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    kills += WIFSIGNALED(status);
  }
  finish(start(paths, kSteps));
  return kills;
}

LearnerState final_state(const Paths& paths) {
  const auto c =
      newest_checkpoint(paths.folder / "checkpoints", [](const std::string& why) { throw Error(why); });
  if (!c || c->state.steps != kSteps)
    throw Error("{}: no checkpoint of step {}", paths.folder.string(), kSteps);
  return c->state;
}

int run() {
  const test::TempFolder root;
  const auto paths = [&](const std::string& name) {
    return Paths{root / "shards", root / name, root / (name + ".safetensors")};
  };
  shards::ShardWriter writer(root / "shards", "test", {}, {16, 1e9});
  for (uint64_t id = 0; id < 80; ++id) writer.add(testing::synthetic_game(5, id, 60), 0);
  writer.flush();

  const auto begin = std::chrono::steady_clock::now();
  finish(start(paths("whole"), kSteps));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  finish(start(paths("halves"), kSteps / 2));
  const std::string half_net = read_file(paths("halves").net);
  finish(start(paths("halves"), kSteps));
  Random random(1, "kills", 0);
  const int kills = train_under_fire(paths("killed"), random, seconds);

  const std::string net = read_file(paths("whole").net);
  const LearnerState state = final_state(paths("whole"));
  const bool halves = read_file(paths("halves").net) == net && final_state(paths("halves")) == state;
  const bool killed = read_file(paths("killed").net) == net && final_state(paths("killed")) == state;
  const bool learnt = half_net != net;
  fmt::print("whole run {:.1f} s; 100 + 100 steps equal: {}; after {} kills equal: {}\n", seconds,
             halves ? "yes" : "no", kills, killed ? "yes" : "no");
  const bool ok = halves && killed && learnt && kills > 0;
  fmt::print("RESUME {} bit_equal={}\n", ok ? "ok" : "failed", halves && killed ? "yes" : "no");
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace chuhe::trainer

int main() {
  try {
    return chuhe::trainer::run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "resume: {}\n", e.what());
    return 2;
  }
}
