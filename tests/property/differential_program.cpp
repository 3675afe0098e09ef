// Compares legal moves, check, mate and stalemate with Debian's fairy-stockfish over random positions.
// Positions are drawn from random games that start from the start of the game and from the golden positions;
// no position is compared twice.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "tests/support/paths.h"
#include "xiangqi/board/position.h"

namespace chuhe::xiangqi {
namespace {

constexpr int kSkipped = 77;  // as in cmake/ChuheTargets.cmake
constexpr int kFairyRankBase = 1;

/// The other program, spoken to over two pipes.
class Fairy {
 public:
  explicit Fairy(const std::string& path) {
    int down[2], up[2];
    if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0) throw Error("no pipe for {}", path);
    child_ = fork();
    if (child_ < 0) throw Error("no process for {}", path);
    if (child_ == 0) {
      dup2(down[0], STDIN_FILENO);
      dup2(up[1], STDOUT_FILENO);
      execl(path.c_str(), path.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(down[0]);
    close(up[1]);
    in_ = down[1];
    out_ = fdopen(up[0], "r");
  }
  ~Fairy() {
    close(in_);
    std::fclose(out_);
    waitpid(child_, nullptr, 0);
  }
  Fairy(const Fairy&) = delete;
  Fairy& operator=(const Fairy&) = delete;

  void write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = ::write(in_, text.data(), text.size());
      if (n <= 0) return;  // the reader will meet the end of file
      text.remove_prefix(size_t(n));
    }
  }
  std::string read_line() {
    char* line = nullptr;
    size_t capacity = 0;
    const ssize_t n = getline(&line, &capacity, out_);
    std::string text(n > 0 ? line : "", n > 0 ? size_t(n) : 0);
    free(line);
    if (n <= 0) throw Error("fairy-stockfish ended before it answered");
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    return text;
  }

 private:
  pid_t child_;
  int in_;
  FILE* out_;
};

struct Answer {
  std::vector<Move> moves;  // sorted
  bool check = false;
  bool operator==(const Answer&) const = default;
};

Answer ours(const Position& p) {
  const MoveList legal = p.legal_moves();
  Answer a{{legal.begin(), legal.end()}, p.in_check()};
  std::sort(a.moves.begin(), a.moves.end());
  return a;
}

/// Asks about a batch. "d" is answered by the reading thread and "go perft" by the searching one, so their
/// lines interleave; each kind is in the order of the questions.
std::vector<Answer> ask(Fairy& fairy, const std::vector<Position>& batch) {
  std::string questions;
  for (const Position& p : batch) questions += "position fen " + p.to_fen() + "\nd\ngo perft 1\n";
  std::jthread writer([&] { fairy.write_all(questions); });
  std::vector<Answer> answers(batch.size());
  constexpr std::string_view kCheckers = "Checkers:", kNodes = "Nodes searched:";
  for (size_t boards = 0, lists = 0; boards < batch.size() || lists < batch.size();) {
    const std::string line = fairy.read_line();
    if (line.starts_with(kCheckers)) {
      answers.at(boards++).check = line.find_first_not_of(' ', kCheckers.size()) != std::string::npos;
    } else if (line.starts_with(kNodes)) {
      std::sort(answers.at(lists).moves.begin(), answers.at(lists).moves.end());
      ++lists;
    } else if (const size_t colon = line.find(": "); colon != std::string::npos) {
      if (const Move m = parse_uci(line.substr(0, colon), kFairyRankBase))
        answers.at(lists).moves.push_back(m);
    }
  }
  return answers;
}

class RandomPositions {
 public:
  RandomPositions(std::vector<Position> starts, uint64_t seed)
      : starts_(std::move(starts)), random_(seed, "differential", 0) {}

  std::vector<Position> batch(size_t size) {
    constexpr int kLongestGame = 150;
    std::vector<Position> out;
    while (out.size() < size) {
      if (ply_ == 0) position_ = starts_[random_.below(starts_.size())];
      const MoveList legal = position_.legal_moves();
      if (seen_.insert(position_.key()).second) out.push_back(position_);
      ply_ = legal.empty() ? 0 : (ply_ + 1) % kLongestGame;
      if (ply_ != 0) position_.play(choose(legal));
    }
    return out;
  }

 private:
  /// A check now and then where there is one: plain random play gives few.
  Move choose(const MoveList& legal) {
    if (random_.below(4) == 0)
      for (Move m : legal) {
        Position next = position_;
        next.play(m);
        if (next.in_check() && random_.below(2) == 0) return m;
      }
    return legal[int(random_.below(uint64_t(legal.size())))];
  }

  std::vector<Position> starts_;
  Random random_;
  Position position_;
  int ply_ = 0;
  std::unordered_set<uint64_t> seen_;
};

/// The start of the game, as often as all others together, and every position of a golden table (its FEN is
/// in the given column).
std::vector<Position> starts() {
  std::vector<Position> out;
  for (const auto& [table, column] :
       {std::pair{"perft.tsv", 1}, {"positions.tsv", 2}, {"repetition_checks_only.tsv", 1}}) {
    std::ifstream in(golden_dir() / table);
    if (!in) throw Error("no golden table {}", table);
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with('#') || line.starts_with("id\t")) continue;
      size_t at = 0;
      for (int i = 0; i < column; ++i) at = line.find('\t', at) + 1;
      out.push_back(Position::from_fen(line.substr(at, line.find('\t', at) - at)).value());
    }
  }
  out.resize(2 * out.size());
  return out;
}

std::string list(const std::vector<Move>& moves) {
  std::string out;
  for (Move m : moves) out += " " + to_uci(m);
  return out;
}

int compare(const std::string& engine, int positions, uint64_t seed) {
  Fairy fairy(engine);
  fairy.write_all("uci\nsetoption name UCI_Variant value xiangqi\n");
  RandomPositions source(starts(), seed);
  constexpr int kBatch = 500, kMostShown = 10;
  int differ = 0, checks = 0, mates = 0, stalemates = 0;
  for (int done = 0; done < positions;) {
    const std::vector<Position> batch = source.batch(size_t(std::min(kBatch, positions - done)));
    const std::vector<Answer> answers = ask(fairy, batch);
    for (size_t i = 0; i < batch.size(); ++i) {
      const Answer here = ours(batch[i]);
      checks += here.check;
      (here.check ? mates : stalemates) += here.moves.empty();
      if (here == answers[i]) continue;
      if (differ++ < kMostShown)
        fmt::print("{}\n  ours{}:{}\n  fairy{}:{}\n", batch[i].to_fen(), here.check ? " (check)" : "",
                   list(here.moves), answers[i].check ? " (check)" : "", list(answers[i].moves));
    }
    done += int(batch.size());
  }
  fmt::print("in check {}, mated {}, without a move {}\n", checks, mates, stalemates);
  fmt::print("DIFFERENTIAL differ={} positions={}\n", differ, positions);
  return differ == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  CLI::App app("Compares the rules with fairy-stockfish over random positions.", "differential");
  int positions = 2000;
  uint64_t seed = 1;
  std::string engine = "/usr/games/fairy-stockfish";
  app.add_option("--positions", positions, "number of different positions")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  app.add_option("--seed", seed, "of the random games")->capture_default_str();
  app.add_option("--engine", engine, "path of fairy-stockfish")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (access(engine.c_str(), X_OK) != 0) {
    fmt::print("skipped: no {} (Debian package fairy-stockfish)\n", engine);
    return kSkipped;
  }
  std::signal(SIGPIPE, SIG_IGN);
  return compare(engine, positions, seed);
}

}  // namespace
}  // namespace chuhe::xiangqi

int main(int argc, char** argv) {
  try {
    return chuhe::xiangqi::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "differential: {}\n", e.what());
    return 2;
  }
}
