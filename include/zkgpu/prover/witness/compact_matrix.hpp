// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>

#include <zkgpu/core/array.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/core/env.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu {

/// A sparse matrix whose coefficients are places in a list of the distinct ones: 8 bytes an entry
/// instead of 36, and ones, which are most of them, need no product.
template <PrimeField F>
struct CompactMatrix {
  static constexpr std::uint32_t one = 0;        ///< place of 1 in `values`
  static constexpr std::uint32_t minus_one = 1;  ///< place of -1
  /// Rows with more entries are summed by many threads.
  static constexpr std::uint64_t most_of_one_thread = 64;

  Array<std::uint64_t> row_start;  ///< rows + 1 entries, ascending from 0
  Array<std::uint32_t> column;
  Array<std::uint32_t> coefficient;
  Array<F> values;
  Array<std::uint32_t> long_rows;  ///< ascending

  [[nodiscard]] std::size_t rows() const noexcept {
    return row_start.empty() ? 0 : row_start.size() - 1;
  }

  /// @throws ResourceExhausted; InvalidArgument beyond 2^32 - 1 rows
  /// @cost   a look-up an entry that is not ±1
  static CompactMatrix of(const CsrMatrix<F>& matrix) {
    return with_typed_memory_errors("a compact matrix", [&] { return make(matrix); });
  }

 private:
  /// With a random key: who writes a circuit cannot make its coefficients collide.
  class Hash {
   public:
    /// @throws IoError if the kernel has no random numbers
    Hash() {
      RealEnv env;
      fill_random(env, std::as_writable_bytes(std::span(key_)));
    }
    /// The upper half of Σ keyᵢ·limbᵢ modulo 2^128.
    std::size_t operator()(const typename F::Integer& value) const noexcept {
      unsigned __int128 sum = key_[0];
      for (std::size_t i = 0; i < limbs; ++i) {
        const unsigned __int128 key =
            (static_cast<unsigned __int128>(key_[2 * i + 1]) << 64) | key_[2 * i + 2];
        sum += key * value.limb[i];
      }
      return static_cast<std::size_t>(sum >> 64);
    }

   private:
    static constexpr std::size_t limbs = sizeof(typename F::Integer) / sizeof(std::uint64_t);
    std::uint64_t key_[2 * limbs + 1];
  };

  static CompactMatrix make(const CsrMatrix<F>& matrix) {
    if (matrix.rows() > std::numeric_limits<std::uint32_t>::max()) {
      throw InvalidArgument("matrix: more than 2^32 - 1 rows");
    }
    CompactMatrix made;
    made.row_start = matrix.row_start;
    made.column = matrix.column;
    made.coefficient.resize(matrix.entries());
    made.values = {F::one(), -F::one()};
    std::unordered_map<typename F::Integer, std::uint32_t, Hash> places = {
        {made.values[one].montgomery(), one}, {made.values[minus_one].montgomery(), minus_one}};
    for (std::size_t i = 0; i < matrix.entries(); ++i) {
      const F& value = matrix.value[i];
      if (value == made.values[one]) {
        made.coefficient[i] = one;
        continue;
      }
      if (made.values.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw InvalidArgument("matrix: more than 2^32 different coefficients");
      }
      const auto next = static_cast<std::uint32_t>(made.values.size());
      const auto [at, fresh] = places.try_emplace(value.montgomery(), next);
      if (fresh) made.values.push_back(value);
      made.coefficient[i] = at->second;
    }
    for (std::size_t row = 0; row < made.rows(); ++row) {
      if (made.row_start[row + 1] - made.row_start[row] > most_of_one_thread) {
        made.long_rows.push_back(static_cast<std::uint32_t>(row));
      }
    }
    return made;
  }
};

/// sum + coefficient·z/R for the canonical integer z, read as if it were in Montgomery form. A sum
/// of such terms times R is the row's value: see row_product.
///
/// @param coefficient  a place in `values`
template <PrimeField F>
ZKGPU_HD constexpr F add_term(const F& sum, std::uint32_t coefficient, const F* values,
                              const F& z_over_radix) noexcept {
  if (coefficient == CompactMatrix<F>::one) return sum + z_over_radix;
  if (coefficient == CompactMatrix<F>::minus_one) return sum - z_over_radix;
  return sum + values[coefficient] * z_over_radix;
}

}  // namespace zkgpu
