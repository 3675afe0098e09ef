#pragma once
// Seeded random streams. Every stream is derived from (run seed, stream name, index), so that no two uses
// share numbers and every game can be played again. The distributions are our own: those of the standard
// library differ between vendors.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace chuhe {

/// splitmix64's finaliser: a bijective mix of 64 bits.
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// FNV-1a of the bytes, then mixed: stable over compilers and runs.
uint64_t hash_bytes(const void* data, size_t size, uint64_t seed = 0);
uint64_t hash_text(std::string_view text, uint64_t seed = 0);

/// xoshiro256** (Blackman, Vigna 2018), state filled by splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed);
  /// The stream `name`, number `index`, of the run with this seed.
  Random(uint64_t run_seed, std::string_view name, uint64_t index);

  uint64_t next();
  /// Uniform in [0, n), without bias. n > 0.
  uint64_t below(uint64_t n);
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  double normal();
  double exponential();
  /// Gumbel(0, 1).
  double gumbel();
  /// Gamma(shape, 1), shape > 0 (Marsaglia, Tsang 2000).
  double gamma(double shape);
  /// A symmetric Dirichlet sample: out sums to 1.
  void dirichlet(double alpha, std::span<float> out);
  template <class T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  /// For exact resume: the four words of state.
  struct State {
    uint64_t words[4];
  };
  State state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  State state_;
};

/// Natural logarithm and exponential made of IEEE basic operations only: the same bits under every compiler
/// and libm. Relative error below 1e-14. Domain of det_log: x > 0; det_exp clamps to [-708, 708].
double det_log(double x);
double det_exp(double x);

}  // namespace chuhe
