#include "selfplay/worker.h"

#include <utility>

#include "base/error.h"

namespace chuhe::selfplay {

std::optional<match::GameSpec> FarmShared::take() {
  std::lock_guard lock(mutex_);
  match::GameSpec spec;
  if (dry_ || stop.stop_requested()) return std::nullopt;
  if (next_(spec)) return spec;
  dry_ = true;
  return std::nullopt;
}

void FarmShared::fail(std::exception_ptr why) {
  {
    std::lock_guard lock(mutex_);
    if (!error) error = std::move(why);
  }
  stop.request_stop();
}

void WorkerJudge::report(JudgeTotals& totals) {
  const xiangqi::JudgeMemory::Counts& now = memory.counts();
  totals.verdicts += now.verdicts - reported.verdicts;
  totals.cycles_known += now.cycles_known - reported.cycles_known;
  totals.plies += now.plies - reported.plies;
  totals.budget_exceeded += now.budget_exceeded - reported.budget_exceeded;
  reported = now;
}

Worker::Worker(FarmShared& shared, int slots, const std::vector<nn::EvaluatorFactory>& evaluators,
               std::deque<match::GameSpec> first)
    : shared_(shared), first_(std::move(first)) {
  for (const nn::EvaluatorFactory& make : evaluators) {
    evaluators_.push_back(make());
    nets_.push_back(evaluators_.back()->info().net_id);
  }
  const int half_size = (slots + 1) / 2;  // one batch shape for both halves
  halves_[0].slots.resize(size_t(half_size));
  halves_[1].slots.resize(size_t(slots - half_size));
  for (Half& half : halves_) {
    for (const auto& evaluator : evaluators_) half.batches.push_back(evaluator->make_batch(half_size));
    half.tickets.resize(evaluators_.size());
  }
}

Worker::~Worker() {
  // A batch must not go while its evaluator is at work on it.
  for (Half& half : halves_)
    for (size_t e = 0; e < evaluators_.size(); ++e) {
      if (!half.tickets[e]) continue;
      try {
        evaluators_[e]->collect(*half.tickets[e]);
      } catch (...) {
        shared_.fail(std::current_exception());
      }
    }
}

void Worker::run() {
  for (Half& half : halves_) fill(half);
  for (int h = 0; !stopped() && halves_[0].live + halves_[1].live > 0; h ^= 1) {
    Half& half = halves_[h];
    if (half.live == 0) continue;
    collect(half);
    merge_if_few(half, halves_[h ^ 1]);
    search(half);
    submit(half);
  }
  report_judges();
}

void Worker::report_judges() {
  for (auto& [rule_set, judge] : judges_) judge.report(shared_.judge);
}

std::optional<match::GameSpec> Worker::next_game() {
  if (first_.empty()) return shared_.take();
  match::GameSpec spec = std::move(first_.front());
  first_.pop_front();
  return spec;
}

void Worker::fill(Half& half) {
  for (Slot& slot : half.slots) {
    if (slot.runner || stopped()) continue;
    auto spec = next_game();
    if (!spec) return;
    xiangqi::JudgeMemory& memory = judges_[spec->rule_set].memory;
    slot.runner.emplace(std::move(*spec), &memory);
    for (size_t e = 0; e < nets_.size(); ++e) slot.runner->set_net(int(e), nets_[e]);
    ++half.live;
  }
}

void Worker::collect(Half& half) {
  for (size_t e = 0; e < evaluators_.size(); ++e)
    if (half.tickets[e]) evaluators_[e]->collect(*std::exchange(half.tickets[e], std::nullopt));
  for (Slot& slot : half.slots)
    if (slot.rows_in >= 0) slot.runner->absorb(*half.batches[size_t(std::exchange(slot.rows_in, -1))]);
}

// Batches cost the same however few rows they hold, so the last games share one half.
void Worker::merge_if_few(Half& from, Half& into) {
  if (!first_.empty() || !shared_.is_dry() || into.live == 0) return;
  if (from.live + into.live > int(into.slots.size())) return;
  auto free = into.slots.begin();
  for (Slot& slot : from.slots) {
    if (!slot.runner) continue;
    while (free->runner) ++free;
    free->runner = std::exchange(slot.runner, std::nullopt);
    --from.live;
    ++into.live;
  }
}

void Worker::search(Half& half) {
  for (auto& batch : half.batches) batch->clear();
  for (Slot& slot : half.slots)
    if (slot.runner && !stopped()) step(half, slot);
}

// Drives the slot's games until rows are in a batch or no game is left for it.
void Worker::step(Half& half, Slot& slot) {
  while (slot.runner && !stopped()) {
    match::GameRunner& game = *slot.runner;
    game.advance(1);
    if (game.finished()) {
      finish(half, slot);
    } else if (game.wants_evaluation()) {
      const int evaluator = game.wanted();
      CHUHE_CHECK(size_t(evaluator) < evaluators_.size(), "evaluator {} of {}", evaluator,
                  evaluators_.size());
      // One leaf per game: more in one tree would cost strength.
      const int rows = game.gather(*half.batches[size_t(evaluator)], 1);
      if (rows == 0) continue;
      slot.rows_in = evaluator;
      return;
    } else {
      CHUHE_CHECK(!game.waits_for_outside(), "outside players have no place in a farm");
    }
  }
}

void Worker::finish(Half& half, Slot& slot) {
  report_judges();
  shared_.simulations += slot.runner->simulations();
  shards::GameRecord record = slot.runner->take_record();
  ++shared_.games;
  shared_.plies += record.plies.size();
  slot.runner.reset();
  --half.live;
  shared_.finished.push(std::move(record));
  fill(half);
}

void Worker::submit(Half& half) {
  for (size_t e = 0; e < evaluators_.size(); ++e) {
    nn::EvalBatch& batch = *half.batches[e];
    if (batch.size() == 0) continue;
    shared_.rows += uint64_t(batch.size());
    shared_.batch_rows += uint64_t(batch.capacity());
    ++shared_.batches;
    half.tickets[e] = evaluators_[e]->submit(batch);
  }
}

}  // namespace chuhe::selfplay
