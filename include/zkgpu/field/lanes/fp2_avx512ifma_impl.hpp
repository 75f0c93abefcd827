// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/field/fp2.hpp>
#include <zkgpu/field/lanes_avx512ifma_impl.hpp>

/// Lanes of the quadratic extension, and what kernels need to treat both fields alike.
namespace zkgpu {

/// Eight elements of F[u]/(u² + 1). Bounds as in `Lanes`, of both coordinates.
template <PrimeField F, CpuArch A, unsigned Bound>
struct Lanes2 {
  Lanes<F, A, Bound> c0, c1;

  template <unsigned Wider>
  [[gnu::always_inline]] Lanes2<F, A, Wider> widened() const noexcept {
    return {c0.template widened<Wider>(), c1.template widened<Wider>()};
  }
  template <unsigned Other>
  [[gnu::always_inline]] Lanes2<F, A, Bound + Other> operator+(
      const Lanes2<F, A, Other>& b) const noexcept {
    return {c0 + b.c0, c1 + b.c1};
  }
  template <unsigned Other>
  [[gnu::always_inline]] Lanes2<F, A, Bound + Other> operator-(
      const Lanes2<F, A, Other>& b) const noexcept {
    return {c0 - b.c0, c1 - b.c1};
  }
  [[gnu::always_inline]] Lanes2 operator-() const noexcept { return {-c0, -c1}; }

  /// Karatsuba. Out of line, one copy for all bounds: three products are more code than the loop
  /// around them.
  template <unsigned Other>
  [[gnu::always_inline]] Lanes2<F, A, 6> operator*(const Lanes2<F, A, Other>& b) const noexcept {
    static_assert(std::uint64_t{2} * Bound * 2 * Other <= Lanes<F, A, 1>::max_bound_product,
                  "the product of these bounds is too large: reduce an operand first");
    return Lanes2<F, A, 1>::product_of(c0.limb, c1.limb, b.c0.limb, b.c1.limb);
  }
  /// (c0 + c1)(c0 - c1) + 2·c0·c1·u
  [[gnu::always_inline]] Lanes2<F, A, 4> square() const noexcept {
    static_assert(std::uint64_t{2} * Bound * 2 * Bound <= Lanes<F, A, 1>::max_bound_product,
                  "the square of this bound is too large: reduce first");
    const auto difference = c0 - c1;
    return Lanes2<F, A, 1>::square_of(c0.limb, c1.limb, difference.limb);
  }

  /// a·b - c, below 2 · modulus; limbs of c may be signed. By a call.
  template <unsigned OfA, unsigned OfB>
  [[gnu::always_inline]] static Lanes2<F, A, 2> product_less(const Lanes2<F, A, OfA>& a,
                                                             const Lanes2<F, A, OfB>& b,
                                                             const Lanes2<F, A, 2>& c) noexcept {
    static_assert(std::uint64_t{2} * OfA * 2 * OfB <= Lanes<F, A, 1>::max_bound_product / 64);
    return Lanes2<F, A, 1>::product_less_of(a.c0.limb, a.c1.limb, b.c0.limb, b.c1.limb, c);
  }
  /// a² - b - c, below 2 · modulus; limbs of b and c may be signed. By a call.
  template <unsigned OfA>
  [[gnu::always_inline]] static Lanes2<F, A, 2> square_less(const Lanes2<F, A, OfA>& a,
                                                            const Lanes2<F, A, 2>& b,
                                                            const Lanes2<F, A, 2>& c) noexcept {
    static_assert(std::uint64_t{2} * OfA * 2 * OfA <= Lanes<F, A, 1>::max_bound_product / 64);
    const auto difference = a.c0 - a.c1;
    return Lanes2<F, A, 1>::square_less_of(a.c0.limb, a.c1.limb, difference.limb, b, c);
  }

  template <unsigned k>
  [[gnu::always_inline]] Lanes2<F, A, (Bound << k)> times_power_of_two() const noexcept {
    return {c0.template times_power_of_two<k>(), c1.template times_power_of_two<k>()};
  }
  [[gnu::always_inline]] auto doubled() const noexcept { return *this + *this; }
  template <unsigned k>
  [[gnu::always_inline]] Lanes2<F, A, k * Bound> times() const noexcept {
    return {c0.template times<k>(), c1.template times<k>()};
  }
  [[gnu::always_inline]] Lanes2<F, A, 2> partially_reduced() const noexcept {
    return {c0.partially_reduced(), c1.partially_reduced()};
  }
  [[gnu::always_inline]] std::uint8_t zero_mask() const noexcept {
    return static_cast<std::uint8_t>(c0.zero_mask() & c1.zero_mask());
  }
  [[gnu::always_inline]] static Lanes2 select(std::uint8_t mask, const Lanes2& a,
                                              const Lanes2& b) noexcept {
    using L = Lanes<F, A, Bound>;
    return {L::select(mask, a.c0, b.c0), L::select(mask, a.c1, b.c1)};
  }

 private:
  using Vector = ifma::Vector;
  static constexpr std::size_t limbs = Lanes<F, A, 1>::limbs;

  [[gnu::always_inline]] static Lanes<F, A, 1> lanes_of(const Vector (&x)[limbs]) noexcept {
    Lanes<F, A, 1> r;
    unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
      constexpr std::size_t i = decltype(at)::value;
      r.limb[i].data = x[i].data;
    });
    return r;
  }
  // Bounds are the callers' to prove: those of these arguments are unknown, and nothing here
  // depends on them.
  [[gnu::noinline]] static Lanes2<F, A, 6> product_of(const Vector (&a0)[limbs],
                                                      const Vector (&a1)[limbs],
                                                      const Vector (&b0)[limbs],
                                                      const Vector (&b1)[limbs]) noexcept {
    Lanes2<F, A, 6> r;
    ifma::Radix52Arithmetic<F>::multiply_complex(r.c0.limb, r.c1.limb, a0, a1, b0, b1);
    return r;
  }
  [[gnu::noinline]] static Lanes2<F, A, 4> square_of(const Vector (&a0)[limbs],
                                                     const Vector (&a1)[limbs],
                                                     const Vector (&difference)[limbs]) noexcept {
    const auto x0 = lanes_of(a0), x1 = lanes_of(a1);
    const auto real = (x0 + x1) * lanes_of(difference);
    return {real.template widened<4>(), (x0 * x1).doubled()};
  }

  /// Both products are within 1/64 of the modulus, the imaginary part of the square twice that.
  [[gnu::noinline]] static Lanes2<F, A, 2> product_less_of(const Vector (&a0)[limbs],
                                                           const Vector (&a1)[limbs],
                                                           const Vector (&b0)[limbs],
                                                           const Vector (&b1)[limbs],
                                                           const Lanes2<F, A, 2>& c) noexcept {
    using L = Lanes<F, A, 1>;
    typename L::Loose real, imaginary;
    ifma::Radix52Arithmetic<F>::multiply_complex_loose(real, imaginary, a0, a1, b0, b1);
    return {L::template reduced_difference<3>(real, c.c0),
            L::template reduced_difference<3>(imaginary, c.c1)};
  }
  [[gnu::noinline]] static Lanes2<F, A, 2> square_less_of(const Vector (&a0)[limbs],
                                                          const Vector (&a1)[limbs],
                                                          const Vector (&difference)[limbs],
                                                          const Lanes2<F, A, 2>& b,
                                                          const Lanes2<F, A, 2>& c) noexcept {
    using L = Lanes<F, A, 1>;
    const auto x0 = lanes_of(a0), x1 = lanes_of(a1);
    const auto sum = x0 + x1, twice = x1.doubled();
    typename L::Loose real, imaginary;
    ifma::Radix52Arithmetic<F>::multiply_loose(real, sum.limb, difference);
    ifma::Radix52Arithmetic<F>::multiply_loose(imaginary, x0.limb, twice.limb);
    return {L::template reduced_difference<5>(real, b.c0, c.c0),
            L::template reduced_difference<5>(imaginary, b.c1, c.c1)};
  }

  template <PrimeField, CpuArch, unsigned>
  friend struct Lanes2;
};

/// Lanes of a field of coordinates.
template <class F, CpuArch A, unsigned Bound>
struct FieldLanes {
  using Type = Lanes<F, A, Bound>;
};
template <class F, CpuArch A, unsigned Bound>
struct FieldLanes<Fp2<F>, A, Bound> {
  using Type = Lanes2<F, A, Bound>;
};

/// f(c) or f(c0), f(c1): visits the prime coordinates of lanes, with the coordinate's number.
template <class F, CpuArch A, unsigned Bound, class Visit>
[[gnu::always_inline]] inline void for_coordinates(Lanes<F, A, Bound>& x, const Visit& f) noexcept {
  f(x, std::size_t{0});
}
template <class F, CpuArch A, unsigned Bound, class Visit>
[[gnu::always_inline]] inline void for_coordinates(const Lanes<F, A, Bound>& x,
                                                   const Visit& f) noexcept {
  f(x, std::size_t{0});
}
template <class F, CpuArch A, unsigned Bound, class Visit>
[[gnu::always_inline]] inline void for_coordinates(Lanes2<F, A, Bound>& x,
                                                   const Visit& f) noexcept {
  f(x.c0, std::size_t{0});
  f(x.c1, std::size_t{1});
}
template <class F, CpuArch A, unsigned Bound, class Visit>
[[gnu::always_inline]] inline void for_coordinates(const Lanes2<F, A, Bound>& x,
                                                   const Visit& f) noexcept {
  f(x.c0, std::size_t{0});
  f(x.c1, std::size_t{1});
}

}  // namespace zkgpu
