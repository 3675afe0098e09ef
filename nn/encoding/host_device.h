#pragma once
// Marks a function that CUDA kernels share with their CPU twins.

#ifdef __CUDACC__
#define CHUHE_HOST_DEVICE __host__ __device__
#else
#define CHUHE_HOST_DEVICE
#endif
