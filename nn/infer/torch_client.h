#pragma once
// Calls a function of libchuhe_torch.so by the declaration that it shares with us.

#include "nn/api/torch_plugin.h"

namespace chuhe::nn {

template <class Function>
Function* torch_function(const char* name) {
  return reinterpret_cast<Function*>(torch_symbol(name));
}

}  // namespace chuhe::nn

#define CHUHE_TORCH_CALL(name, ...) ::chuhe::nn::torch_function<decltype(name)>(#name)(__VA_ARGS__)
