// Stand-ins for subcommands whose files are not there yet; goes away with the last of them.
#include "base/error.h"
#include "cli/commands.h"

namespace chuhe::cli {
#define CHUHE_PENDING(name)                     \
  __attribute__((weak)) int name(int, char**) { \
    throw Error(#name ": not built yet");       \
  }
CHUHE_PENDING(perft_command)
CHUHE_PENDING(judge_command)
CHUHE_PENDING(selfplay_command)
CHUHE_PENDING(shards_command)
CHUHE_PENDING(train_command)
CHUHE_PENDING(eval_command)
CHUHE_PENDING(net_command)
CHUHE_PENDING(bench_command)
CHUHE_PENDING(run_command)
CHUHE_PENDING(gauntlet_command)
CHUHE_PENDING(openings_command)
CHUHE_PENDING(play_command)
}  // namespace chuhe::cli
