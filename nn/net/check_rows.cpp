#include "nn/net/check_rows.h"

#include "base/random.h"
#include "nn/encoding/packed_row.h"
#include "xiangqi/rules/game_history.h"
#include "xiangqi/rules/rule_set.h"

namespace chuhe::nn {

std::vector<PackedRow> self_check_rows() {
  constexpr size_t kRows = 8;
  std::vector<PackedRow> rows;
  const auto& rules = xiangqi::rule_set("checks_only");
  for (int game = 0; rows.size() < kRows; ++game) {
    Random random(1, "self_check", uint64_t(game));
    xiangqi::GameHistory history(xiangqi::Position(), rules.natural_limit_checks);
    const int plies = 17 * game;
    while (history.plies() < plies) {
      const xiangqi::MoveList legal = history.current().legal_moves();
      if (legal.empty()) break;
      history.push(legal[int(random.below(uint64_t(legal.size())))]);
    }
    rows.push_back(pack(history, rules));
  }
  return rows;
}

}  // namespace chuhe::nn
