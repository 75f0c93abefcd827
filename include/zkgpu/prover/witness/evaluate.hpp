// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/prover/r1cs/r1cs.hpp>

namespace zkgpu {

/// The rows of A and B as a key's domain has them: constraints, then one row z_i·0 = 0 for each
/// public wire and the constant one, then nothing. Refers to matrices that must outlive it; where
/// there are none, whoever makes the witness makes its rows.
template <PrimeField F>
struct DomainRows {
  const CsrMatrix<F>* a = nullptr;
  const CsrMatrix<F>* b = nullptr;
  std::size_t constraints = 0;  ///< input rows not included, unless the matrices contain them
  std::size_t input_rows = 0;   ///< to be appended; 0 where the matrices contain them already

  /// From a constraint system, whose matrices have no input rows.
  static DomainRows of(const R1cs<F>& r1cs) noexcept {
    return {&r1cs.a, &r1cs.b, r1cs.a.rows(), std::size_t{r1cs.num_public} + 1};
  }
  /// From matrices that have them, as a .zkey stores.
  static DomainRows of(const CsrMatrix<F>& a, const CsrMatrix<F>& b) noexcept {
    return {&a, &b, a.rows(), 0};
  }

  /// Without matrices.
  static DomainRows made_with_witness(std::size_t constraints, std::size_t num_public) noexcept {
    return {nullptr, nullptr, constraints, num_public + 1};
  }

  /// Behind the constraints: input rows, then zeros to the end of the domain.
  void append_inputs(std::span<const typename F::Integer> z, std::span<F> a,
                     std::span<F> b) const noexcept {
    std::fill(a.begin() + static_cast<std::ptrdiff_t>(constraints), a.end(), F::zero());
    std::fill(b.begin() + static_cast<std::ptrdiff_t>(constraints), b.end(), F::zero());
    for (std::size_t wire = 0; wire < input_rows; ++wire) {
      a[constraints + wire] = F::from_integer(z[wire]);
    }
  }

  [[nodiscard]] bool has_matrices() const noexcept { return a != nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return constraints + input_rows; }
  /// Non-zero coefficients of both matrices; without them, what hashing circuits have.
  [[nodiscard]] std::size_t entries() const noexcept {
    return has_matrices() ? a->entries() + b->entries() : 3 * constraints;
  }
};

/// The values of A z and B z on the domain, natural order, Montgomery form.
template <PrimeField F, Backend B>
struct Evaluations {
  Scratch<F, B> a, b;
};

/// Stage: a = A z and b = B z, padded with zeros to the domain. C z is not computed: for a witness
/// that satisfies the constraints it is a∘b.
template <PrimeField F, Backend B>
struct Evaluate {
  static_assert(always_false<F, B>,
                "no evaluation for this backend: specialise zkgpu::Evaluate in prover/witness/");
};

template <PrimeField F, CpuArch A>
struct Evaluate<F, Cpu<A>> {
  static constexpr std::string_view name = "evaluate";
  using Input = std::span<const typename F::Integer>;  ///< z, canonical, one value a wire
  using Output = Evaluations<F, Cpu<A>>;

  DomainRows<F> rows;
  std::size_t domain_size = 0;

  /// @throws InvalidArgument if there are more rows than domain elements
  /// @cost  one product a non-zero entry and one a row
  Output operator()(StageContext<Cpu<A>>& at, const Input& z) const;
};

extern template struct Evaluate<Bls12_381::Fr, Cpu<arch::scalar>>;
#if defined(__x86_64__)
extern template struct Evaluate<Bls12_381::Fr, Cpu<arch::avx2>>;
extern template struct Evaluate<Bls12_381::Fr, Cpu<arch::avx512ifma>>;
#endif

}  // namespace zkgpu
