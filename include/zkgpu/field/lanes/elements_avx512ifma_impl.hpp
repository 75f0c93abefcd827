// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <zkgpu/field/lanes/fp2_avx512ifma_impl.hpp>

/// Constants in lanes, elements of either field to lanes and back, and powers by a fixed exponent.
namespace zkgpu {

/// A prime field, or the quadratic extension, in lanes.
template <class F, CpuArch A>
struct LaneField {
  using Prime = F;
  static constexpr std::size_t degree = 1;
};
template <class F, CpuArch A>
struct LaneField<Fp2<F>, A> {
  using Prime = F;
  static constexpr std::size_t degree = 2;
};

/// The digits of a constant in the form of lanes. Made at compile time only: a unit that is
/// compiled for more than others must not bring its own copy of functions that all units share.
template <class F>
struct LaneConstant;
template <PrimeField F>
struct LaneConstant<F> {
  typename Radix52<F>::Digits digits[1];
};
template <PrimeField F>
struct LaneConstant<Fp2<F>> {
  typename Radix52<F>::Digits digits[2];
};

namespace detail {

/// One copy of the product and of the square, whatever the bounds.
template <PrimeField F, CpuArch A>
struct CalledArithmetic {
  using L = Lanes<F, A, 2>;
  using Number = typename L::Arithmetic::Number;

  [[gnu::noinline]] static L multiply(const Number& a, const Number& b) noexcept {
    L r;
    L::Arithmetic::multiply(r.limb, a, b);
    return r;
  }
  [[gnu::noinline]] static L square(const Number& a) noexcept {
    L r;
    L::Arithmetic::square(r.limb, a);
    return r;
  }
};

/// From x·2^(64N) to x·2^(52·limbs), where the latter is the larger.
template <PrimeField F>
constexpr typename Radix52<F>::Digits lane_digits(const F& x) noexcept {
  using Radix = Radix52<F>;
  constexpr unsigned shift = ifma::limb_bits * Radix::limbs - 64 * F::limb_count;
  const F scale = F::from_integer(F::Integer::from_uint64(std::uint64_t{1} << shift));
  return Radix::digits((x * scale).montgomery());
}
}  // namespace detail

template <PrimeField F>
constexpr LaneConstant<F> make_lane_constant(const F& x) noexcept {
  return {{detail::lane_digits(x)}};
}
template <PrimeField F>
constexpr LaneConstant<Fp2<F>> make_lane_constant(const Fp2<F>& x) noexcept {
  return {{detail::lane_digits(x.c0), detail::lane_digits(x.c1)}};
}

/// a·b by a call: for long formulas, which take as long with calls, and compilers much less.
template <PrimeField F, CpuArch A, unsigned BoundA, unsigned BoundB>
[[gnu::always_inline]] inline Lanes<F, A, 2> product(const Lanes<F, A, BoundA>& a,
                                                     const Lanes<F, A, BoundB>& b) noexcept {
  static_assert(std::uint64_t{BoundA} * BoundB <= Lanes<F, A, 1>::max_bound_product,
                "the product of these bounds is too large: reduce an operand first");
  return detail::CalledArithmetic<F, A>::multiply(a.limb, b.limb);
}
template <PrimeField F, CpuArch A, unsigned Bound>
[[gnu::always_inline]] inline Lanes<F, A, 2> squared(const Lanes<F, A, Bound>& a) noexcept {
  static_assert(std::uint64_t{Bound} * Bound <= Lanes<F, A, 1>::max_bound_product,
                "the square of this bound is too large: reduce first");
  return detail::CalledArithmetic<F, A>::square(a.limb);
}
/// Those of the extension are calls anyway.
template <PrimeField F, CpuArch A, unsigned BoundA, unsigned BoundB>
[[gnu::always_inline]] inline auto product(const Lanes2<F, A, BoundA>& a,
                                           const Lanes2<F, A, BoundB>& b) noexcept {
  return a * b;
}
template <PrimeField F, CpuArch A, unsigned Bound>
[[gnu::always_inline]] inline auto squared(const Lanes2<F, A, Bound>& a) noexcept {
  return a.square();
}

/// The constant in every lane, below the modulus.
template <CpuArch A, class F>
[[gnu::always_inline]] inline auto broadcast(const LaneConstant<F>& constant) noexcept {
  typename FieldLanes<F, A, 1>::Type r;
  for_coordinates(r, [&](auto& lanes, std::size_t c) {
    for (std::size_t i = 0; i < lanes.limbs; ++i) {
      lanes.limb[i] = ifma::splat(constant.digits[c][i]);
    }
  });
  return r;
}

/// Eight elements from eight addresses. The coordinates of an Fp2 lie one after the other.
template <CpuArch A, class F>
auto load_lanes(const F* const (&from)[ifma::width]) noexcept {
  using Prime = typename LaneField<F, A>::Prime;
  typename FieldLanes<F, A, 2>::Type r;
  for_coordinates(r, [&](auto& lanes, std::size_t c) {
    const Prime* at[ifma::width];
    for (std::size_t k = 0; k < ifma::width; ++k) {
      at[k] = reinterpret_cast<const Prime*>(from[k]) + c;
    }
    lanes = lanes.load(at);
  });
  return r;
}
template <class L, class F>
void store_lanes(const L& x, F* const (&to)[ifma::width]) noexcept {
  using Prime = typename LaneField<F, arch::avx512ifma>::Prime;
  for_coordinates(x, [&](const auto& lanes, std::size_t c) {
    Prime* at[ifma::width];
    for (std::size_t k = 0; k < ifma::width; ++k) at[k] = reinterpret_cast<Prime*>(to[k]) + c;
    lanes.store(at);
  });
}

/// Squarings and products of a power by sliding windows of `window` bits, from the top.
template <std::size_t N>
struct PowerChain {
  static constexpr std::size_t window = 5;
  struct Step {
    std::uint16_t squarings, odd;  ///< then the product with power number `odd`: 2·odd + 1
  };
  std::array<Step, 64 * N> step{};
  std::size_t steps = 0;
  std::uint16_t squarings_at_end = 0;

  static constexpr PowerChain of(const Limbs<N>& exponent) noexcept {
    PowerChain chain;
    std::uint16_t squarings = 0;
    for (std::size_t end = exponent.bit_length(); end > 0;) {
      if (!exponent.bit(end - 1)) {
        ++squarings;
        --end;
        continue;
      }
      std::size_t at = end > window ? end - window : 0;
      while (!exponent.bit(at)) ++at;
      squarings = static_cast<std::uint16_t>(squarings + end - at);
      chain.step[chain.steps++] = {squarings,
                                   static_cast<std::uint16_t>(exponent.bits(at, end - at) / 2)};
      squarings = 0;
      end = at;
    }
    chain.squarings_at_end = squarings;
    return chain;
  }
};

/// a^exponent, the chain of a non-zero exponent given. @cost 1S a bit + 1M for 6 bits + 15M
template <PrimeField F, CpuArch A, std::size_t N>
[[gnu::noinline]] Lanes<F, A, 2> power(const Lanes<F, A, 2>& a,
                                       const PowerChain<N>& chain) noexcept {
  Lanes<F, A, 2> odd_powers[std::size_t{1} << (PowerChain<N>::window - 1)];
  odd_powers[0] = a;
  const auto a_squared = squared(a);
  for (std::size_t i = 1; i < std::size(odd_powers); ++i) {
    odd_powers[i] = product(odd_powers[i - 1], a_squared);
  }
  Lanes<F, A, 2> r = odd_powers[chain.step[0].odd];
  for (std::size_t i = 1; i < chain.steps; ++i) {
    for (unsigned k = 0; k < chain.step[i].squarings; ++k) r = squared(r);
    r = product(r, odd_powers[chain.step[i].odd]);
  }
  for (unsigned k = 0; k < chain.squarings_at_end; ++k) r = squared(r);
  return r;
}

}  // namespace zkgpu
