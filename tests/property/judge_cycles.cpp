#include "tests/property/judge_cycles.h"
#include "tests/support/lettered_board.h"

#include <array>
#include <optional>
#include <string_view>

namespace chuhe::xiangqi {
namespace {

using test::fen_of;
using test::Letters;

template <size_t N>
void place(Letters& board, char letter, const std::array<std::string_view, N>& points, Random& random) {
  const std::string_view at = points[random.below(N)];
  const Square s = make_square(at[0] - 'a', at[1] - '0');
  if (board[s] == '.') board[s] = letter;
}

/// A rook, horse or cannon, now and then two of them; pawns. `likely` of 10: of each man.
void place_attackers(Letters& board, bool red, uint64_t likely, Random& random) {
  for (char letter : std::string_view("RRNNCCPPP")) {
    if (random.below(10) >= likely) continue;
    // Half of them near the enemy king, where something happens.
    const bool near = random.below(2) == 0;
    int rank = near ? 6 + int(random.below(4)) : int(random.below(10));
    if (letter == 'P') rank = 4 + int(random.below(5));
    int file = near ? 2 + int(random.below(5)) : int(random.below(9));
    if (letter == 'P' && rank < 5) file &= ~1;
    const Square s = make_square(file, red ? rank : 9 - rank);
    if (board[s] == '.') board[s] = red ? letter : char(letter - 'A' + 'a');
  }
}

std::optional<Position> placed_position(Random& random) {
  constexpr std::array<std::string_view, 9> kRedKing = {"d0", "e0", "f0", "d1", "e1", "f1", "d2", "e2", "f2"};
  constexpr std::array<std::string_view, 9> kBlackKing = {"d9", "e9", "f9", "d8", "e8",
                                                          "f8", "d7", "e7", "f7"};
  constexpr std::array<std::string_view, 5> kRedAdvisor = {"d0", "f0", "e1", "d2", "f2"};
  constexpr std::array<std::string_view, 5> kBlackAdvisor = {"d9", "f9", "e8", "d7", "f7"};
  constexpr std::array<std::string_view, 7> kRedElephant = {"c0", "g0", "a2", "e2", "i2", "c4", "g4"};
  constexpr std::array<std::string_view, 7> kBlackElephant = {"c9", "g9", "a7", "e7", "i7", "c5", "g5"};
  Letters board;
  board.fill('.');
  place(board, 'K', kRedKing, random);
  place(board, 'k', kBlackKing, random);
  for (int i = 0; i < 2; ++i) {
    if (random.below(2) == 0) place(board, 'A', kRedAdvisor, random);
    if (random.below(2) == 0) place(board, 'a', kBlackAdvisor, random);
    if (random.below(2) == 0) place(board, 'B', kRedElephant, random);
    if (random.below(2) == 0) place(board, 'b', kBlackElephant, random);
  }
  place_attackers(board, true, 1 + random.below(5), random);
  place_attackers(board, false, 1 + random.below(5), random);
  const auto p = Position::from_fen(fen_of(board, random.below(2) == 0 ? 'w' : 'b'));
  if (p) return *p;
  return std::nullopt;
}

std::optional<Position> played_position(Random& random) {
  Position p;
  for (uint64_t plies = 10 + random.below(90); plies-- > 0;) {
    const MoveList legal = p.legal_moves();
    if (legal.empty()) return std::nullopt;
    Move m = legal[int(random.below(uint64_t(legal.size())))];
    // Captures thin the board out.
    for (int tries = 0; tries < 2 && p.empty(m.to()); ++tries)
      m = legal[int(random.below(uint64_t(legal.size())))];
    p.play(m);
  }
  return p;
}

bool attacks(const Position& after, Square from) {
  const Position again = after.after_pass();
  for (Square s : again.pieces(again.side_to_move()))
    if (s == from)
      for (Square to : again.pieces(~again.side_to_move()))
        if (again.is_pseudo_legal(Move(from, to))) return true;
  return false;
}

bool quiet(const Position& p, Move m) {
  return p.is_legal(m) && p.empty(m.to());
}

/// A walk of one man that comes home after `steps` moves; each side has one, and they alternate.
std::optional<Cycle> try_cycle(const Position& start, int steps, Random& random) {
  Cycle cycle{start, {}};
  Position p = start;
  std::array<Square, 2> home{kNoSquare, kNoSquare}, at{kNoSquare, kNoSquare};
  for (int ply = 0; ply < 2 * steps; ++ply) {
    const int side = ply % 2;
    const bool last = ply >= 2 * steps - 2, leave = at[side] == home[side];
    Move m;
    if (last) {
      if (leave) return std::nullopt;
      m = Move(at[side], home[side]);
    } else {
      const MoveList legal = p.legal_moves();
      if (legal.empty()) return std::nullopt;
      for (int tries = 0; tries < 8; ++tries) {
        const Move drawn = legal[int(random.below(uint64_t(legal.size())))];
        // Home again half-way, from a walk of four, another man may go on.
        if (!leave && drawn.from() != at[side]) continue;
        m = drawn;
        if (quiet(p, m)) break;
      }
      if (steps == 4 && !leave && ply / 2 == 1) m = Move(at[side], home[side]);
    }
    if (!m || !quiet(p, m)) return std::nullopt;
    if (leave) home[side] = m.from();
    at[side] = m.to();
    p.play(m);
    cycle.moves.push_back(m);
  }
  return cycle;
}

/// Do two like men other than pawns attack each other, one of them the moved one?
bool meets_its_like(const Position& after, Square moved) {
  const Position again = after.after_pass();
  const Piece p = after.piece_on(moved);
  if (type_of(p) == PieceType::Pawn || type_of(p) == PieceType::King) return false;
  for (Square to : again.pieces(~color_of(p), type_of(p)))
    if (again.is_pseudo_legal(Move(moved, to)) && again.attackers_to(moved, color_of(p), again.occupied()))
      return true;
  return false;
}

enum class Kind { Any, Attack, Trade };

bool is_of(Kind kind, const Cycle& c) {
  if (kind == Kind::Any) return true;
  Position p = c.start;
  for (Move m : c.moves) {
    p.play(m);
    if (kind == Kind::Trade ? meets_its_like(p, m.to()) : p.in_check() || attacks(p, m.to())) return true;
  }
  return false;
}

}  // namespace

Cycle random_cycle(Random& random) {
  for (;;) {
    const auto p = random.below(3) == 0 ? played_position(random) : placed_position(random);
    if (!p) continue;
    const uint64_t draw = random.below(10);
    const int steps = draw < 8 ? 2 : draw == 8 ? 3 : 4;
    const uint64_t wish = random.below(10);
    const Kind kind = wish < 1 ? Kind::Any : wish < 7 ? Kind::Attack : Kind::Trade;
    for (int tries = 0; tries < 40; ++tries) {
      const auto cycle = try_cycle(*p, steps, random);
      if (cycle && is_of(kind, *cycle)) return *cycle;
    }
  }
}

Cycle mirrored(const Cycle& c) {
  Cycle out{c.start.mirrored(), {}};
  for (Move m : c.moves) out.moves.emplace_back(mirrored(m.from()), mirrored(m.to()));
  return out;
}

Cycle color_swapped(const Cycle& c) {
  Cycle out{c.start.color_swapped(), {}};
  for (Move m : c.moves) out.moves.emplace_back(flipped(m.from()), flipped(m.to()));
  return out;
}

Cycle rotated(const Cycle& c, int plies) {
  Cycle out = c;
  for (int i = 0; i < plies; ++i) {
    out.start.play(out.moves.front());
    out.moves.push_back(out.moves.front());
    out.moves.erase(out.moves.begin());
  }
  return out;
}

}  // namespace chuhe::xiangqi
