#pragma once
// Evaluators without a net.

#include <string_view>

#include "nn/api/evaluator.h"

namespace chuhe::nn {

/// Uniform priors, even value.
std::unique_ptr<Evaluator> make_uniform_evaluator();
/// Pseudo-random priors and values made from the packed row: the same on every machine.
std::unique_ptr<Evaluator> make_hash_evaluator();
/// tanh of the material balance / 10 (R 9, C 4.5, N 4, A and E 2, P 1, 2 across the river); uniform priors.
std::unique_ptr<Evaluator> make_material_evaluator();
/// Answers as Hash, but takes `latency_us + rows / rate` like a device that works beside the CPU: submit
/// returns at once, collect waits.
std::unique_ptr<Evaluator> make_device_model(double rows_per_second, double latency_us);
/// One of "uniform", "hash", "material", "device:RATE:LATENCY_US"; nullptr for any other name. Throws Error
/// for a device with bad numbers.
std::unique_ptr<Evaluator> make_double(std::string_view name);
/// The same for many workers: all evaluators that a "device:..." factory makes share one device. Empty for
/// any other name.
EvaluatorFactory double_factory(std::string_view name);

/// Material balance from the row's mover, in pawns, of the table above.
double material_balance(const PackedRow& row);

}  // namespace chuhe::nn
