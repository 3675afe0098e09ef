#pragma once
// A growing array of plain values that is addressed by index: growth may move it, so no pointer into it is
// kept across an append. realloc lets the kernel move the pages of a large one instead of copying them.

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace chuhe::mcts {

template <class T>
class Pool {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Pool() = default;
  ~Pool() { std::free(data_); }
  Pool(Pool&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Pool& operator=(Pool&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  /// Room for n more, not initialised; returns the index of the first.
  size_t append(size_t n) {
    if (size_ + n > capacity_) grow(size_ + n);
    const size_t first = size_;
    size_ += n;
    return first;
  }
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  size_t bytes() const { return capacity_ * sizeof(T); }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }

 private:
  void grow(size_t wanted) {
    size_t capacity = capacity_ < 256 ? 256 : capacity_ + capacity_ / 2;
    if (capacity < wanted) capacity = wanted;
    T* moved = static_cast<T*>(std::realloc(static_cast<void*>(data_), capacity * sizeof(T)));
    if (!moved) throw std::bad_alloc();
    data_ = moved;
    capacity_ = capacity;
  }
  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace chuhe::mcts
