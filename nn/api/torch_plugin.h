#pragma once
// LibTorch takes 0.2 s to load, CUDA's part up to a second more, so everything that needs it sits in one
// shared library, libchuhe_torch.so, which is opened when first asked for. Headers of torch-backed parts
// (nn/infer/torch_evaluator.h, trainer/trainer.h) stay free of torch and reach their code through here.

#include <string>

namespace chuhe::nn {

/// Program and plugin share types in memory, so each has this compiled in and only equals are used together:
/// the version, and a hash of all sources that the plugin or a header of its interface is made from
/// (cmake/ChuhePluginBuild.cmake). The plugin tells its own by chuhe_torch_build().
extern const char* const kPluginBuild;

/// The address of an extern "C" function of libchuhe_torch.so, found beside the program (../lib, $ORIGIN) or
/// in CHUHE_TORCH_PLUGIN. Throws Error that says where it looked, that the plugin is of another build, or that
/// this build has no LibTorch.
void* torch_symbol(const char* name);
/// Whether torch_symbol would succeed; `why` gets the reason if not.
bool torch_available(std::string* why = nullptr);

}  // namespace chuhe::nn

extern "C" const char* chuhe_torch_build();
