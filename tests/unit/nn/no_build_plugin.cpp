// Pretends to be a libchuhe_torch.so that is older than chuhe_torch_build().

#include <cstdlib>

extern "C" void chuhe_torch_describe() {
  std::abort();
}
