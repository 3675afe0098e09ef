#pragma once
// The judge's definitions (docs/rules.md, "The judge") written a second time: plain recursion over copied
// boards, nothing remembered, nothing cut off but by one limit of boards per ply. Slow, to compare with.

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "xiangqi/board/position.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::xiangqi::brute {

/// A position whose men have numbers (from 1; 0 = empty point) that follow them.
struct Board {
  explicit Board(const Position& p);
  void play(Move m);
  Board played(Move m) const;
  Board passed() const;
  int man(Square s) const { return id[s]; }
  Square square_of(int man_id) const;  // kNoSquare: taken

  Position position;
  std::array<uint8_t, kSquares> id{};
};

using Men = std::set<int>;
using Pairs = std::set<std::pair<int, int>>;  // (own man, enemy man)

/// Captures that a mate may not use: inside these pairs while the victim stands where it stood, and later, too, if
/// nobody but the capturer has moved.
struct MateBan {
  MateBan() = default;
  MateBan(const Board& b, const Pairs& mutual);
  bool forbids(const Board& b, Move m, const Men& moved) const;
  std::set<std::tuple<int, int, Square>> pairs;
};

/// Won minus lost in a line (25.3).
struct Balance {
  int strong = 0, weak = 0, pawns = 0;
  bool lost = false;
  bool is_gain(int level) const;
};

struct Gain {
  int attacker = 0, victim = 0;   // a run: victim 0
  Square point = kNoSquare;       // that the first move goes to
  int level = 0, run_level = -1;  // run_level: of a capture that is a check, if the run wins more
  GainForm form = GainForm::Direct;
  bool offered = false;  // inside a mutual pair
  int best_level() const { return level > run_level ? level : run_level; }
  Men victims;  // of a run's lines: all that they win
};
using Gains = std::vector<Gain>;

/// Thrown when a ply takes more boards than the limit.
struct TooLong {};

/// How a ply chases, for 29.8.
struct Kind {
  bool direct = false, joint = false, escape = false;
};

class Ply {
 public:
  /// `rules`: a Chinese set. Asked for the Asian one, only check() and asian_victims() make sense.
  Ply(const Position& before, Move move, const RuleSet& rules, int64_t limit);

  /// 献 拦 跟 count as 闲.
  PlyClass chinese() const;
  bool chases_with_pawn() const;  // 27.2 of 1999
  Kind kind() const;
  /// Asian rules: men attacked anew, where they stand after the move.
  Bitboard asian_victims() const;
  bool check() const { return after_.position.in_check(); }
  /// The new gains and those that stood, in words.
  std::string explain() const;

 private:
  Gains new_gains(bool pawns, Gains* old = nullptr) const;
  int mate_depth() const;
  bool self_inflicted(int depth) const;
  bool lone_attacker(const Gains& gains) const;
  bool offers_exchange() const;
  bool escapes(bool mover_attacks) const;
  bool hung() const;
  MateBan mate_bans() const;
  bool slept_under_mate(const Gain& gain, bool pawns) const;
  bool gives_up_a_ward(const Gain& gain) const;
  bool taken_jointly(const Gain& gain) const;
  bool is_form_of(const Gain& gain, const Gain& earlier) const;
  bool became_real(const Gain& gain, const Gains& earlier, bool pawns) const;
  Men hung_for(const Gain& gain, bool pawns) const;
  bool answered_by_checks(const Board& b, Move capture) const;
  Men hanging() const;  // the mover's men that the opponent could take before the move
  bool king_evasion() const;
  void count() const {
    if (++boards_ > limit_) throw TooLong{};
  }

  const RuleSet& rules_;
  Board before_, after_, next_;  // next_: after the move the opponent has passed
  Move move_;
  Color mover_;
  bool was_in_check_;
  int64_t limit_;
  mutable int64_t boards_ = 0;
};

}  // namespace chuhe::xiangqi::brute
