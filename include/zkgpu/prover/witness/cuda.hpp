// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/witness/device_rows.hpp>

namespace zkgpu {

template <PrimeField F>
struct RowKernels<F, Cuda> {
  using Integer = typename F::Integer;

  /// A thread a row; a block for each long one.
  static void evaluate(const CudaQueue& queue, const CompactMatrixView<F>& matrix,
                       std::size_t input_rows, const F& radix, DeviceSpan<const Integer> z,
                       DeviceSpan<F> out);
  static void gather(const CudaQueue& queue, DeviceSpan<const Integer> z,
                     DeviceSpan<const std::uint32_t> wires, DeviceSpan<Integer> out);
  static void first_not_canonical(const CudaQueue& queue, DeviceSpan<const Integer> z,
                                  DeviceSpan<std::uint64_t> place);
};

extern template struct RowKernels<Bls12_381::Fr, Cuda>;

}  // namespace zkgpu
