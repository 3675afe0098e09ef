#include "shards/game_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/sample_games.h"
#include "xiangqi/board/position.h"

namespace chuhe::shards {
namespace {

using testing::HasSubstr;
using xiangqi::EndReason;
using xiangqi::Outcome;

std::string fault_of(const GameRecord& record) {
  return find_fault(record).value_or("none");
}

// A game of the moves given, as a person would write it down.
GameRecord game_of(const std::string& fen, const std::vector<std::string>& moves, Outcome outcome,
                   EndReason reason) {
  GameRecord game;
  game.rule_set = "checks_only";
  game.start_fen = fen;
  for (const auto& move : moves) game.plies.push_back({.move = xiangqi::parse_uci(move), .policy = {}});
  game.outcome = outcome;
  game.reason = reason;
  return game;
}

// Full searches in every ply, cut at 30 plies.
GameRecord searched_game() {
  return test::sample_game(1, 2, {.ply_cap = 30, .full_share = 1});
}

template <class Change>
std::string fault_after(Change change) {
  GameRecord game = searched_game();
  change(game);
  return fault_of(game);
}

TEST(FindFaultTest, SampleGamesAreSound) {
  std::set<EndReason> reasons;
  for (const auto& game : test::sample_games(3, 0, 60, {.ply_cap = 300})) {
    EXPECT_EQ(fault_of(game), "none") << game.id;
    reasons.insert(game.reason);
  }
  EXPECT_GE(reasons.size(), 3u);
}

TEST(FindFaultTest, EndsThatTheRulesDecide) {
  const std::string mate = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1";
  EXPECT_EQ(fault_of(game_of(mate, {"b0b9"}, Outcome::Draw, EndReason::PlyCapDraw)), "none");
  const auto won =
      game_of("3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1", {"b0b9"}, Outcome::RedWins, EndReason::Checkmate);
  EXPECT_EQ(fault_of(won), "none");
  GameRecord wrong = won;
  wrong.outcome = Outcome::BlackWins;
  EXPECT_EQ(fault_of(wrong), "ends black_wins by checkmate, by the rules red_wins by checkmate");
  wrong = won;
  wrong.reason = EndReason::Resignation;
  wrong.resign_ply = 1;
  EXPECT_EQ(fault_of(wrong), "ends red_wins by resignation, by the rules red_wins by checkmate");
  wrong = won;
  wrong.plies.push_back({.move = xiangqi::parse_uci("d9d8"), .policy = {}});
  EXPECT_EQ(fault_of(wrong), "ply 1: the game had ended, red_wins by checkmate");
  wrong = won;
  wrong.plies.clear();
  EXPECT_EQ(fault_of(wrong), "ends red_wins by checkmate, by the rules it goes on");
  wrong = won;
  wrong.article = "26.1";
  EXPECT_EQ(fault_of(wrong), "article '26.1', by the rules ''");
}

TEST(FindFaultTest, RepetitionCarriesItsArticle) {
  std::vector<std::string> moves;
  for (int i = 0; i < 2; ++i)
    for (const char* move : {"b0c2", "b9c7", "c2b0", "c7b9"}) moves.push_back(move);
  GameRecord game = game_of(std::string(xiangqi::kStartFen), moves, Outcome::Draw, EndReason::Repetition);
  EXPECT_THAT(fault_of(game), HasSubstr("article '', by the rules '"));
  game.article = "x";
  const std::string told = fault_of(game);
  const size_t quote = told.rfind('\'', told.size() - 2);
  game.article = told.substr(quote + 1, told.size() - quote - 2);
  EXPECT_EQ(fault_of(game), "none");
}

TEST(FindFaultTest, EndsThatTheRulesDoNotDecide) {
  EXPECT_EQ(fault_after([](auto& g) { g.outcome = Outcome::RedWins; }),
            "ends red_wins by ply_cap_draw, expected a draw");
  EXPECT_EQ(fault_after([](auto& g) { g.reason = EndReason::PlyCapMaterial; }),
            "ends draw by ply_cap_material, expected a winner");
  EXPECT_EQ(fault_after([](auto& g) { g.reason = EndReason::None; }), "no end");
  const auto resigned = [](Outcome outcome, int ply) {
    return fault_after([&](auto& g) {
      g.reason = EndReason::Resignation;
      g.outcome = outcome;
      g.resign_ply = ply;
    });
  };
  EXPECT_EQ(resigned(Outcome::BlackWins, 30), "none");  // Red is to move after 30 plies
  EXPECT_EQ(resigned(Outcome::RedWins, 30),
            "ends red_wins by resignation, expected a loss of the side to move");
  EXPECT_EQ(resigned(Outcome::BlackWins, -1), "a resignation without its ply");
  EXPECT_EQ(resigned(Outcome::BlackWins, 31), "resign ply 31 of 30");
}

TEST(FindFaultTest, Plies) {
  EXPECT_EQ(fault_after([](auto& g) { g.plies[3].move = xiangqi::parse_uci("a0a9"); }),
            "ply 3: illegal move a0a9");
  EXPECT_EQ(fault_after([](auto& g) { g.plies[4].root_value = 1.5; }),
            "ply 4: root value 1.5, expected -1..1");
  EXPECT_EQ(fault_after([](auto& g) { g.plies[4].net_value = std::nanf(""); }),
            "ply 4: net value nan, expected -1..1");
  EXPECT_EQ(fault_after([](auto& g) { g.plies[5].visits = 0; }), "ply 5: a search without visits");
  EXPECT_EQ(fault_after([](auto& g) { g.plies[5].search = SearchKind(3); }), "ply 5: search kind 3");
}

TEST(FindFaultTest, Policies) {
  EXPECT_EQ(fault_after([](auto& g) { g.plies[5].search = SearchKind::Cheap; }),
            "ply 5: a policy without a full search");
  EXPECT_EQ(fault_after([](auto& g) { g.plies[5].policy.clear(); }), "ply 5: a full search without a policy");
  EXPECT_THAT(fault_after([](auto& g) { g.plies[5].policy.pop_back(); }),
              HasSubstr("ply 5: policy sums to "));
  EXPECT_THAT(fault_after([](auto& g) { std::reverse(g.plies[5].policy.begin(), g.plies[5].policy.end()); }),
              HasSubstr("ply 5: policy not sorted at "));
  EXPECT_THAT(fault_after([](auto& g) { g.plies[5].policy[0].weight = 0; }),
              HasSubstr("ply 5: policy holds "));
  EXPECT_EQ(fault_after([](auto& g) { g.plies[5].policy[0].move = xiangqi::parse_uci("e0e5"); }),
            "ply 5: policy over the illegal move e0e5");
}

TEST(FindFaultTest, Heads) {
  EXPECT_THAT(fault_after([](auto& g) { g.start_fen = "nonsense"; }), HasSubstr("start position: "));
  EXPECT_THAT(fault_after([](auto& g) { g.rule_set = "other"; }),
              HasSubstr("unknown rule set 'other', expected one of "));
  EXPECT_EQ(fault_after([](auto& g) {
              g.nets = {{0, "a"}, {0, "b"}};
            }),
            "net b from ply 0 after one from ply 0");
  EXPECT_EQ(fault_after([](auto& g) { g.nets = {{31, "a"}}; }), "net a from ply 31 of 30");
  EXPECT_EQ(fault_after([](auto& g) { g.nets = {{3, ""}}; }), "no name for the net from ply 3");
}

template <class Change>
std::string difference_after(Change change) {
  const GameRecord game = searched_game();
  GameRecord other = game;
  change(other);
  return first_difference(game, other).value_or("none");
}

TEST(FirstDifferenceTest, NamesEveryField) {
  EXPECT_EQ(difference_after([](auto&) {}), "none");
  EXPECT_EQ(difference_after([](auto& g) { g.writer = "w"; }), "writer 'main', 'w'");
  EXPECT_EQ(difference_after([](auto& g) { g.id = 9; }), "id 2, 9");
  EXPECT_EQ(difference_after([](auto& g) { g.seed = 9; }), "seed 1, 9");
  EXPECT_EQ(difference_after([](auto& g) { g.rule_set = "none"; }), "rule set 'checks_only', 'none'");
  EXPECT_THAT(difference_after([](auto& g) { g.params_hash = 9; }), HasSubstr("parameter hash "));
  EXPECT_THAT(difference_after([](auto& g) { g.start_fen = ""; }), HasSubstr("start position "));
  EXPECT_EQ(difference_after([](auto& g) { g.players[1] = "x"; }), "Black's player '', 'x'");
  EXPECT_THAT(difference_after([](auto& g) { g.plies[3].move = {}; }), HasSubstr("ply 3: move "));
  EXPECT_THAT(difference_after([](auto& g) { g.plies[3].visits = 17; }), HasSubstr("ply 3: visits 16, 17"));
  EXPECT_THAT(difference_after([](auto& g) { g.plies[3].root_value += 1e-6f; }),
              HasSubstr("ply 3: root value "));
  EXPECT_THAT(difference_after([](auto& g) { g.plies[3].net_value = -g.plies[3].net_value; }),
              HasSubstr("ply 3: net value "));
  EXPECT_THAT(difference_after([](auto& g) { g.plies[3].search = SearchKind::Cheap; }),
              HasSubstr("ply 3: search kind 2, 1"));
  EXPECT_THAT(difference_after([](auto& g) { ++g.plies[3].policy[5].weight; }),
              HasSubstr("ply 3: policy weight of "));
  EXPECT_THAT(difference_after([](auto& g) { g.plies[3].policy.pop_back(); }),
              HasSubstr("ply 3: policy size "));
  EXPECT_THAT(difference_after([](auto& g) { g.plies.pop_back(); }), HasSubstr("plies 30, 29"));
  EXPECT_THAT(difference_after([](auto& g) { g.nets[0].net_id = "n"; }),
              HasSubstr("net run 0: net 'net-0', 'n'"));
  EXPECT_EQ(difference_after([](auto& g) { g.outcome = Outcome::RedWins; }), "outcome draw, red_wins");
  EXPECT_EQ(difference_after([](auto& g) { g.reason = EndReason::None; }), "reason ply_cap_draw, none");
  EXPECT_EQ(difference_after([](auto& g) { g.article = "1"; }), "article '', '1'");
  EXPECT_EQ(difference_after([](auto& g) { g.resign_ply = 4; }), "resign ply -1, 4");
  EXPECT_EQ(difference_after([](auto& g) { g.resign_disabled = true; }), "resignation disabled false, true");
}

}  // namespace
}  // namespace chuhe::shards
