// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/field.hpp>
#include <zkgpu/ntt/ntt.hpp>

namespace zkgpu {

/// What a key's h query is multiplied with. n = domain size, σ the shift of the half coset.
enum class QuotientForm : std::uint8_t {
  coefficients,      ///< h_0 .. h_{n-2} of h = (a·b − c)/(X^n − 1), natural order
  odd_coset_values,  ///< (a·b − c)(σω^j) for j < n, with no division: there X^n − 1 is −2
};

/// How many scalars that is.
[[nodiscard]] constexpr std::size_t quotient_size(QuotientForm form, std::size_t n) noexcept {
  return form == QuotientForm::coefficients ? n - 1 : n;
}

/// A domain, and the coset between its elements on which the product a·b is taken.
///
/// Law: σ^n = −1, so X^n − 1 is −2 on the coset. For `odd_coset_values` σ must be the key's ω_2n;
/// the coefficients come out the same for every such σ.
template <NttField F>
struct QuotientDomain {
  NttDomain<F> domain;
  F shift = F::one();

  /// σ and ω = σ², for a domain of 2^log_n elements.
  /// @param generator  a non-residue whose powers give the roots (5 for snarkjs keys on BLS12-381)
  /// @throws InvalidArgument if the field has no root of unity of order 2^(log_n + 1)
  static QuotientDomain from_generator(unsigned log_n, const F& generator) {
    const NttDomain<F> twice = NttDomain<F>::from_generator(log_n + 1, generator);
    QuotientDomain made;
    made.domain.log_n = log_n;
    made.domain.root = twice.root.square();
    made.shift = twice.root;
    return made;
  }
};

/// The smallest integer that is no square in F: 5 in the scalar field of BLS12-381.
template <PrimeField F>
[[nodiscard]] F smallest_non_residue() noexcept {
  typename F::Integer half = F::modulus();
  half.limb[0] -= 1;
  half = shift_right(half, 1);
  F candidate = F::one().doubled();
  while (candidate.pow(half) == F::one()) candidate = candidate + F::one();
  return candidate;
}

/// Stage: the scalars of the h query from a = A z and b = B z, with c = a∘b.
///
/// By six transforms. Let C = c interpolated and D the polynomial of degree < n that agrees with
/// a·b on the half coset. Modulo X^n − 1 the product a·b is C, modulo X^n + 1 it is D; with
/// a·b = h·(X^n − 1) + C the second gives D = C − 2h. Hence h = (C − D)/2, and the values a·b − c
/// on the half coset are −2h there.
/// @see docs/math/qap.md
template <NttField F, Backend B>
struct Quotient {
  static_assert(always_false<F, B>,
                "no quotient for this backend: specialise zkgpu::Quotient in prover/qap/");
};

template <NttField F, CpuArch A>
struct Quotient<F, Cpu<A>> {
  static constexpr std::string_view name = "quotient";
  /// Values on the domain in natural order; both are overwritten.
  struct Input {
    std::span<F> a, b;
  };
  /// quotient_size(form, n) canonical integers.
  using Output = Scratch<typename F::Integer, Cpu<A>>;

  const NttTwiddles<F>* twiddles = nullptr;  ///< of the key's domain; must outlive the stage
  F shift;                                   ///< σ
  QuotientForm form = QuotientForm::coefficients;

  /// @throws InvalidArgument if sizes disagree with the domain, or σ^n != −1
  /// @cost   6 transforms, 4n products; one more array of n elements
  Output operator()(StageContext<Cpu<A>>& at, const Input& in) const;
};

extern template struct Quotient<Bls12_381::Fr, Cpu<arch::scalar>>;
#if defined(__x86_64__)
extern template struct Quotient<Bls12_381::Fr, Cpu<arch::avx2>>;
extern template struct Quotient<Bls12_381::Fr, Cpu<arch::avx512ifma>>;
#endif

}  // namespace zkgpu
