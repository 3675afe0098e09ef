// Pretends to be libchuhe_torch.so of another build: asked for its build it answers, any other call ends the program.

#include <cstdlib>

extern "C" const char* chuhe_torch_build() {
  return "0.0.1-0123456789ab";
}
extern "C" void chuhe_torch_describe() {
  std::abort();
}
