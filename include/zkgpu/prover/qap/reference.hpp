// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/stage.hpp>
#include <zkgpu/core/array.hpp>
#include <zkgpu/core/error.hpp>
#include <zkgpu/ntt/reference.hpp>
#include <zkgpu/prover/qap/quotient.hpp>

/// The textbook: the quotient by seven transforms, which every faster way must agree with.
namespace zkgpu {

/// x_i · shift^i for all i.
template <NttField F>
void scale_by_powers(std::span<F> x, const F& shift) noexcept {
  F power = F::one();
  for (F& value : x) {
    value = value * power;
    power = power * shift;
  }
}

/// Values on the domain to values on shift·domain: one inverse and one forward transform.
template <NttField F>
void move_to_coset_reference(const NttDomain<F>& domain, const F& shift, std::span<F> x) {
  ntt_reference(domain, x, NttDirection::inverse);
  scale_by_powers(x, shift);
  ntt_reference(domain, x, NttDirection::forward);
}

/// The coefficients of h = (a·b − c)/(X^n − 1) from values on the domain: three times to the coset
/// g·domain, where X^n − 1 is the constant g^n − 1; divide; once back.
///
/// @param a,b,c  n values each, natural order; overwritten, and `a` becomes the n coefficients, of
///               which the last is zero if c = a∘b on the domain
/// @param g      g^n != 1
/// @throws InvalidArgument if a size is not n, or g^n is one
template <NttField F>
void quotient_reference(const NttDomain<F>& domain, std::span<F> a, std::span<F> b, std::span<F> c,
                        const F& g) {
  F g_to_n = g;
  for (unsigned k = 0; k < domain.log_n; ++k) g_to_n = g_to_n.square();
  if (a.size() != domain.size() || b.size() != a.size() || c.size() != a.size() ||
      g_to_n == F::one()) {
    throw InvalidArgument("quotient: sizes or the coset do not fit the domain");
  }
  for (const std::span<F> x : {a, b, c}) move_to_coset_reference(domain, g, x);
  const F inverse_of_z = (g_to_n - F::one()).inverse();
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] * b[i] - c[i]) * inverse_of_z;
  ntt_reference(domain, a, NttDirection::inverse);
  scale_by_powers(a, g.inverse());
}

/// (a·b − c)(shift·ω^j) for all j, into `a`; as `quotient_reference`, without the way back.
template <NttField F>
void coset_values_reference(const NttDomain<F>& domain, std::span<F> a, std::span<F> b,
                            std::span<F> c, const F& shift) {
  for (const std::span<F> x : {a, b, c}) move_to_coset_reference(domain, shift, x);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] * b[i] - c[i];
}

/// Stage: as `Quotient`, by the textbook. Coefficients come over the coset of the field's
/// generator, which shares nothing with the half coset.
template <NttField F, CpuArch A>
struct QuotientReference {
  static constexpr std::string_view name = "quotient (textbook)";
  using Input = typename Quotient<F, Cpu<A>>::Input;
  using Output = typename Quotient<F, Cpu<A>>::Output;

  const NttTwiddles<F>* twiddles = nullptr;
  F shift;
  QuotientForm form = QuotientForm::coefficients;

  Output operator()(StageContext<Cpu<A>>& at, const Input& in) const {
    const NttDomain<F>& domain = twiddles->domain();
    if (in.a.size() != domain.size() || in.b.size() != domain.size()) {
      throw InvalidArgument("quotient: sizes do not fit the domain");
    }
    SecretArray<F> c(domain.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = in.a[i] * in.b[i];
    if (form == QuotientForm::coefficients) {
      quotient_reference<F>(domain, in.a, in.b, c, F::generator());
    } else {
      coset_values_reference<F>(domain, in.a, in.b, c, shift);
    }
    auto out = at.template scratch<typename F::Integer>(quotient_size(form, domain.size()));
    const auto h = out.span();
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = in.a[i].to_integer();
    return out;
  }
};

}  // namespace zkgpu
