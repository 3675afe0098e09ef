#include "xiangqi/endgame/endgame_table.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "xiangqi/endgame/men.h"
#include "xiangqi/endgame/retrograde.h"

namespace chuhe::xiangqi {
namespace {

EndgameValue decoded(int16_t value) {
  if (value > 0) return {Wdl::Win, value};
  if (value < 0) return {Wdl::Loss, -1 - value};
  return {Wdl::Draw, 0};
}

Material canonical(const Material& material) {
  return material.is_canonical() ? material : material.swapped();
}

std::string fen_of(const PlacementIndex& index, uint64_t number, Color to_move) {
  Men men(index);
  men.place(number);
  constexpr std::string_view kLetters = "KABNRCP";
  std::string board;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < kFiles; ++file) {
      const Square s = make_square(file, rank);
      const bool red = men.men(Color::Red).has(s), black = men.men(Color::Black).has(s);
      if (!red && !black) {
        ++empty;
        continue;
      }
      if (empty > 0) board += std::to_string(empty);
      empty = 0;
      const char letter = kLetters[size_t(men.type(men.slot_on(s, red ? Color::Red : Color::Black)))];
      board += red ? letter : char(letter - 'A' + 'a');
    }
    if (empty > 0) board += std::to_string(empty);
    if (rank > 0) board += '/';
  }
  return board + (to_move == Color::Red ? " w - - 0 1" : " b - - 0 1");
}

}  // namespace

std::string_view name_of(Wdl w) {
  return w == Wdl::Win ? "win" : w == Wdl::Loss ? "loss" : "draw";
}

std::shared_ptr<const EndgameTable> EndgameTable::solve(const Material& material, uint64_t byte_limit) {
  return EndgameTables(byte_limit).table(material);
}

uint64_t EndgameTable::bytes_to_solve(const Material& material) {
  // Sizes saturate at 2^63: keep room for the factors.
  const uint64_t all = std::min(PlacementIndex::size_with_descendants(material), uint64_t(1) << 60);
  return all * 2 * sizeof(int16_t) + std::min(PlacementIndex::size_of(material), all) * kRetrogradeWorkBytes;
}

std::optional<EndgameValue> EndgameTable::probe(const Position& position) const {
  const Material found = Material::of(position);
  const Placement placement = Placement::of(position);
  if (found == material()) return decoded(raw(position.side_to_move(), index_.index(placement)));
  if (found == material().swapped())
    return decoded(raw(~position.side_to_move(), index_.index(placement.swapped())));
  return std::nullopt;
}

EndgameTable::Summary EndgameTable::summary() const {
  Summary summary;
  for (const Color c : {Color::Red, Color::Black}) {
    Summary::Side& side = summary.to_move[size_t(c)];
    for (uint64_t i = 0; i < index_.size(); ++i) {
      const int16_t value = raw(c, i);
      if (value == kIllegal) continue;
      ++(value > 0 ? side.wins : value < 0 ? side.losses : side.draws);
      if (value <= summary.longest) continue;
      summary.longest = value;
      summary.longest_fen = fen_of(index_, i, c);
    }
  }
  return summary;
}

bool EndgameTables::covers(const Material& material) const {
  return EndgameTable::bytes_to_solve(material) <= byte_limit_;
}

EndgameTables::EndgameTables(uint64_t byte_limit) : EndgameTables(byte_limit, solve_by_retrograde) {}

EndgameTables::EndgameTables(uint64_t byte_limit, EndgameSolver solver)
    : byte_limit_(byte_limit), solver_(std::move(solver)) {}

std::shared_ptr<const EndgameTable> EndgameTables::table(const Material& material) {
  const Material wanted = canonical(material);
  const uint64_t needed = EndgameTable::bytes_to_solve(wanted);
  std::unique_lock lock(mutex_);
  if (!tables_.contains(wanted) && needed > byte_limit_)
    throw Error("the endgame table of {} needs {} bytes of memory, but only {} are allowed", material.name(),
                needed < uint64_t(1) << 60 ? std::to_string(needed) : "over 10^18", byte_limit_);
  room_.wait(lock, [&] { return tables_.contains(wanted) || reserved_ + needed <= byte_limit_; });
  if (tables_.contains(wanted)) return found_or_solved(std::move(lock), wanted);

  if (held_ + reserved_ + needed > byte_limit_) forget_solved();
  reserved_ += needed;
  struct Release {
    EndgameTables& store;
    uint64_t bytes;
    ~Release() {
      const std::scoped_lock lock(store.mutex_);
      store.reserved_ -= bytes;
      store.room_.notify_all();
    }
  } const release{*this, needed};
  return found_or_solved(std::move(lock), wanted);
}

// Makes room by starting afresh: which tables to keep is not worth a policy, they are solved in seconds.
void EndgameTables::forget_solved() {
  std::erase_if(tables_, [](const auto& entry) {
    return entry.second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  held_ = 0;
}

// The first thread that needs a table solves it, without the lock; the others wait for that table. They never
// wait in a circle: a table needs smaller ones only.
EndgameTables::Table EndgameTables::found_or_solved(std::unique_lock<std::mutex> lock,
                                                    const Material& wanted) {
  if (const auto known = tables_.find(wanted); known != tables_.end()) {
    const std::shared_future<Table> table = known->second;
    lock.unlock();
    return table.get();
  }
  std::promise<Table> promise;
  tables_.emplace(wanted, promise.get_future().share());
  lock.unlock();
  try {
    PlacementIndex index(wanted);
    auto values = solver_(index, [this](const Material& left) {
      return found_or_solved(std::unique_lock(mutex_), canonical(left));
    });
    const auto table = std::make_shared<const EndgameTable>(std::move(index), std::move(values));
    lock.lock();
    held_ += table->bytes();
    promise.set_value(table);
    return table;
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    tables_.erase(wanted);
    promise.set_exception(std::current_exception());
    throw;
  }
}

EndgameValue EndgameTables::probe(const Position& position) {
  return *table(Material::of(position))->probe(position);
}

std::vector<EndgameMove> EndgameTables::moves(const Position& position) {
  std::vector<EndgameMove> list;
  for (const Move m : position.legal_moves()) {
    Position next = position;
    next.play(m);
    const EndgameValue theirs = probe(next);
    const Wdl ours = Wdl(-int(theirs.wdl));
    list.push_back({m, {ours, ours == Wdl::Draw ? 0 : theirs.plies + 1}});
  }
  // From the best down: wins fall with their length, losses rise with it.
  const auto rank = [](const EndgameMove& m) {
    return std::pair(-int(m.value.wdl), m.value.plies * int(m.value.wdl));
  };
  std::stable_sort(list.begin(), list.end(),
                   [&](const EndgameMove& a, const EndgameMove& b) { return rank(a) < rank(b); });
  return list;
}

std::vector<Move> EndgameTables::line(Position position) {
  std::vector<Move> line;
  if (probe(position).wdl == Wdl::Draw) return line;
  for (auto list = moves(position); !list.empty(); list = moves(position)) {
    line.push_back(list.front().move);
    position.play(list.front().move);
  }
  return line;
}

}  // namespace chuhe::xiangqi
