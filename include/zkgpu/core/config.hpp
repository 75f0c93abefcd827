// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

/// The five macros of the library. Nothing else in `include/` is a macro.
///
/// `ZKGPU_HD`           what host and device both call; such functions are `constexpr noexcept`
/// `ZKGPU_HD_NOINLINE`  the same, out of line where measurement says that the code cache needs it
/// `ZKGPU_UNROLL`       in front of a loop whose trip count is a constant and must vanish
/// `ZKGPU_NO_UNROLL`    in front of a loop that the device must keep, for its instruction cache
/// `ZKGPU_ASSERT(x)`    states what a proof guarantees; off with NDEBUG, no check of outside data

#if defined(__CUDACC__)
#define ZKGPU_HD __host__ __device__ __forceinline__
#define ZKGPU_HD_NOINLINE __host__ __device__ __noinline__
#else
#define ZKGPU_HD inline
#define ZKGPU_HD_NOINLINE __attribute__((noinline)) inline
#endif

#if defined(__CUDA_ARCH__) || (defined(__clang__) && !defined(__CUDACC__))
#define ZKGPU_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)  // host pass of nvcc: neither spelling passes both of its compilers
#define ZKGPU_UNROLL
#elif defined(__GNUC__)
#define ZKGPU_UNROLL _Pragma("GCC unroll 16")
#else
#define ZKGPU_UNROLL
#endif

#if defined(__CUDA_ARCH__)
#define ZKGPU_NO_UNROLL _Pragma("unroll 1")
#else
#define ZKGPU_NO_UNROLL
#endif

#if defined(NDEBUG) || defined(__CUDA_ARCH__)
#define ZKGPU_ASSERT(condition) static_cast<void>(0)
#else
#include <cassert>
#define ZKGPU_ASSERT(condition) assert(condition)
#endif

namespace zkgpu {

/// True in code that is compiled for a CUDA device in this pass.
inline constexpr bool compiling_for_device =
#if defined(__CUDA_ARCH__)
    true;
#else
    false;
#endif

/// The compute capability that this pass compiles for, as 900 for 9.0; 0 for the host.
inline constexpr int device_capability =
#if defined(__CUDA_ARCH__)
    __CUDA_ARCH__;
#else
    0;
#endif

/// A false that depends on template arguments: for `static_assert` in primary templates.
template <class...>
inline constexpr bool always_false = false;

}  // namespace zkgpu
