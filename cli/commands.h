#pragma once
// The subcommands of `chuhe`, one file each. argv[0] is the subcommand's name. Exit status: 0 done; 1 a check
// that was asked for failed; 2 bad input (one line on stderr); 3 stopped by a signal with everything saved.

namespace chuhe::cli {

struct Command {
  const char* name;
  const char* summary;
  int (*run)(int argc, char** argv);
};

int perft_command(int argc, char** argv);
int pgn_command(int argc, char** argv);
int judge_command(int argc, char** argv);
int cases_command(int argc, char** argv);
int endgame_command(int argc, char** argv);
int selfplay_command(int argc, char** argv);
int shards_command(int argc, char** argv);
int train_command(int argc, char** argv);
int eval_command(int argc, char** argv);
int net_command(int argc, char** argv);
int bench_command(int argc, char** argv);
int run_command(int argc, char** argv);
int gauntlet_command(int argc, char** argv);
int suite_command(int argc, char** argv);
int openings_command(int argc, char** argv);
int play_command(int argc, char** argv);

}  // namespace chuhe::cli
