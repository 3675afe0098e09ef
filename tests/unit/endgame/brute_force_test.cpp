// The tables against a second solver that shares no move generator with them and works the plain way: for
// growing n, look at every position again.

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/unit/xiangqi/slow_rules.h"
#include "xiangqi/endgame/endgame_table.h"

namespace chuhe::xiangqi {
namespace {

class PlainSolver {
 public:
  explicit PlainSolver(const std::string& men) {
    place(men, 0, std::string(90, '.'));
    for (size_t i = 0; i < nodes_.size(); ++i) link(i);  // captures add nodes while this goes on
    for (int plies = 0, idle = 0; idle < 2; ++plies) idle = settle(plies) ? 0 : idle + 1;
  }

  template <class Visit>
  void each(const Visit& visit) const {
    for (const Node& node : nodes_) visit(node.position, node.value);
  }

 private:
  struct Node {
    Position position;
    std::vector<size_t> next;
    EndgameValue value;
    bool settled = false;
  };

  // All ways to put the letters on the board that a FEN reader accepts, either side to move.
  void place(const std::string& men, size_t at, const std::string& board) {
    if (at < men.size()) {
      for (size_t s = 0; s < 90; ++s) {
        if (board[s] != '.' || !can_stand(men[at], s)) continue;
        std::string more = board;
        more[s] = men[at];
        place(men, at + 1, more);
      }
      return;
    }
    for (const char side : {'w', 'b'})
      if (const auto p = Position::from_fen(fen(board, side))) add(*p);
  }

  // Only to save time: what is left out here, the FEN reader would refuse.
  static bool can_stand(char man, size_t square) {
    const bool palace = square % 9 / 3 == 1 && (std::isupper(man) ? square < 27 : square >= 63);
    return palace || (std::toupper(man) != 'K' && std::toupper(man) != 'A');
  }

  static std::string fen(const std::string& board, char side) {
    std::string text;
    for (int rank = 9; rank >= 0; --rank) {
      for (size_t file = 0; file < 9; ++file) {
        const char letter = board[size_t(rank) * 9 + file];
        text += letter == '.' ? '1' : letter;
      }
      text += rank ? "/" : " ";
    }
    return text + side;
  }

  size_t add(const Position& p) {
    const auto [at, fresh] = by_key_.emplace(p.key(), nodes_.size());
    if (fresh) nodes_.push_back({p, {}, {}, false});
    return at->second;
  }

  void link(size_t i) {
    const Position here = nodes_[i].position;
    std::vector<size_t> next;
    for (const std::string& move : SlowBoard(here).legal_moves()) {
      Position p = here;
      p.play(parse_uci(move));
      next.push_back(add(p));
    }
    nodes_[i].next = std::move(next);
  }

  bool settle(int plies) {
    std::vector<std::pair<size_t, Wdl>> found;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].settled) continue;
      bool lost = true;
      for (const size_t n : nodes_[i].next) {
        const Node& next = nodes_[n];
        if (next.settled && next.value.wdl == Wdl::Loss) {
          found.emplace_back(i, Wdl::Win);
          break;
        }
        lost &= next.settled;
      }
      if (lost && (found.empty() || found.back().first != i)) found.emplace_back(i, Wdl::Loss);
    }
    for (const auto& [i, wdl] : found) nodes_[i].value = {wdl, plies}, nodes_[i].settled = true;
    return !found.empty();
  }

  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, size_t> by_key_;
};

class BruteForce : public testing::TestWithParam<const char*> {};

TEST_P(BruteForce, AgreesWithTheTableEverywhere) {
  const PlainSolver plain(GetParam());
  EndgameTables tables(uint64_t(64) << 20);
  int positions = 0;
  plain.each([&](const Position& p, const EndgameValue& value) {
    ++positions;
    const EndgameValue found = tables.probe(p);
    EXPECT_EQ(found, value) << p.to_fen() << " " << name_of(found.wdl) << " " << found.plies << ", not "
                            << name_of(value.wdl) << " " << value.plies;
  });
  EXPECT_GT(positions, 5000);
}

// The kings first. Pawns of Black and a cannon with screens of either side among them; KCka has captures by
// both sides.
INSTANTIATE_TEST_SUITE_P(Materials, BruteForce, testing::Values("KkP", "KkR", "Kkp", "KkN", "KkCA", "KkCa"));

}  // namespace
}  // namespace chuhe::xiangqi
