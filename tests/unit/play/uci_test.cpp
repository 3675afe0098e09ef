// The engine and its protocol in one process, with doubles for net and clock.

#include "play/uci.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <latch>

#include "base/files.h"
#include "nn/api/doubles.h"
#include "play/uci_text.h"
#include "tests/support/temp_folder.h"

namespace chuhe::play {
namespace {

using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

nn::NetHandle open_double(const std::string& net, const nn::EvaluatorSettings&) {
  if (!nn::make_double(net)) throw Error("net file {}: not for this test", net);
  return {[net] { return nn::make_double(net); }, net, "cpu"};
}

/// A conversation; every look at the clock costs 100 us.
class Talk {
 public:
  explicit Talk(const std::string& net = "material", NetLoader loader = open_double,
                PlaySettings settings = {})
      : uci(with_net(settings, net), {.name = "test",
                                      .loader = std::move(loader),
                                      .clock = [this] { return std::chrono::microseconds(now_us += 100); },
                                      .write = [this](std::string_view text) { take(text); }}) {}

  Talk& tell(std::string_view line) {
    EXPECT_TRUE(uci.handle(line));
    return *this;
  }
  /// Waits for a line that begins so (from the last found one on) and returns it; an empty text after ten
  /// seconds.
  std::string wait_for(std::string_view start) {
    std::unique_lock lock(mutex_);
    size_t found = 0;
    const bool there = arrived_.wait_for(lock, seconds(10), [&] {
      for (found = read_; found < lines_.size(); ++found)
        if (lines_[found].starts_with(start)) return true;
      return false;
    });
    if (!there) return {};
    read_ = found + 1;
    return lines_[found];
  }
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::string best_move(std::string_view go) {
    tell(go);
    return wait_for("bestmove");
  }

  std::atomic<int64_t> now_us{0};

 private:
  static PlaySettings with_net(PlaySettings settings, const std::string& net) {
    settings.net = net;
    return settings;
  }
  void take(std::string_view text) {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(text.ends_with('\n'));
    while (!text.empty()) {
      const size_t end = text.find('\n');
      lines_.emplace_back(text.substr(0, end));
      text.remove_prefix(end + 1);
    }
    arrived_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::string> lines_;
  size_t read_ = 0;

 public:
  Uci uci;  // last: writes into the above
};

constexpr const char* kMateInOne = "position fen 3k5/R8/9/9/p8/9/9/9/1R7/5K3 w";
constexpr const char* kNoMove = "position fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1";

TEST(Uci, TellsWhoItIsWithoutANet) {
  bool loaded = false;
  Talk talk("material", [&](const std::string& net, const nn::EvaluatorSettings& s) {
    loaded = true;
    return open_double(net, s);
  });
  talk.tell("uci");
  EXPECT_EQ(talk.wait_for("id name"), "id name test");
  EXPECT_EQ(talk.wait_for("uciok"), "uciok");
  EXPECT_FALSE(loaded);
}

TEST(Uci, EachKindOfGoGivesOneLegalMove) {
  Talk talk;
  const char* kinds[] = {"go nodes 100",
                         "go movetime 50",
                         "go depth 3",
                         "go wtime 1000 btime 1000 movestogo 1",
                         "go btime 5000 wtime 5000 winc 10 binc 10",
                         "go nodes 1",
                         "go depth 0",
                         "go movetime 0"};
  for (const char* kind : kinds) {
    const std::string line = talk.tell("position startpos moves h2e2").best_move(kind);
    const auto words = words_of(line);
    ASSERT_GE(words.size(), 2u) << kind;
    const auto position =
        parse_position(words_of("startpos moves h2e2"), xiangqi::rule_set("none"), 0)->history.current();
    EXPECT_TRUE(position.is_legal(xiangqi::parse_uci(words[1]))) << kind << ": " << line;
  }
  talk.uci.engine().wait_until_idle();
  EXPECT_EQ(std::ranges::count_if(talk.lines(), [](const auto& l) { return l.starts_with("bestmove"); }),
            int(std::size(kinds)));
}

TEST(Uci, NodesAreExactAndTheSearchRepeats) {
  std::vector<std::string> moves;
  for (int i = 0; i < 2; ++i) {
    Talk talk("hash");
    moves.push_back(talk.tell("position startpos").best_move("go nodes 777"));
    EXPECT_THAT(talk.lines(), Contains(HasSubstr(" nodes 777 ")));
    EXPECT_THAT(talk.lines(), Not(Contains(HasSubstr(" nodes 778 "))));
  }
  EXPECT_EQ(moves[0], moves[1]);
}

TEST(Uci, MoveTimeIsKept) {
  Talk talk("hash");
  talk.tell("isready").wait_for("readyok");
  const int64_t before = talk.now_us;
  talk.best_move("go movetime 500");
  EXPECT_LE(talk.now_us - before, 500'000);
  EXPECT_GE(talk.now_us - before, 400'000);
}

TEST(Uci, FindsAMateAndSaysSo) {
  Talk talk;
  EXPECT_THAT(talk.tell(kMateInOne).best_move("go nodes 500"), StartsWith("bestmove b1b9"));
  EXPECT_THAT(talk.lines(), Contains(HasSubstr("score mate 1 ")));
  EXPECT_THAT(talk.best_move("go mate 1"), StartsWith("bestmove b1b9"));
}

TEST(Uci, NoLegalMove) {
  Talk talk("no-such-net");
  EXPECT_EQ(talk.tell(kNoMove).best_move("go nodes 10"), "bestmove (none)");
  EXPECT_THAT(talk.lines(), testing::ElementsAre("info depth 0 score mate 0", "bestmove (none)"));
  talk.tell("go infinite");
  EXPECT_EQ(talk.wait_for("info depth 0"), "info depth 0 score mate 0");
  EXPECT_EQ(talk.lines().size(), 3u);
  talk.tell("stop");
  EXPECT_EQ(talk.wait_for("bestmove"), "bestmove (none)");
}

TEST(Uci, InfiniteWaitsForStop) {
  // Nearly every simulation is a decided end here: the search must come up for air all the same.
  Talk talk;
  talk.tell(kMateInOne).tell("go infinite");
  talk.wait_for("info depth 12");
  EXPECT_TRUE(talk.uci.engine().busy());
  talk.tell("isready");
  EXPECT_EQ(talk.wait_for("readyok"), "readyok");
  talk.tell("stop");
  EXPECT_THAT(talk.wait_for("bestmove"), StartsWith("bestmove b1b9"));
  talk.tell("stop").tell("ponderhit");  // idle: nothing to say
  talk.uci.engine().wait_until_idle();
  EXPECT_THAT(talk.lines().back(), StartsWith("bestmove"));
}

TEST(Uci, FullTreeOfAnInfiniteSearchStillWaits) {
  Talk talk("hash");
  talk.tell("setoption name Hash value 1").tell("position startpos").tell("go infinite");
  EXPECT_NE(talk.wait_for("info depth 10"), "");
  for (int i = 0; i < 20; ++i) talk.tell("isready").wait_for("readyok");
  EXPECT_THAT(talk.lines(), Not(Contains(StartsWith("bestmove"))));
  talk.tell("stop");
  EXPECT_THAT(talk.wait_for("bestmove"), StartsWith("bestmove "));
}

TEST(Uci, PonderHitStartsTheClock) {
  Talk talk;
  talk.tell("position startpos moves h2e2 h9g7").tell("go ponder wtime 1000 btime 1000 nodes 50");
  talk.wait_for("info depth 8");  // beyond the node limit, which does not count yet
  EXPECT_THAT(talk.lines(), Not(Contains(StartsWith("bestmove"))));
  talk.tell("ponderhit");
  EXPECT_THAT(talk.wait_for("bestmove"), StartsWith("bestmove "));
  talk.tell("go ponder wtime 1000 btime 1000").tell("stop");
  EXPECT_THAT(talk.wait_for("bestmove"), StartsWith("bestmove "));
}

TEST(Uci, BadInputKeepsThePosition) {
  Talk talk;
  talk.tell("position startpos moves h2e2").tell("d");
  const auto draw = talk.lines();
  for (const std::string& bad :
       {std::string("position"), std::string("position fen 9/9 w"),
        std::string("position startpos moves h2e2 a0a9"), std::string("fen x r moves"), std::string("xyzzy"),
        std::string("setoption"), std::string("setoption name Nope value 1"),
        std::string("setoption name Hash value none"), std::string("go nodes many"), std::string("perft"),
        std::string("perft 99"), std::string(10'000, 'x'), std::string("\0\x01\xff\xfe", 4)}) {
    const size_t before = talk.lines().size();
    talk.tell(bad);
    ASSERT_EQ(talk.lines().size(), before + 1) << bad.substr(0, 40);
    EXPECT_THAT(talk.lines().back(), StartsWith("info string error: "));
    EXPECT_LT(talk.lines().back().size(), 400u);
  }
  const size_t before = talk.lines().size();
  talk.tell("").tell("   ").tell("d");
  const auto lines = talk.lines();
  EXPECT_EQ(std::vector(lines.begin() + long(before), lines.end()), draw);
  EXPECT_THAT(talk.best_move("go nodes 10"), StartsWith("bestmove "));
}

TEST(Uci, MissingNetRefusesToPlayAndNamesThePath) {
  Talk talk("/nowhere/at/all.net");
  EXPECT_EQ(talk.tell("isready").wait_for("info string error"),
            "info string error: net file /nowhere/at/all.net: no such file");
  EXPECT_EQ(talk.wait_for("readyok"), "readyok");
  EXPECT_EQ(talk.tell("position startpos").best_move("go nodes 10"), "bestmove (none)");
  talk.tell("setoption name EvalFile value hash");
  EXPECT_THAT(talk.best_move("go nodes 10"), Not(HasSubstr("none")));
  talk.tell("setoption name EvalFile value ").best_move("go nodes 10");
  EXPECT_THAT(talk.lines(), Contains(HasSubstr("no net: name a net file with --net or the option EvalFile")));
}

TEST(Uci, LoadingKeepsTheConversationAlive) {
  std::latch started(1), may_load(1);
  Talk talk("material", [&](const std::string& net, const nn::EvaluatorSettings& s) {
    started.count_down();
    may_load.wait();
    return open_double(net, s);
  });
  talk.tell("position startpos").tell("go nodes 20").tell("isready").tell("uci");
  EXPECT_EQ(talk.wait_for("uciok"), "uciok");
  started.wait();
  EXPECT_THAT(talk.lines(), Not(Contains("readyok")));
  may_load.count_down();
  EXPECT_EQ(talk.wait_for("readyok"), "readyok");
  EXPECT_THAT(talk.wait_for("bestmove"), StartsWith("bestmove "));
}

TEST(Uci, WhatFollowsABestMoveComesAfterTheSearch) {
  // The GUI may be faster than the worker's way back from its answer.
  Talk talk;
  for (int i = 0; i < 100; ++i) {
    talk.tell("setoption name EvalFile value material").best_move("go nodes 2");
    talk.tell("setoption name EvalFile value /nowhere/x.net").tell("isready").wait_for("readyok");
    const auto lines = talk.lines();
    ASSERT_THAT(lines[lines.size() - 2], HasSubstr("/nowhere/x.net")) << "turn " << i;
  }
}

/// A net that yields nonsense after some batches.
class Faulty : public nn::Evaluator {
 public:
  nn::EvaluatorInfo info() const override { return {.net_id = "faulty", .device = "cpu"}; }
  nn::Ticket submit(nn::EvalBatch& batch) override {
    if (++batches_ > 5) throw Error("net faulty: non-finite output");
    return inner_->submit(batch);
  }
  void collect(nn::Ticket ticket) override { inner_->collect(ticket); }

 private:
  int batches_ = 0;
  std::unique_ptr<nn::Evaluator> inner_ = nn::make_uniform_evaluator();
};

TEST(Uci, FaultDuringASearchIsToldAndSurvived) {
  Talk talk("uniform", [](const std::string&, const nn::EvaluatorSettings&) {
    return nn::NetHandle{[] { return std::make_unique<Faulty>(); }, "faulty", "cpu"};
  });
  EXPECT_EQ(talk.best_move("go nodes 100"), "bestmove (none)");
  EXPECT_THAT(talk.lines(), Contains("info string error: net faulty: non-finite output"));
  EXPECT_THAT(talk.best_move("go nodes 1"), Not(HasSubstr("none")));
  // The net that was opened again is good for five batches; `eval` meets the fault too.
  for (int i = 0; i < 6 && !talk.lines().back().ends_with("non-finite output"); ++i) {
    talk.tell("eval");
    talk.uci.engine().wait_until_idle();
  }
  EXPECT_THAT(talk.lines().back(), HasSubstr("non-finite"));
}

TEST(Uci, TreeIsKeptOnlyForTheSameGame) {
  Talk talk("hash");
  talk.tell("position startpos").best_move("go nodes 3000");
  const size_t before = talk.lines().size();
  talk.best_move("go nodes 3001");
  EXPECT_THAT(talk.lines()[before], HasSubstr(" nodes 3001 "));  // the first report has the old visits
  for (const char* other : {"position startpos moves a3a4", "position fen 4k4/9/9/9/9/9/9/9/3R5/R2K5 w"}) {
    const size_t at = talk.lines().size();
    talk.tell("ucinewgame").tell(other).best_move("go nodes 40");
    EXPECT_THAT(talk.lines()[at], HasSubstr("info depth 1 "));
  }
}

TEST(Uci, ManySwitchesWhileSearching) {
  Talk talk("hash");
  Random random(7, "switches", 0);
  for (int i = 0; i < 200; ++i) {
    xiangqi::GameHistory game;
    std::string moves;
    for (uint64_t ply = random.below(12); ply > 0 && game.current().has_legal_move(); --ply) {
      const auto legal = game.current().legal_moves();
      const auto move = legal[int(random.below(uint64_t(legal.size())))];
      moves += ' ' + to_uci(move);
      game.push(move);
    }
    talk.tell("position startpos moves" + moves).tell("go infinite");
    if (random.below(2)) talk.wait_for("info depth");
    if (random.below(4) == 0) talk.tell("ucinewgame");
    talk.tell("stop");
    const auto line = talk.wait_for("bestmove");
    ASSERT_TRUE(game.current().is_legal(xiangqi::parse_uci(words_of(line)[1]))) << moves << " -> " << line;
  }
  // Without waiting: each go stops the one before, and all are answered.
  const auto count = [&] {
    return std::ranges::count_if(talk.lines(), [](const auto& l) { return l.starts_with("bestmove"); });
  };
  const auto before = count();
  for (int i = 0; i < 100; ++i)
    talk.tell(i % 2 ? "position startpos" : "position startpos moves h2e2").tell("go infinite");
  talk.tell("stop");
  talk.uci.engine().wait_until_idle();
  EXPECT_EQ(count(), before + 100);
}

TEST(Uci, ManyLinesOfPlay) {
  Talk talk;
  talk.tell("setoption name MultiPV value 3")
      .tell("setoption name UCI_ShowWDL value true")
      .best_move("go nodes 200");
  EXPECT_THAT(talk.lines(), Contains(HasSubstr(" multipv 3 ")));
  EXPECT_THAT(talk.lines(), Not(Contains(HasSubstr(" multipv 4 "))));
  EXPECT_THAT(talk.lines(), Contains(HasSubstr(" wdl ")));
  talk.tell("setoption name MultiPV value 128")
      .tell("position fen 4k4/9/9/9/9/9/9/9/3R5/3K5 w")
      .best_move("go nodes 50");
  EXPECT_THAT(talk.lines(), Not(Contains(HasSubstr(" multipv 99 "))));
}

TEST(Uci, SearchMovesNarrowsTheAnswer) {
  Talk talk;
  EXPECT_THAT(talk.tell(kMateInOne).best_move("go nodes 300 searchmoves f0f1"), StartsWith("bestmove f0f1"));
}

TEST(Uci, TemperatureDraws) {
  PlaySettings settings;
  settings.temperature = 1;
  Talk talk("uniform", open_double, settings);
  std::set<std::string> moves;
  for (int i = 0; i < 20; ++i)
    moves.insert(std::string(words_of(talk.tell("ucinewgame").best_move("go nodes 60"))[1]));
  EXPECT_GT(moves.size(), 3u);
  talk.tell("setoption name UCI_AnalyseMode value true");
  moves.clear();
  for (int i = 0; i < 5; ++i)
    moves.insert(std::string(words_of(talk.tell("ucinewgame").best_move("go nodes 60"))[1]));
  EXPECT_EQ(moves.size(), 1u);
}

TEST(Uci, VisitsCapAndRankBase) {
  PlaySettings settings;
  settings.visits = 30;
  Talk talk("hash", open_double, settings);
  talk.tell("setoption name UCI_RankBase value 1");
  const std::string line = talk.best_move("go");
  EXPECT_TRUE(xiangqi::Position().is_legal(xiangqi::parse_uci(words_of(line)[1], 1))) << line;
  EXPECT_THAT(talk.lines(), Contains(HasSubstr(" nodes 30 ")));
}

TEST(Uci, ExtrasForDevelopers) {
  Talk talk;
  talk.tell("perft 3");
  EXPECT_EQ(talk.wait_for("perft"), "perft 3 leaves 79666");
  talk.tell("go perft 1");
  EXPECT_EQ(talk.wait_for("perft"), "perft 1 leaves 44");
  talk.tell("eval");
  EXPECT_THAT(talk.wait_for("info string eval"), HasSubstr("value +0.000"));
  EXPECT_THAT(talk.wait_for("info string eval: priors"), HasSubstr("2.3%"));
}

TEST(Uci, DebugLogHoldsBothDirections) {
  const test::TempFolder folder;
  const auto path = folder / "chuhe uci log.txt";
  Talk talk;
  talk.tell("setoption name Debug Log File value " + path.string()).best_move("go nodes 3");
  talk.uci.engine().wait_until_idle();
  const auto lines = read_lines(path);
  EXPECT_THAT(lines, Contains(">> go nodes 3"));
  EXPECT_THAT(lines, Contains(StartsWith("<< bestmove")));
  talk.tell("setoption name Debug Log File value /nowhere/at/all.log");
  EXPECT_THAT(talk.lines().back(), HasSubstr("/nowhere/at/all.log: cannot be opened"));
  std::filesystem::remove(path);
}

TEST(Uci, QuitEndsTheConversation) {
  Talk talk;
  talk.tell("go infinite");
  EXPECT_FALSE(talk.uci.handle("quit"));
}

}  // namespace
}  // namespace chuhe::play
