#pragma once
// What libchuhe_torch.so exports for inference. Both sides include this, so the types agree; references
// instead of returned objects, since these are extern "C" names. Exceptions (chuhe::Error) pass through.

#include <string>

#include "nn/infer/factory.h"
#include "nn/model/net_file.h"

extern "C" {
void chuhe_torch_open_net(const chuhe::nn::NetFile& net, const chuhe::nn::EvaluatorSettings& settings,
                          chuhe::nn::NetHandle& out);
/// Fills net.checks.
void chuhe_torch_self_check(chuhe::nn::NetFile& net);
void chuhe_torch_describe(std::string& out);
}
