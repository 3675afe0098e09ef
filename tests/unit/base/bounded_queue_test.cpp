#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace chuhe {
namespace {

using std::chrono::milliseconds;

TEST(BoundedQueueTest, KeepsOrderAndDrainsAfterClose) {
  BoundedQueue<std::unique_ptr<int>> queue(4);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.push(std::make_unique<int>(i)));
  queue.close();
  EXPECT_TRUE(queue.closed());
  EXPECT_FALSE(queue.push(std::make_unique<int>(9)));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(**queue.pop(), i);
  EXPECT_FALSE(queue.pop());
}

TEST(BoundedQueueTest, PopForGivesUp) {
  BoundedQueue<int> queue(1);
  EXPECT_FALSE(queue.pop_for(milliseconds(1)));
  queue.push(5);
  EXPECT_EQ(queue.pop_for(milliseconds(1)), 5);
}

TEST(BoundedQueueTest, PushBlocksWhileFull) {
  BoundedQueue<int> queue(1);
  queue.push(1);
  std::atomic<bool> pushed{false};
  std::jthread producer([&] {
    queue.push(2);
    pushed = true;
  });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(pushed);
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), 2);
}

TEST(BoundedQueueTest, CloseWakesBlockedProducersAndConsumers) {
  BoundedQueue<int> full(1), empty(1);
  full.push(1);
  std::jthread producer([&] { EXPECT_FALSE(full.push(2)); });
  std::jthread consumer([&] { EXPECT_FALSE(empty.pop()); });
  std::this_thread::sleep_for(milliseconds(5));
  full.close();
  empty.close();
}

TEST(BoundedQueueTest, NothingIsLostOrDoubled) {
  BoundedQueue<int> queue(3);
  constexpr int kProducers = 4, kEach = 500;
  std::vector<std::atomic<int>> seen(kProducers * kEach);
  {
    std::vector<std::jthread> consumers;
    for (int c = 0; c < 3; ++c)
      consumers.emplace_back([&] {
        while (const auto item = queue.pop()) ++seen[size_t(*item)];
      });
    {
      std::vector<std::jthread> producers;
      for (int p = 0; p < kProducers; ++p)
        producers.emplace_back([&, p] {
          for (int i = 0; i < kEach; ++i) queue.push(p * kEach + i);
        });
    }
    queue.close();
  }
  for (const auto& count : seen) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace chuhe
