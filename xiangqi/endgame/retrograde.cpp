#include "xiangqi/endgame/retrograde.h"

#include <algorithm>

#include "base/error.h"
#include "xiangqi/endgame/men.h"

namespace chuhe::xiangqi {
namespace {

constexpr int16_t kIllegal = EndgameTable::kIllegal;

constexpr int16_t loss_in(int plies) {
  return int16_t(-1 - plies);
}

// Layer by layer: what is lost in n plies makes its predecessors won in n + 1; a position all of whose moves
// lead to positions won by the opponent is lost. Captures are looked up once, before: their best win and
// longest loss stand in `values_` as bounds until their layer comes.
class Solver {
 public:
  Solver(const PlacementIndex& index,
         const std::function<std::shared_ptr<const EndgameTable>(const Material&)>& smaller)
      : index_(index), men_(index) {
    for (const auto& g : index.groups()) {
      auto& capture = captures_.emplace_back();
      if (g.type == PieceType::King) continue;
      const Material left = index.material().without(g.color, g.type);
      capture.table = smaller(left);
      capture.swapped = capture.table->material() != left;
    }
    for (int side = 0; side < 2; ++side) {
      values_[side].assign(index.size(), 0);
      open_moves_[side].assign(index.size(), 0);
    }
  }

  EndgameTable::Values solve() {
    mark_illegal();
    for (uint64_t i = 0; i < index_.size(); ++i) look_forward(i);
    for (int plies = 0; plies <= last_layer_; ++plies)
      for (const Color c : {Color::Red, Color::Black}) settle(c, plies);
    // Bounds of positions that have a way out of the losing captures.
    for (int side = 0; side < 2; ++side)
      for (uint64_t i = 0; i < index_.size(); ++i)
        if (open_moves_[side][i] > 0 && values_[side][i] < 0 && values_[side][i] != kIllegal)
          values_[side][i] = 0;
    return std::move(values_);
  }

 private:
  struct Capture {
    std::shared_ptr<const EndgameTable> table;
    bool swapped = false;
  };

  void mark_illegal() {
    for (uint64_t i = 0; i < index_.size(); ++i) {
      const bool apart = men_.place(i);
      for (const Color c : {Color::Red, Color::Black})
        if (!apart || men_.attacked(~c, men_.king(~c), men_.occupied())) values_[size_t(c)][i] = kIllegal;
    }
  }

  void look_forward(uint64_t i) {
    if (values_[0][i] == kIllegal && values_[1][i] == kIllegal) return;
    men_.place(i);
    for (const Color c : {Color::Red, Color::Black})
      if (values_[size_t(c)][i] != kIllegal) count_moves(i, c);
  }

  void count_moves(uint64_t i, Color c) {
    const auto& after = values_[size_t(~c)];
    const Bitboard enemies = men_.men(~c), empty = ~men_.occupied();
    int open = 0, fastest_win = 0, longest_loss = -1;
    for (const int slot : men_.slots(c)) {
      const Bitboard targets = men_.targets(c, slot);
      for (const Square to : targets& empty)
        open += after[index_.moved(i, men_.squares(), slot, to)] != kIllegal;
      for (const Square to : targets& enemies) {
        const int16_t value = value_after_capture(c, slot, to);
        if (value == kIllegal) continue;
        if (value == 0) ++open;  // a draw: never settled as lost
        if (value > 0) longest_loss = std::max(longest_loss, value + 1);
        if (value < 0) fastest_win = fastest_win ? std::min(fastest_win, -value) : -value;
      }
    }
    CHUHE_DCHECK(open < 256);
    open_moves_[size_t(c)][i] = uint8_t(open);
    if (fastest_win) {
      expect(values_[size_t(c)][i], int16_t(fastest_win));
    } else if (open == 0 || longest_loss >= 0) {
      expect(values_[size_t(c)][i], loss_in(std::max(longest_loss, 0)));
    }
  }

  // For the opponent, who is then to move.
  int16_t value_after_capture(Color c, int mover, Square to) const {
    const int taken = men_.slot_on(to, ~c);
    if (taken == men_.king_slot(~c)) return kIllegal;
    const auto& group = index_.group_of(taken);
    const Capture& capture = captures_[size_t(&group - index_.groups().data())];
    Placement left;
    for (const Color side : {Color::Red, Color::Black})
      for (const int slot : men_.slots(side))
        if (slot != taken) left.add(side, men_.type(slot), slot == mover ? to : men_.square(slot));
    const auto& index = capture.table->index();
    return capture.swapped ? capture.table->raw(c, index.index(left.swapped()))
                           : capture.table->raw(~c, index.index(left));
  }

  // Gives all positions of one side whose layer this is to their predecessors.
  void settle(Color c, int plies) {
    const auto& values = values_[size_t(c)];
    const int16_t win = int16_t(plies), loss = loss_in(plies);  // win in 0 is a draw: see settle_position
    constexpr uint64_t kBlock = 64;  // most hold nothing of a layer, which a look without branches tells
    for (uint64_t first = 0; first < values.size(); first += kBlock) {
      const uint64_t last = std::min(first + kBlock, uint64_t(values.size()));
      int hits = 0;
      for (uint64_t i = first; i < last; ++i) hits += int(values[i] == win) + int(values[i] == loss);
      for (uint64_t i = first; hits > 0 && i < last; ++i) settle_position(i, c, plies);
    }
  }

  void settle_position(uint64_t i, Color c, int plies) {
    const int16_t value = values_[size_t(c)][i];
    if (value > 0 && value == plies) {
      spread<false>(i, c, plies);
    } else if (value == loss_in(plies) && open_moves_[size_t(c)][i] == 0) {
      spread<true>(i, c, plies);
    }
  }

  template <bool Lost>
  void spread(uint64_t i, Color c, int plies) {
    men_.place(i);
    auto& before = values_[size_t(~c)];
    auto& open = open_moves_[size_t(~c)];
    for (const int slot : men_.slots(~c)) {
      for (const Square from : men_.origins(~c, slot)) {
        const uint64_t at = index_.moved(i, men_.squares(), slot, from);
        int16_t& value = before[at];
        if (value == kIllegal) continue;
        if constexpr (Lost) {
          if (value <= 0 || value > plies + 1) expect(value, int16_t(plies + 1));
        } else {
          if (--open[at] == 0 && value <= 0) expect(value, std::min(value, loss_in(plies + 1)));
        }
      }
    }
  }

  void expect(int16_t& value, int16_t now) {
    value = now;
    last_layer_ = std::max(last_layer_, now > 0 ? now : -1 - now);
  }

  const PlacementIndex& index_;
  Men men_;
  std::vector<Capture> captures_;  // by group
  EndgameTable::Values values_;
  std::array<std::vector<uint8_t>, 2> open_moves_;  // by colour to move: moves not known to lose
  int last_layer_ = 0;                              // the last one that anything is expected in
};

}  // namespace

EndgameTable::Values solve_by_retrograde(
    const PlacementIndex& index,
    const std::function<std::shared_ptr<const EndgameTable>(const Material&)>& smaller) {
  return Solver(index, smaller).solve();
}

}  // namespace chuhe::xiangqi
