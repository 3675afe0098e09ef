#pragma once
// Inference without torch, on the calling thread alone. A row's result depends on neither its index, nor its
// neighbours, nor the batch's size.

#include <memory>
#include <string>
#include <vector>

#include "nn/api/evaluator.h"
#include "nn/model/net_file.h"

namespace chuhe::nn {

/// The plain one: Eigen products, one row at a time, written to be read. Slow; others are checked against it.
/// Throws Error if the net does not give its self-check outputs (docs/net_file.md). The factory's evaluators
/// share the weights.
EvaluatorFactory eigen_factory(std::shared_ptr<const NetFile> net);
std::unique_ptr<Evaluator> make_eigen_evaluator(std::shared_ptr<const NetFile> net);

/// The fast one: our own vector code, for the widest instruction set of this CPU. The same bits on each of
/// them and under every compiler, since every output is added up in one order, without fused multiply-adds.
/// Throws as above. `level` is "" or one of simd_levels().
EvaluatorFactory simd_factory(std::shared_ptr<const NetFile> net, std::string_view level = "");
std::unique_ptr<Evaluator> make_simd_evaluator(std::shared_ptr<const NetFile> net);
/// Instruction sets that this CPU has, the widest first: "avx512", "avx2", "baseline".
std::vector<std::string_view> simd_levels();

/// What a net says of a position, for self-checks: probabilities, plies, logits of policy indices 0, 257, ...
/// (SelfCheck's other fields).
SelfCheck self_check_of(const std::shared_ptr<const NetFile>& net, const PackedRow& row);

}  // namespace chuhe::nn
