#include "play/engine.h"

#include <algorithm>
#include <utility>

namespace chuhe::play {

Engine::Engine(NetLoader loader, Clock clock, Events events)
    : clock_(clock),
      thinker_(std::move(loader), std::move(clock), std::move(events),
               [this](const Request& request, const Control& control) { hold(request, control); }),
      worker_([this](const std::stop_token& token) { work_loop(token); }) {}

Engine::~Engine() {
  worker_.request_stop();
  stop();
}

void Engine::set_settings(const PlaySettings& settings) {
  settings_ = settings;
}

void Engine::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

Engine::Job Engine::load_job() {
  return {Job::Kind::Load, [this, settings = settings_](const Control&) { thinker_.prepare(settings); }};
}

void Engine::go(const Limits& limits) {
  stop();
  Request wanted = request();
  wanted.limits = limits;
  wanted.forget = forget_;
  forget_ = false;
  if (!limits.bounded() && settings_.visits == 0) wanted.limits.infinite = true;
  // Loading is a job of its own, so that an `isready` that comes meanwhile is answered after it and not after
  // the search.
  if (history_.current().has_legal_move()) add(load_job());
  Job job{Job::Kind::Search,
          [this, wanted = std::move(wanted)](const Control& c) { thinker_.think(wanted, c); }};
  job.control->pondering = limits.ponder;
  job.control->started_us = clock_().count();
  add(std::move(job));
}

void Engine::stop() {
  {
    const std::lock_guard lock(mutex_);
    for (const Job& job : jobs_) job.control->stop = true;
  }
  changed_.notify_all();
}

void Engine::ponderhit() {
  {
    const std::lock_guard lock(mutex_);
    for (const Job& job : jobs_) {
      if (!job.control->pondering) continue;
      job.control->started_us = clock_().count();
      job.control->pondering = false;
    }
  }
  changed_.notify_all();
}

void Engine::load(std::function<void()> ready) {
  bool at_once = false;
  {
    const std::lock_guard lock(mutex_);
    const auto last_load =
        std::find_if(jobs_.rbegin(), jobs_.rend(), [](const Job& j) { return j.kind == Job::Kind::Load; });
    if (last_load != jobs_.rend()) return last_load->when_done.push_back(std::move(ready));
    at_once = busy_locked();
  }
  if (at_once) return ready();
  Job job = load_job();
  job.when_done.push_back(std::move(ready));
  add(std::move(job));
}

void Engine::evaluate() {
  add(load_job());
  add({Job::Kind::Other,
       [this, wanted = request()](const Control& control) { thinker_.evaluate(wanted, control); }});
}

void Engine::post(std::function<void(const Control&)> work) {
  add({Job::Kind::Other, std::move(work)});
}

bool Engine::busy() const {
  const std::lock_guard lock(mutex_);
  return busy_locked();
}

bool Engine::busy_locked() const {
  return std::ranges::any_of(jobs_, [](const Job& job) { return !job.answered; });
}

void Engine::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return jobs_.empty(); });
}

void Engine::last_word() {
  const std::lock_guard lock(mutex_);
  jobs_.front().answered = true;
}

void Engine::hold(const Request& request, const Control& control) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return control.stop || !(request.limits.infinite || control.pondering); });
  jobs_.front().answered = true;
}

void Engine::work_loop(const std::stop_token& token) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, token, [&] { return !jobs_.empty(); })) {
    if (token.stop_requested()) return;
    Job& job = jobs_.front();  // stays where it is while others append
    lock.unlock();
    job.work(*job.control);
    lock.lock();
    while (!job.when_done.empty()) {
      const auto calls = std::exchange(job.when_done, {});
      lock.unlock();
      for (const auto& call : calls) call();
      lock.lock();
    }
    jobs_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace chuhe::play
