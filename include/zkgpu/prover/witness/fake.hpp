// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/backend/fake.hpp>
#include <zkgpu/prover/witness/device_rows.hpp>

namespace zkgpu {

/// The rows of a device that is not there: the kernels' bodies in loops.
template <PrimeField F>
struct RowKernels<F, FakeDevice> {
  using Integer = typename F::Integer;

  static void evaluate(const FakeQueue& queue, const CompactMatrixView<F>& matrix,
                       std::size_t input_rows, const F& radix, DeviceSpan<const Integer> z,
                       DeviceSpan<F> out) {
    queue.submit(
        "evaluate.rows",
        [matrix, input_rows, radix](std::span<const Integer> wires, std::span<F> rows) {
          for (std::size_t row = 0; row < rows.size(); ++row) {
            rows[row] = F::zero();
            if (row < matrix.rows) {
              rows[row] = row_of(matrix, row, wires) * radix;
            } else if (row - matrix.rows < input_rows) {
              rows[row] = F::from_integer(wires[row - matrix.rows]);
            }
          }
        },
        z, out);
  }
  static void gather(const FakeQueue& queue, DeviceSpan<const Integer> z,
                     DeviceSpan<const std::uint32_t> wires, DeviceSpan<Integer> out) {
    if (wires.size() != out.size()) throw InvalidArgument("gather: sizes differ");
    queue.submit(
        "gather",
        [](std::span<const Integer> from, std::span<const std::uint32_t> places,
           std::span<Integer> to) {
          for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[places[i]];
        },
        z, wires, out);
  }
  static void first_not_canonical(const FakeQueue& queue, DeviceSpan<const Integer> z,
                                  DeviceSpan<std::uint64_t> place) {
    queue.submit(
        "witness.first_not_canonical",
        [](std::span<const Integer> values, std::span<std::uint64_t> first) {
          first[0] = all_canonical;
          for (std::size_t i = 0; i < values.size() && first[0] == all_canonical; ++i) {
            if (!F::is_canonical(values[i])) first[0] = i;
          }
        },
        z, place);
  }

 private:
  static F row_of(const CompactMatrixView<F>& matrix, std::size_t row, std::span<const Integer> z) {
    F sum = F::zero();
    for (std::uint64_t i = matrix.row_start[row]; i < matrix.row_start[row + 1]; ++i) {
      sum = add_term(sum, matrix.coefficient[i], matrix.values,
                     F::from_montgomery(z[matrix.column[i]]));
    }
    return sum;
  }
};

}  // namespace zkgpu
