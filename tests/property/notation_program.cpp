// Random games, half of them from random positions with many pawns on few files. Every legal move met goes
// through every notation and back; every game goes through PGN in every format and both encodings.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "tests/support/lettered_board.h"
#include "xiangqi/notation/pgn.h"

namespace chuhe::xiangqi {
namespace {

constexpr std::array kExact = {Notation::Chinese, Notation::Wxf, Notation::Iccs, Notation::Uci,
                               Notation::UciFromOne};

struct Tally {
  int64_t moves = 0, differ = 0, marked = 0, numbered = 0, short_ambiguous = 0;
  void complain(const std::string& what) {
    constexpr int kMostShown = 10;
    if (differ++ < kMostShown) fmt::print("{}\n", what);
  }
};

/// Puts `count` pawns of the colour on one or two files, far enough ahead to stand there.
void place_pawns(test::Letters& board, Color c, Random& random) {
  const int count = 3 + int(random.below(3));
  const int first = int(random.below(9));
  const int second = random.below(2) == 0 ? first : int(random.below(9));
  for (int i = 0, tries = 0; i < count && tries < 200; ++tries) {
    const int advance = 5 + int(random.below(5));  // across the river
    const int file = i % 2 == 0 ? first : second;
    const Square s = make_square(file, c == Color::Red ? advance : 9 - advance);
    if (board[s] != '.') continue;
    board[s] = c == Color::Red ? 'P' : 'p';
    ++i;
  }
}

/// A random legal position of kings, some guards, many pawns and a few pairs on one file.
Position sparse_position(Random& random) {
  for (;;) {
    test::Letters board;
    board.fill('.');
    board[make_square(3 + int(random.below(3)), int(random.below(3)))] = 'K';
    board[make_square(3 + int(random.below(3)), 9 - int(random.below(3)))] = 'k';
    for (const auto& [squares, letter] : {std::pair{"d0f0e1d2f2", 'A'},
                                          {"d9f9e8d7f7", 'a'},
                                          {"c0g0a2e2i2c4g4", 'B'},
                                          {"c9g9a7e7i7c5g5", 'b'}})
      for (int i = 0; i < 2; ++i) {
        const std::string_view all(squares);
        const size_t at = 2 * random.below(all.size() / 2);
        const Square s = make_square(all[at] - 'a', all[at + 1] - '0');
        if (random.below(2) == 0 && board[s] == '.') board[s] = letter;
      }
    place_pawns(board, Color::Red, random);
    place_pawns(board, Color::Black, random);
    for (char letter : std::string_view("RNCrnc")) {
      if (random.below(3) != 0) continue;
      const int file = int(random.below(9));
      for (int i = 0; i < 2; ++i)
        if (const Square s = make_square(file, int(random.below(10))); board[s] == '.') board[s] = letter;
    }
    const auto p = Position::from_fen(test::fen_of(board, random.below(2) == 0 ? 'w' : 'b'));
    if (p && p->has_legal_move()) return *p;
  }
}

void check_move(const Position& p, Move m, Tally& tally) {
  ++tally.moves;
  for (Notation notation : kExact) {
    const std::string text = to_text(p, m, notation);
    const auto back = parse_move(p, text, notation);
    if (!back || *back != m)
      tally.complain(fmt::format("{} {}: {} '{}' came back as {}", p.to_fen(), to_uci(m), name_of(notation),
                                 text, back ? to_uci(*back) : back.error()));
    // Two squares do not tell the base of their ranks; everything else shows what it is.
    if (notation == Notation::UciFromOne) continue;
    const auto any = parse_move_any(p, text);
    if (!any || *any != m)
      tally.complain(fmt::format("{} {}: '{}' taken as {}", p.to_fen(), to_uci(m), text,
                                 any ? to_uci(*any) : any.error()));
  }
  const std::string text = to_text(p, m, Notation::ChineseShort);
  const auto fits = fitting_moves(p, text, Notation::ChineseShort);
  const bool found = fits && std::find(fits->begin(), fits->end(), m) != fits->end();
  const auto back = parse_move(p, text, Notation::ChineseShort);
  const bool right = back ? *back == m : back.error().find(to_uci(m)) != std::string::npos;
  if (!found || !right || bool(back) != (fits->size() == 1))
    tally.complain(fmt::format("{} {}: short '{}' came back as {}", p.to_fen(), to_uci(m), text,
                               back ? to_uci(*back) : back.error()));
  tally.short_ambiguous += !back;
  const std::string chinese = to_text(p, m, Notation::Chinese);
  tally.marked += chinese.starts_with("前") || chinese.starts_with("中") || chinese.starts_with("后");
  for (const char* number : {"一", "二", "三", "四", "五"}) tally.numbered += chinese.starts_with(number);
}

PgnGame random_game(uint64_t seed, uint64_t index, Tally& tally) {
  constexpr int kLongest = 120;
  constexpr std::array kComments = {"",
                                    "",
                                    "",
                                    "a comment",
                                    "好棋",
                                    "two  blanks and 很长的注释 that must be wrapped at "
                                    "some place near the right-hand edge of the page, 再来一句"};
  constexpr std::array kResults = {"1-0", "0-1", "1/2-1/2", "*"};
  Random random(seed, "notation", index);
  PgnGame game;
  game.set_tag("Event", fmt::format("游戏 \"{}\"", index));
  game.set_tag("Red", "红\\方");
  game.set_tag("Black", "黑方");
  game.set_tag(kRuleSetTag, "cxa2007");
  game.result = kResults[random.below(kResults.size())];
  if (index % 2 == 1) game.start = sparse_position(random);
  game.comments[0] = kComments[random.below(kComments.size())];
  Position p = game.start;
  for (int ply = 0; ply < kLongest; ++ply) {
    const MoveList legal = p.legal_moves();
    if (legal.empty()) break;
    for (Move m : legal) check_move(p, m, tally);
    const Move m = legal[int(random.below(uint64_t(legal.size())))];
    game.add_move(m, kComments[random.below(kComments.size())]);
    p.play(m);
  }
  return game;
}

std::string first_difference(const PgnFile& file, const PgnGame& game) {
  if (file.games.empty()) return "no game";
  const PgnGame& back = file.games[0];
  if (back.tags != game.tags) return "tags differ";
  if (back.start != game.start) return "start differs";
  for (size_t i = 0; i < game.moves.size(); ++i) {
    if (i >= back.moves.size() || back.moves[i] != game.moves[i]) return fmt::format("ply {} differs", i + 1);
    if (back.comments[i] != game.comments[i]) return fmt::format("comment {} is '{}'", i, back.comments[i]);
  }
  return "its end, or the second game";
}

void check_pgn(PgnGame game, Tally& tally) {
  for (Notation notation : {Notation::Chinese, Notation::ChineseShort, Notation::Wxf, Notation::Iccs,
                            Notation::Uci, Notation::UciFromOne})
    for (Encoding encoding : {Encoding::Utf8, Encoding::Gb18030}) {
      game.notation = notation;
      const std::string text = write_pgn(game, encoding) + write_pgn(game, encoding);
      const PgnFile file = read_pgn(text, "game.pgn");
      const bool same = file.games.size() == 2 && file.games[0] == game && file.games[1] == game;
      if (same && file.faults.empty() && file.encoding == encoding) continue;
      tally.complain(fmt::format("{} {}: {} games came back, {}: {}", name_of(notation), name_of(encoding),
                                 file.games.size(), file.faults.empty() ? "no fault" : file.faults[0].message,
                                 first_difference(file, game)));
    }
}

int run(int argc, char** argv) {
  CLI::App app("Every move through every notation and back; whole games through PGN.", "notation");
  uint64_t games = 2000, seed = 1;
  app.add_option("--games", games, "random games; every other one from a sparse position")
      ->capture_default_str();
  app.add_option("--seed", seed, "of the games")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  Tally tally;
  for (uint64_t i = 0; i < games; ++i) check_pgn(random_game(seed, i, tally), tally);
  fmt::print("front/middle/rear {}, numbered pawns {}, ambiguous short texts {}\n", tally.marked,
             tally.numbered, tally.short_ambiguous);
  fmt::print("NOTATION differ={} moves={}\n", tally.differ, tally.moves);
  return tally.differ == 0 ? 0 : 1;
}

}  // namespace
}  // namespace chuhe::xiangqi

int main(int argc, char** argv) {
  try {
    return chuhe::xiangqi::run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "notation: {}\n", e.what());
    return 2;
  }
}
