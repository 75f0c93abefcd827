// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/msm/cuda/kernels.cuh>
#include <zkgpu/msm/cuda/pairs.hpp>
#include <zkgpu/msm/cuda/plan.hpp>

/// The kernels of rounds of affine additions: pairs apart are counted for each tile, the counts are
/// summed, and then each result's place is known.
namespace zkgpu::msm_cuda {

/// The 32 lanes of a warp, all of which take part.
struct DeviceWarp {
  static constexpr std::uint32_t lanes = 32;
  ZKGPU_HD static std::uint32_t lane() noexcept {
    std::uint32_t r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
  }
  ZKGPU_HD static std::uint32_t before(bool flag) noexcept {
    return ones(flags(flag) & ((1u << lane()) - 1));
  }
  ZKGPU_HD static std::uint32_t count(bool flag) noexcept { return ones(flags(flag)); }
  /// Of flags of the elements half·lanes + lane, those of elements 2·lane and 2·lane + 1.
  ZKGPU_HD static std::uint32_t own_pair(bool flag, std::uint32_t half) noexcept {
    const std::uint32_t all = flags(flag);
    return lane() / (lanes / 2) == half ? all >> (2 * lane() % lanes) & 3 : 0;
  }
  /// Begins to copy a piece to shared memory.
  ZKGPU_HD static void copy(MemoryPiece* to, const MemoryPiece* from) noexcept {
    if constexpr (device_capability >= 800) {
      asm volatile(
          "{ .reg .u64 s; cvta.to.shared.u64 s, %0; cp.async.ca.shared.global [s], [%1], 16; }" ::
              "l"(to),
          "l"(from)
          : "memory");
    } else {
      *to = *from;
    }
  }
  /// Ends a group of copies.
  ZKGPU_HD static void commit() noexcept {
    if constexpr (device_capability >= 800) asm volatile("cp.async.commit_group;" ::: "memory");
  }
  /// All lanes' copies have arrived but those of the last `newest` groups.
  template <int newest>
  ZKGPU_HD static void finish() noexcept {
    if constexpr (device_capability >= 800) {
      asm volatile("cp.async.wait_group %0;" ::"n"(newest) : "memory");
    }
    join();
  }
  ZKGPU_HD static void join() noexcept { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

 private:
  ZKGPU_HD static std::uint32_t flags(bool flag) noexcept {
    std::uint32_t r;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(r)
                 : "r"(static_cast<std::uint32_t>(flag)));
    return r;
  }
  ZKGPU_HD static std::uint32_t ones(std::uint32_t word) noexcept {
    std::uint32_t r;
    asm("popc.b32 %0, %1;" : "=r"(r) : "r"(word));
    return r;
  }
};

constexpr unsigned pair_scan_threads = 1024;

__device__ __forceinline__ std::uint32_t warp_of_grid() noexcept {
  return blockIdx.x * (blockDim.x / DeviceWarp::lanes) + threadIdx.x / DeviceWarp::lanes;
}

/// apart[t] = pairs of tile t that are apart.
///
/// @param elements  how many the list has
static __global__ void __launch_bounds__(256)
    count_pairs_kernel(const std::uint32_t* keys, const std::uint32_t* elements,
                       std::uint32_t tiles, std::uint32_t* apart) {
  const std::uint32_t t = warp_of_grid();
  if (t >= tiles) return;  // whole warps
  const PairTile tile = pair_tile({*elements, tiles}, t, DeviceWarp::lanes);
  const std::uint32_t count = count_pairs_apart(keys, tile, DeviceWarp{});
  if (DeviceWarp::lane() == 0) apart[t] = count;
}

/// Counts to their sums before each tile and, at the end, of all, by one block. The next list has
/// next[0] elements; where lists are joined, they stand from *joined on, which grows by them.
static __global__ void __launch_bounds__(pair_scan_threads)
    scan_pairs_kernel(std::uint32_t* apart, std::uint32_t tiles, const std::uint32_t* elements,
                      std::uint32_t* next, std::uint32_t* joined) {
  __shared__ std::uint32_t sums[pair_scan_threads];
  const unsigned t = threadIdx.x;
  const std::uint32_t run = (tiles + pair_scan_threads - 1) / pair_scan_threads;
  const std::uint32_t first = min(t * run, tiles);
  const std::uint32_t end = min(first + run, tiles);
  std::uint32_t own = 0;
  for (std::uint32_t i = first; i < end; ++i) own += apart[i];
  sums[t] = own;
  __syncthreads();
  for (unsigned d = 1; d < pair_scan_threads; d *= 2) {
    const std::uint32_t lower = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += lower;
    __syncthreads();
  }
  std::uint32_t before = sums[t] - own;
  if (joined != nullptr) before += *joined;
  for (std::uint32_t i = first; i < end; ++i) {
    const std::uint32_t count = apart[i];
    apart[i] = before;
    before += count;
  }
  if (first < tiles && end == tiles) apart[tiles] = before;
  __syncthreads();  // *joined is read
  if (t != 0) return;
  const std::uint32_t results = *elements / 2 + *elements % 2 + sums[pair_scan_threads - 1];
  *next = results;
  if (joined != nullptr) *joined += results;
}

static __global__ void set_word_kernel(std::uint32_t* to, std::uint32_t value) { *to = value; }

/// @param ahead  what scan_pairs_kernel leaves
template <CurveParams L, class List>
__global__ void __launch_bounds__(cuda_pair_block, cuda_pair_blocks(sizeof(Affine<L>)))
    add_pairs_kernel(const std::uint32_t* keys, const __grid_constant__ List list,
                     const std::uint32_t* elements, std::uint32_t tiles, const std::uint32_t* ahead,
                     const __grid_constant__ PairResults<L> out) {
  extern __shared__ uint4 pair_shared[];
  const std::uint32_t t = warp_of_grid();
  if (t >= tiles) return;  // whole warps
  MemoryPiece* const memory = reinterpret_cast<MemoryPiece*>(pair_shared) +
                              threadIdx.x / DeviceWarp::lanes * add_pairs_pieces<L, DeviceWarp>;
  add_pairs(keys, list, out, pair_tile({*elements, tiles}, t, DeviceWarp::lanes), ahead[t + 1],
            memory, DeviceWarp{});
}

/// The launch of `tiles` warps for it.
template <CurveParams L>
Grid pair_grid(std::uint32_t tiles) {
  constexpr unsigned warps = cuda_pair_block / DeviceWarp::lanes;
  Grid grid = grid_for(tiles, warps);
  grid.threads = cuda_pair_block;
  grid.shared_bytes = warps * add_pairs_pieces<L, DeviceWarp> * sizeof(MemoryPiece);
  return grid;
}

/// One list on its way through the rounds.
template <CurveParams L>
struct PairList {
  const std::uint32_t* keys = nullptr;
  const std::uint32_t* places = nullptr;  ///< of a first round; else null
  const Affine<L>* table = nullptr;       ///< of a first round
  PointArray<Affine<L>> points;           ///< of a later one
};

/// Scratch of the rounds.
struct PairScratch {
  std::uint32_t* counts = nullptr;  ///< elements of the list of each round
  std::uint32_t* joined = nullptr;  ///< of the lists after their last rounds, one after the other
  std::uint32_t* ahead = nullptr;   ///< for each tile, and the end
};

/// One round.
///
/// @param round  which one of this list; its number of elements is at counts[round]
/// @param last   the results join those of other lists
template <CurveParams P>
void enqueue_pairs(const CudaQueue& queue, const CudaMsmPlan& plan,
                   const PairList<LazyParams<P>>& in, const PairScratch& scratch, unsigned round,
                   std::size_t most_elements, bool last, const PairResults<LazyParams<P>>& out) {
  using L = LazyParams<P>;
  const std::uint32_t tiles = static_cast<std::uint32_t>(plan.pair_tiles(most_elements));
  std::uint32_t* const count = scratch.counts + round;
  Grid grid = grid_for(tiles, 256 / DeviceWarp::lanes);
  grid.threads = 256;
  launch(queue, grid, "msm.count_pairs", count_pairs_kernel, in.keys, count, tiles, scratch.ahead);
  launch(queue, Grid{dim3(1), pair_scan_threads, 0}, "msm.scan_pairs", scan_pairs_kernel,
         scratch.ahead, tiles, count, count + 1, last ? scratch.joined : nullptr);
  grid = pair_grid<L>(tiles);
  if (in.places != nullptr) {
    using List = GatheredPoints<L>;
    launch(queue, grid, "msm.add_gathered_pairs", add_pairs_kernel<L, List>, in.keys,
           List{in.places, in.table}, count, tiles, scratch.ahead, out);
  } else {
    using List = ListedPoints<L>;
    launch(queue, grid, "msm.add_pairs", add_pairs_kernel<L, List>, in.keys, List{in.points}, count,
           tiles, scratch.ahead, out);
  }
}

/// The elements of the first list of the rounds.
inline void set_word(const CudaQueue& queue, std::uint32_t* to, std::size_t value) {
  launch(queue, Grid{dim3(1), 1, 0}, "msm.set_word", set_word_kernel, to,
         static_cast<std::uint32_t>(value));
}

}  // namespace zkgpu::msm_cuda
