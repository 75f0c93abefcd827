// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <Eigen/SparseCore>

#include <cstdint>
#include <limits>
#include <vector>

#include <zkgpu/core/error.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace Eigen {

/// A prime field as an Eigen scalar. There is no order and no precision.
template <zkgpu::PrimeFieldParams P>
struct NumTraits<zkgpu::Fp<P>> : GenericNumTraits<zkgpu::Fp<P>> {
  using Real = zkgpu::Fp<P>;
  using NonInteger = zkgpu::Fp<P>;
  using Nested = zkgpu::Fp<P>;
  using Literal = int;
  enum {
    IsComplex = 0,
    IsInteger = 1,
    IsSigned = 0,
    RequireInitialization = 0,
    ReadCost = 4,
    AddCost = 8,
    MulCost = 40
  };
};

}  // namespace Eigen

namespace zkgpu {

/// An Eigen view of a CSR matrix: columns and values are the matrix's own memory; the row starts
/// are copied, because Eigen wants one signed type for all indices.
template <Field F>
class EigenView {
 public:
  using Matrix = Eigen::SparseMatrix<F, Eigen::RowMajor, std::int32_t>;

  /// @param matrix   must outlive the view
  /// @throws InvalidArgument if it has 2^31 entries or more
  EigenView(const CsrMatrix<F>& matrix, std::size_t num_columns)
      : row_start_(matrix.row_start.begin(), matrix.row_start.end()),
        map_(check(matrix), static_cast<Eigen::Index>(num_columns),
             static_cast<Eigen::Index>(matrix.entries()), row_start_.data(),
             reinterpret_cast<const std::int32_t*>(matrix.column.data()), matrix.value.data()) {}
  EigenView(const EigenView&) = delete;
  EigenView& operator=(const EigenView&) = delete;

  const Eigen::Map<const Matrix>& operator*() const noexcept { return map_; }

 private:
  static Eigen::Index check(const CsrMatrix<F>& matrix) {
    if (matrix.entries() >= std::size_t{std::numeric_limits<std::int32_t>::max()}) {
      throw InvalidArgument("Eigen view: the matrix has 2^31 entries or more");
    }
    return static_cast<Eigen::Index>(matrix.rows());
  }
  std::vector<std::int32_t> row_start_;
  Eigen::Map<const Matrix> map_;
};

}  // namespace zkgpu
