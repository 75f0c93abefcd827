// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/ntt/tile.hpp>
#include <zkgpu/prover/r1cs/row_product.hpp>
#include <zkgpu/prover/witness/cuda.hpp>

namespace zkgpu {

namespace detail {

constexpr unsigned row_block = 128;

/// Entries first, first + step, … of a row, over R.
template <PrimeField F>
__device__ F sum_entries(const CompactMatrixView<F>& matrix, std::size_t row, std::uint64_t first,
                         unsigned step, const typename F::Integer* z) {
  const std::uint64_t end = matrix.row_start[row + 1];
  F sum = F::zero();
  for (std::uint64_t i = matrix.row_start[row] + first; i < end; i += step) {
    const F value = F::from_montgomery(load_limbs(z + matrix.column[i]));
    sum = add_term(sum, matrix.coefficient[i], matrix.values, value);
  }
  return sum;
}

template <PrimeField F>
__global__ void __launch_bounds__(row_block)
    short_rows_kernel(CompactMatrixView<F> matrix, std::size_t input_rows, F radix,
                      const typename F::Integer* z, F* out, std::size_t n) {
  const std::size_t row = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= n) return;
  F value = F::zero();
  if (row < matrix.rows) {
    const std::uint64_t entries = matrix.row_start[row + 1] - matrix.row_start[row];
    if (entries > CompactMatrix<F>::most_of_one_thread) return;  // long_rows_kernel's
    value = sum_entries(matrix, row, 0, 1, z) * radix;
  } else if (row < matrix.rows + input_rows) {
    value = F::from_integer(load_limbs(z + (row - matrix.rows)));
  }
  store_limbs(out + row, value.montgomery());
}

/// A block sums one row; its threads' sums meet in shared memory.
template <PrimeField F>
__global__ void __launch_bounds__(row_block)
    long_rows_kernel(CompactMatrixView<F> matrix, F radix, const typename F::Integer* z, F* out) {
  __shared__ F sums[row_block];
  const std::size_t row = matrix.long_rows[blockIdx.x];
  sums[threadIdx.x] = sum_entries(matrix, row, threadIdx.x, row_block, z);
  for (unsigned half = row_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) store_limbs(out + row, (sums[0] * radix).montgomery());
}

template <PrimeField F>
__global__ void __launch_bounds__(row_block)
    gather_kernel(const typename F::Integer* z, const std::uint32_t* wires, std::size_t n,
                  typename F::Integer* out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) store_limbs(out + i, load_limbs(z + wires[i]));
}

template <PrimeField F>
__global__ void __launch_bounds__(row_block)
    first_not_canonical_kernel(const typename F::Integer* z, std::size_t n,
                               unsigned long long* place) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !F::is_canonical(load_limbs(z + i))) atomicMin(place, i);
}

}  // namespace detail

template <PrimeField F>
void RowKernels<F, Cuda>::evaluate(const CudaQueue& queue, const CompactMatrixView<F>& matrix,
                                   std::size_t input_rows, const F& radix,
                                   DeviceSpan<const Integer> z, DeviceSpan<F> out) {
  launch(queue, grid_for(out.size(), detail::row_block), "evaluate.short_rows",
         detail::short_rows_kernel<F>, matrix, input_rows, radix, z.data(), out.data(), out.size());
  launch(queue, grid_for(matrix.num_long_rows * detail::row_block, detail::row_block),
         "evaluate.long_rows", detail::long_rows_kernel<F>, matrix, radix, z.data(), out.data());
}

template <PrimeField F>
void RowKernels<F, Cuda>::gather(const CudaQueue& queue, DeviceSpan<const Integer> z,
                                 DeviceSpan<const std::uint32_t> wires, DeviceSpan<Integer> out) {
  if (wires.size() != out.size()) throw InvalidArgument("gather: sizes differ");
  launch(queue, grid_for(wires.size(), detail::row_block), "gather", detail::gather_kernel<F>,
         z.data(), wires.data(), wires.size(), out.data());
}

template <PrimeField F>
void RowKernels<F, Cuda>::first_not_canonical(const CudaQueue& queue, DeviceSpan<const Integer> z,
                                              DeviceSpan<std::uint64_t> place) {
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t) && all_canonical + 1 == 0);
  queue.fill_bytes({reinterpret_cast<std::byte*>(place.data()), sizeof(std::uint64_t)}, 0xff);
  launch(queue, grid_for(z.size(), detail::row_block), "witness.first_not_canonical",
         detail::first_not_canonical_kernel<F>, z.data(), z.size(),
         reinterpret_cast<unsigned long long*>(place.data()));
}

}  // namespace zkgpu
