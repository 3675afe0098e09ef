#pragma once
// The seam between nets' arithmetic and the evaluator around it (cpu_evaluator.cpp).

#include <memory>
#include <string>
#include <vector>

#include "nn/encoding/row.h"

namespace chuhe::nn {

/// Rows that go through the heads together.
constexpr int kForwardRows = 9;

/// What the last layers give, before anything becomes a probability.
struct HeadOutputs {
  std::vector<float> squares;  // [rows][90][stride]: from-embedding at 0, to-embedding at `to_offset`
  int stride = 0, to_offset = 0;
  float values[kForwardRows][4];  // logits of win, draw, loss; moves left before softplus
};

/// A net's forward pass for up to kForwardRows rows. One per evaluator: it owns its buffers and shares its
/// weights.
class Forward {
 public:
  virtual ~Forward() = default;
  virtual std::string name() const = 0;
  virtual void run(const PackedRow* rows, int count, HeadOutputs& out) = 0;
};

}  // namespace chuhe::nn
