#include "base/random.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"

namespace chuhe {
namespace {

constexpr uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ULL;
constexpr double kLn2High =
    0x1.62e42fefa38p-1;  // its low 12 bits are zero: k * kLn2High is exact for |k| < 2048
constexpr double kLn2Low = 0x1.ef35793c7673p-45;
constexpr double kLog2E = 1.4426950408889634;

// 2^k for k in [-1022, 1023].
double power_of_two(int k) {
  return std::bit_cast<double>(uint64_t(k + 1023) << 52);
}

}  // namespace

uint64_t hash_bytes(const void* data, size_t size, uint64_t seed) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint64_t h = 0xcbf29ce484222325ULL ^ seed;
  for (size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 0x100000001b3ULL;
  return mix64(h);
}

uint64_t hash_text(std::string_view text, uint64_t seed) {
  return hash_bytes(text.data(), text.size(), seed);
}

Random::Random(uint64_t seed) {
  for (uint64_t i = 0; i < 4; ++i) state_.words[i] = mix64(seed + i * kGoldenGamma);
}

Random::Random(uint64_t run_seed, std::string_view name, uint64_t index)
    : Random(mix64(hash_text(name, mix64(run_seed)) + index)) {}

uint64_t Random::next() {
  uint64_t* s = state_.words;
  const uint64_t result = std::rotl(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return result;
}

// Lemire 2019: the high word of a product, with the few values rejected that would be too frequent.
uint64_t Random::below(uint64_t n) {
  CHUHE_DCHECK(n > 0);
  unsigned __int128 product = static_cast<unsigned __int128>(next()) * n;
  if (uint64_t(product) < n) {
    const uint64_t threshold = -n % n;
    while (uint64_t(product) < threshold) product = static_cast<unsigned __int128>(next()) * n;
  }
  return uint64_t(product >> 64);
}

double Random::uniform() {
  return double(next() >> 11) * 0x1p-53;
}

// The polar method. Its second value is thrown away: a stream then has no state beside its four words.
double Random::normal() {
  while (true) {
    const double u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * det_log(s) / s);
  }
}

double Random::exponential() {
  return -det_log(1 - uniform());
}

double Random::gumbel() {
  while (true) {
    const double e = exponential();
    if (e > 0) return -det_log(e);
  }
}

double Random::gamma(double shape) {
  CHUHE_DCHECK(shape > 0);
  if (shape < 1) {
    const double boosted = gamma(shape + 1);
    return boosted * det_exp(-exponential() / shape);
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal();
    const double t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    const double u = 1 - uniform();
    if (det_log(u) < 0.5 * x * x + d - d * v + d * det_log(v)) return d * v;
  }
}

void Random::dirichlet(double alpha, std::span<float> out) {
  if (out.empty()) return;
  // Double precision until the division: with a small alpha most of the gammas lie below the range of float.
  std::vector<double> gammas(out.size());
  double sum = 0;
  for (double& g : gammas) sum += g = gamma(alpha);
  if (!(sum > 0)) {  // all of them underflowed; the limit of such a sample puts everything on one entry
    gammas[below(gammas.size())] = sum = 1;
  }
  for (size_t i = 0; i < out.size(); ++i) out[i] = float(gammas[i] / sum);
}

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh((m - 1) / (m + 1)) by its series.
double det_log(double x) {
  if (!(x > 0))
    return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  int e = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    e = -54;
  }
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  e += int(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++e;
  }
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = z * (series + 1.0 / k);
  const double log_m = 2 * s + 2 * s * series;
  return double(e) * kLn2High + (log_m + double(e) * kLn2Low);
}

// x = k ln 2 + r with |r| <= ln 2 / 2; exp r by its Taylor series.
double det_exp(double x) {
  if (x != x) return x;
  x = x < -708 ? -708 : x > 708 ? 708 : x;
  const double scaled = x * kLog2E;
  const int k = int(scaled + (scaled < 0 ? -0.5 : 0.5));
  const double r = (x - k * kLn2High) - k * kLn2Low;
  constexpr std::array<double, 14> kInverseFactorials = [] {
    std::array<double, 14> f{};
    double factorial = 1;
    for (size_t i = 0; i < f.size(); ++i) {
      if (i > 0) factorial *= double(i);
      f[i] = 1 / factorial;
    }
    return f;
  }();
  double sum = kInverseFactorials[13];
  for (int i = 12; i >= 0; --i) sum = sum * r + kInverseFactorials[size_t(i)];
  return sum * power_of_two(k);
}

}  // namespace chuhe
