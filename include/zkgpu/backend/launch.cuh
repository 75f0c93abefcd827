// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <type_traits>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/core/error.hpp>

namespace zkgpu {

/// How many threads run a kernel, and what they share.
struct Grid {
  dim3 blocks{1};
  unsigned threads = 1;
  std::size_t shared_bytes = 0;
  /// The kernel begins with cuda::wait_for_kernel_before, so its blocks may come in where those of
  /// the kernel before it in the queue end.
  bool overlaps = false;
};

/// Blocks of `threads` that cover n items.
/// @throws InvalidArgument beyond the 2^31 - 1 blocks of a device
inline Grid grid_for(std::size_t n, unsigned threads) {
  const std::size_t blocks = (n + threads - 1) / threads;
  if (blocks > 0x7fffffff) throw InvalidArgument("cuda: a launch of too many blocks");
  return Grid{dim3(static_cast<unsigned>(blocks)), threads, 0};
}

namespace cuda {

/// ZKGPU_SYNC_LAUNCHES=1: wait after every launch, so that a fault names its kernel.
bool synchronous_launches() noexcept;

/// Lets a kernel use more than 48 KiB of shared memory; once for each kernel and device.
void allow_shared_memory(const void* kernel, std::size_t bytes, int device);

/// Has the device this way of launching, and the kernel's code the wait? Of PTX for an older device
/// it was left out.
bool can_overlap(const void* kernel, int device);

#ifdef __CUDACC__
/// What a kernel launched with Grid::overlaps does before it reads or writes anything.
__device__ inline void wait_for_kernel_before() {
  if constexpr (device_capability >= 900) {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
  }
}
#endif

struct LaunchRange {  // one range in a profiler's timeline
#if __has_include(<nvtx3/nvToolsExt.h>)
  explicit LaunchRange(const char* name) noexcept { nvtxRangePushA(name); }
  ~LaunchRange() { nvtxRangePop(); }
#else
  explicit LaunchRange(const char*) noexcept {}
#endif
  LaunchRange(const LaunchRange&) = delete;
  LaunchRange& operator=(const LaunchRange&) = delete;
};

}  // namespace cuda

/// The only launch of the repository.
///
/// @param name  "operation.kernel", for profilers and messages
/// @throws DeviceError naming the kernel and its grid if the launch fails; a grid of no blocks is
///   nothing
template <class... Parameters, class... Arguments>
requires(sizeof...(Parameters) == sizeof...(Arguments) &&
         (std::is_convertible_v<Arguments&&, Parameters> &&
          ...)) void launch(const CudaQueue& queue, const Grid& grid, const char* name,
                            void (*kernel)(Parameters...), Arguments&&... arguments) {
  if (grid.blocks.x == 0 || grid.blocks.y == 0) return;
  const cuda::LaunchRange range(name);
  cuda::check(cudaSetDevice(queue.device()), name);
  if (grid.shared_bytes > (std::size_t{40} << 10)) {  // 48 KiB with what a kernel has of its own
    cuda::allow_shared_memory(reinterpret_cast<const void*>(kernel), grid.shared_bytes,
                              queue.device());
  }
  cudaError_t status = cudaSuccess;
  if (grid.overlaps && cuda::can_overlap(reinterpret_cast<const void*>(kernel), queue.device())) {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid.blocks;
    config.blockDim = dim3(grid.threads);
    config.dynamicSmemBytes = grid.shared_bytes;
    config.stream = queue.handle();
    config.attrs = &overlap;
    config.numAttrs = 1;
    status = cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  } else {
    kernel<<<grid.blocks, grid.threads, grid.shared_bytes, queue.handle()>>>(
        static_cast<Parameters>(arguments)...);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess && cuda::synchronous_launches()) {
    status = cudaStreamSynchronize(queue.handle());
  }
  if (status != cudaSuccess) {
    const std::string text = std::string("launch of ") + name + " on " +
                             std::to_string(grid.blocks.x) + "x" + std::to_string(grid.blocks.y) +
                             " blocks of " + std::to_string(grid.threads) + " threads";
    cuda::check(status, text.c_str());
  }
}

}  // namespace zkgpu
