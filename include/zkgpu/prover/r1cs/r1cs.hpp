// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/core/array.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// A sparse matrix in compressed sparse row form.
///
/// Row i holds the entries [row_start[i], row_start[i+1]) of `column` and `value`. Within a row the
/// columns stand in the order of the file that the matrix came from; a column may occur twice, and
/// its values then add up.
template <Field F>
struct CsrMatrix {
  Array<std::uint64_t> row_start;  ///< rows + 1 entries, ascending from 0; empty for no matrix
  Array<std::uint32_t> column;     ///< wire of each entry
  Array<F> value;                  ///< Montgomery form

  [[nodiscard]] std::size_t rows() const noexcept {
    return row_start.empty() ? 0 : row_start.size() - 1;
  }
  [[nodiscard]] std::size_t entries() const noexcept { return column.size(); }
  [[nodiscard]] std::span<const std::uint32_t> columns_of(std::size_t row) const noexcept {
    return {column.data() + row_start[row], row_start[row + 1] - row_start[row]};
  }
  [[nodiscard]] std::span<const F> values_of(std::size_t row) const noexcept {
    return {value.data() + row_start[row], row_start[row + 1] - row_start[row]};
  }
  friend bool operator==(const CsrMatrix&, const CsrMatrix&) = default;
};

/// A rank-1 constraint system: (A z)_i · (B z)_i = (C z)_i for every row i.
///
/// The assignment z has `num_wires` entries: wire 0 is the constant one, wires 1 .. num_public are
/// public (outputs first, then public inputs), the rest is auxiliary. The rows that bind the public
/// inputs (one a public wire and the constant) belong to the key generator and are not counted
/// here.
template <Field F>
struct R1cs {
  CsrMatrix<F> a, b, c;          ///< num_constraints × num_wires each
  std::uint32_t num_wires = 0;   ///< with wire 0
  std::uint32_t num_public = 0;  ///< without wire 0; num_public < num_wires

  [[nodiscard]] std::size_t num_constraints() const noexcept { return a.rows(); }
  [[nodiscard]] std::uint32_t num_auxiliary() const noexcept { return num_wires - num_public - 1; }
  friend bool operator==(const R1cs&, const R1cs&) = default;
};

}  // namespace zkgpu
