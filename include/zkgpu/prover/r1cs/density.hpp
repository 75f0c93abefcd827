// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <zkgpu/core/array.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu {

/// A set of wires, one bit a wire.
class WireSet {
 public:
  WireSet() = default;
  explicit WireSet(std::size_t num_wires) : words_((num_wires + 63) / 64, 0), size_(num_wires) {}

  void insert(std::size_t wire) noexcept { words_[wire / 64] |= std::uint64_t{1} << (wire % 64); }
  [[nodiscard]] bool contains(std::size_t wire) const noexcept {
    return ((words_[wire / 64] >> (wire % 64)) & 1) != 0;
  }
  /// How many wires there are, in the set or not.
  [[nodiscard]] std::size_t num_wires() const noexcept { return size_; }
  /// How many wires are in the set.
  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t total = 0;
    for (const std::uint64_t word : words_) total += static_cast<std::size_t>(std::popcount(word));
    return total;
  }
  friend bool operator==(const WireSet&, const WireSet&) = default;

 private:
  Array<std::uint64_t> words_;
  std::size_t size_ = 0;
};

/// Which wires occur in A and in B, the input rows of the key generator included.
///
/// A filtered key has points for these wires only, in the order of the wires.
struct Density {
  WireSet a, b;
  friend bool operator==(const Density&, const Density&) = default;
};

/// Adds to `set` the columns of `matrix` whose coefficients do not add up to zero in some row.
/// @cost linear where the columns of a row ascend, as builders write them; else a sort a row
template <Field F>
void insert_columns(const CsrMatrix<F>& matrix, WireSet& set) {
  std::vector<std::uint32_t> order;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const auto columns = matrix.columns_of(row);
    const auto values = matrix.values_of(row);
    order.resize(columns.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    if (!std::is_sorted(columns.begin(), columns.end())) {
      std::sort(order.begin(), order.end(),
                [&](std::uint32_t i, std::uint32_t j) { return columns[i] < columns[j]; });
    }
    for (std::size_t i = 0; i < order.size();) {
      const std::uint32_t wire = columns[order[i]];
      F sum = values[order[i++]];
      for (; i < order.size() && columns[order[i]] == wire; ++i) sum = sum + values[order[i]];
      if (!sum.is_zero()) set.insert(wire);
    }
  }
}

/// Every public wire, the constant one included, is in `a`: its input row puts it there.
template <Field F>
[[nodiscard]] Density density_of(const R1cs<F>& r1cs) {
  Density density{WireSet(r1cs.num_wires), WireSet(r1cs.num_wires)};
  for (std::size_t wire = 0; wire <= r1cs.num_public; ++wire) density.a.insert(wire);
  insert_columns(r1cs.a, density.a);
  insert_columns(r1cs.b, density.b);
  return density;
}

}  // namespace zkgpu
