// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/prover/r1cs/builder.hpp>
#include <zkgpu/prover/r1cs/row_product.hpp>
#include <zkgpu/prover/witness/builder.hpp>
#include <zkgpu/prover/witness/compact_matrix.hpp>

#include "small_circuits.hpp"

using namespace zkgpu;  // NOLINT
using F = Bls12_381::Fr;

TEST_CASE("the terms of a compact matrix are those of the matrix", "[witness][agreement]") {
  const test::RandomCircuit<F> circuit{.constraints = 500, .bits = 60, .seed = 7};
  const R1cs<F> r1cs = synthesize_r1cs<F>(circuit);
  const Witness<F> z = synthesize_witness<F>(circuit);
  const F radix = montgomery_radix<F>();
  for (const CsrMatrix<F>* matrix : {&r1cs.a, &r1cs.b, &r1cs.c}) {
    const auto compact = CompactMatrix<F>::of(*matrix);
    REQUIRE(compact.rows() == matrix->rows());
    std::size_t long_rows = 0;
    for (std::size_t row = 0; row < matrix->rows(); ++row) {
      F sum = F::zero();
      for (std::uint64_t i = compact.row_start[row]; i < compact.row_start[row + 1]; ++i) {
        REQUIRE(compact.values[compact.coefficient[i]] == matrix->value[i]);
        sum = add_term(sum, compact.coefficient[i], compact.values.data(),
                       F::from_montgomery(z.values[compact.column[i]]));
      }
      CHECK(sum * radix == row_product<F>(*matrix, row, z.values, radix));
      const bool is_long = matrix->columns_of(row).size() > CompactMatrix<F>::most_of_one_thread;
      if (is_long) {
        REQUIRE(long_rows < compact.long_rows.size());
        CHECK(compact.long_rows[long_rows++] == row);
      }
    }
    CHECK(long_rows == compact.long_rows.size());
  }
  CHECK(CompactMatrix<F>::of(r1cs.a).long_rows.size() >= 2);
}

TEST_CASE("a compact matrix keeps each coefficient once, with ±1 in fixed places",
          "[witness][law]") {
  CsrMatrix<F> matrix;
  matrix.row_start = {0, 3, 3, 7};
  matrix.column = {0, 1, 2, 0, 1, 1, 2};
  matrix.value = {F(5), F::one(), -F::one(), F(5), F::one(), F(6), F::zero()};
  const auto compact = CompactMatrix<F>::of(matrix);
  CHECK(compact.values == Array<F>{F::one(), -F::one(), F(5), F(6), F::zero()});
  CHECK(compact.coefficient == Array<std::uint32_t>{2, 0, 1, 2, 0, 3, 4});
  CHECK(compact.long_rows.empty());
  CHECK(CompactMatrix<F>::of({}).rows() == 0);
}
