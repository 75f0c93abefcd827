// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/arith/binary_gcd.hpp>
#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/arith/montgomery.hpp>
#include <zkgpu/core/config.hpp>
#include <zkgpu/field/field.hpp>

namespace zkgpu {

/// An element of the prime field with modulus P::modulus(), always fully reduced, in Montgomery
/// form x · 2^(64N). `Fp x;` is uninitialised on purpose, `Fp x{};` is zero.
///
/// Integers outside Montgomery form have the type `Fp::Integer`: no third form crosses a header.
template <PrimeFieldParams P>
class Fp {
  using M = Montgomery<P>;

 public:
  using Params = P;
  using Integer = typename M::Integer;
  static constexpr std::size_t limb_count = M::limb_count;
  static constexpr std::size_t bits = M::bits;
  static constexpr unsigned two_adicity = M::two_adicity;

  Fp() = default;
  /// The small integer `value`, which may be negative.
  ZKGPU_HD explicit constexpr Fp(int value) noexcept
      : value_(from_integer(Integer::from_uint64(magnitude(value))).value_) {
    if (value < 0) *this = -*this;
  }

  ZKGPU_HD static constexpr Fp zero() noexcept { return Fp{}; }
  ZKGPU_HD static constexpr Fp one() noexcept { return from_montgomery(M::r()); }
  ZKGPU_HD static constexpr Fp generator() noexcept { return Fp(P::generator()); }
  ZKGPU_HD static constexpr Integer modulus() noexcept { return M::modulus(); }

  ZKGPU_HD static constexpr bool is_canonical(const Integer& n) noexcept {
    return compare(n, M::modulus()) < 0;
  }

  /// @param n  below the modulus (see is_canonical); @cost 1M
  ZKGPU_HD static constexpr Fp from_integer(const Integer& n) noexcept {
    return from_montgomery(limb_ops::montgomery_product<M>(n, M::r_squared()));
  }

  /// The canonical integer in [0, modulus); @cost 1M
  ZKGPU_HD constexpr Integer to_integer() const noexcept {
    return limb_ops::montgomery_product<M>(value_, Integer::from_uint64(1));
  }

  /// @param n  x · 2^(64N) mod modulus, below the modulus
  ZKGPU_HD static constexpr Fp from_montgomery(const Integer& n) noexcept {
    Fp r{};
    r.value_ = n;
    return r;
  }
  ZKGPU_HD constexpr const Integer& montgomery() const noexcept { return value_; }

  /// A root of unity of order exactly 2^log_n, from the field's generator; log_n <= two_adicity.
  ZKGPU_HD static constexpr Fp root_of_unity(unsigned log_n) noexcept {
    constexpr Fp top = two_adic_root(generator());
    Fp r = top;
    for (unsigned k = two_adicity; k > log_n; --k) r = r.square();
    return r;
  }

  /// g^((modulus-1)/2^two_adicity): of order 2^two_adicity for every non-residue g.
  ZKGPU_HD static constexpr Fp two_adic_root(const Fp& g) noexcept {
    Integer odd = M::modulus();
    odd.limb[0] -= 1;
    return g.pow(shift_right(odd, two_adicity));
  }

  ZKGPU_HD friend constexpr Fp operator+(const Fp& a, const Fp& b) noexcept {
    Fp r;
    limb_ops::modular_add<M>(r.value_, a.value_, b.value_);
    return r;
  }

  ZKGPU_HD friend constexpr Fp operator-(const Fp& a, const Fp& b) noexcept {
    Fp r;
    limb_ops::modular_subtract<M>(r.value_, a.value_, b.value_);
    return r;
  }

  ZKGPU_HD constexpr Fp operator-() const noexcept { return zero() - *this; }

  ZKGPU_HD friend constexpr Fp operator*(const Fp& a, const Fp& b) noexcept {
    Fp r;
    limb_ops::montgomery_product<M>(r.value_, a.value_, b.value_);
    return r;
  }

  ZKGPU_HD constexpr Fp& operator+=(const Fp& b) noexcept {
    limb_ops::modular_add<M>(value_, value_, b.value_);
    return *this;
  }
  ZKGPU_HD constexpr Fp& operator-=(const Fp& b) noexcept {
    limb_ops::modular_subtract<M>(value_, value_, b.value_);
    return *this;
  }
  ZKGPU_HD constexpr Fp& operator*=(const Fp& b) noexcept {
    limb_ops::montgomery_product<M>(value_, value_, b.value_);
    return *this;
  }

  ZKGPU_HD constexpr Fp square() const noexcept {
    Fp r;
    limb_ops::montgomery_square<M>(r.value_, value_);
    return r;
  }
  ZKGPU_HD constexpr Fp doubled() const noexcept { return *this + *this; }

  /// How many products one reduction can serve here; 1 where that saves nothing.
  static constexpr std::size_t max_products =
      limb_ops::has_fast_sum_of_products ? (std::size_t{1} << M::spare_bits) - 1 : 1;
  static constexpr bool has_fast_sum_of_products = max_products >= 2;

  /// Σ_k a[k]·b[k] with one reduction, where K <= max_products: (0.46 + 0.46 K)M
  template <std::size_t K>
  ZKGPU_HD static constexpr Fp sum_of_products(const Fp* const (&a)[K],
                                               const Fp* const (&b)[K]) noexcept {
    if constexpr (K >= 2 && K <= max_products) {
      const Integer *x[K], *y[K];
      for (std::size_t k = 0; k < K; ++k) {
        x[k] = &a[k]->value_;
        y[k] = &b[k]->value_;
      }
      Fp r;
      limb_ops::sum_of_products<M>(r.value_, x, y);
      return r;
    } else {
      Fp r = *a[0] * *b[0];
      for (std::size_t k = 1; k < K; ++k) r += *a[k] * *b[k];
      return r;
    }
  }

  /// a·b + c·d with one reduction: 1.4M
  ZKGPU_HD static constexpr Fp sum_of_products(const Fp& a, const Fp& b, const Fp& c,
                                               const Fp& d) noexcept {
    if constexpr (has_fast_sum_of_products) {
      Fp r;
      limb_ops::sum_of_products<M>(r.value_, a.value_, b.value_, c.value_, d.value_);
      return r;
    } else {
      return a * b + c * d;
    }
  }

  /// a·b - c·d with one reduction: 1.4M
  ZKGPU_HD static constexpr Fp difference_of_products(const Fp& a, const Fp& b, const Fp& c,
                                                      const Fp& d) noexcept {
    if constexpr (has_fast_sum_of_products) {
      return sum_of_products(a, b, -c, d);
    } else {
      return a * b - c * d;
    }
  }

  /// a² - b² = (a + b)(a - b): 1M, neither factor is reduced
  ZKGPU_HD static constexpr Fp difference_of_squares(const Fp& a, const Fp& b) noexcept {
    if constexpr (M::spare_bits >= 2) {
      Integer sum{};
      limb_ops::add(sum, a.value_, b.value_);
      Integer difference{};  // a + (modulus - b), below 2 · modulus
      limb_ops::subtract(difference, M::modulus(), b.value_);
      limb_ops::add(difference, difference, a.value_);
      Fp r;
      limb_ops::montgomery_product<M>(r.value_, sum, difference);
      return r;
    } else {
      return (a + b) * (a - b);
    }
  }

  /// 2·a·b: 1M, the doubled factor is not reduced
  ZKGPU_HD static constexpr Fp twice_product(const Fp& a, const Fp& b) noexcept {
    if constexpr (M::spare_bits >= 2) {
      Integer twice{};
      limb_ops::add(twice, a.value_, a.value_);
      Fp r;
      limb_ops::montgomery_product<M>(r.value_, twice, b.value_);
      return r;
    } else {
      return (a * b).doubled();
    }
  }

  /// this^exponent, variable time in the exponent only. 0^0 is one.
  ///
  /// @cost  on the host 1S a bit + 1M for 6 bits + 15M; on the device, and for short exponents, 1S
  ///        a bit + 1M a set bit
  template <std::size_t L>
  ZKGPU_HD constexpr Fp pow(const Limbs<L>& exponent) const noexcept {
    const std::size_t length = exponent.bit_length();
    if constexpr (!compiling_for_device) {
      if (length > 64) return pow_by_windows(exponent, length);
    }
    Fp r = one();
    for (std::size_t i = length; i-- > 0;) {
      r = r.square();
      if (exponent.bit(i)) r *= *this;
    }
    return r;
  }

  /// 1/this, and zero for zero. Variable time in the value: for public values, such as denominators
  /// in bucket additions and verification. On the device it is inverse_constant_time().
  ///
  /// @cost  about 45M
  ZKGPU_HD constexpr Fp inverse() const noexcept {
    if constexpr (compiling_for_device) {
      return inverse_constant_time();
    } else {
      if (is_zero()) return zero();
      return from_montgomery(binary_gcd::montgomery_inverse<M>(value_));
    }
  }

  /// 1/this, and zero for zero, in a time that does not depend on the value: for secrets (r, s,
  /// toxic waste, points derived from them). By Fermat's little theorem: this^(modulus - 2).
  ///
  /// @cost  1S a bit of the modulus + 1M for 6 bits + 15M
  ZKGPU_HD constexpr Fp inverse_constant_time() const noexcept {
    constexpr Integer exponent = [] {
      Integer n{};
      limb_ops::portable::subtract(n, M::modulus(), Integer::from_uint64(2));
      return n;
    }();
    return pow(exponent);
  }

  ZKGPU_HD constexpr bool is_zero() const noexcept { return value_.is_zero(); }

  ZKGPU_HD friend constexpr bool operator==(const Fp& a, const Fp& b) noexcept {
    return a.value_ == b.value_;
  }

 private:
  /// Sliding windows of at most 5 bits, from the top, over the odd powers below 32. Which products
  /// are made depends on the exponent alone.
  template <std::size_t L>
  constexpr Fp pow_by_windows(const Limbs<L>& exponent, std::size_t length) const noexcept {
    Fp odd_powers[16];  // this^(2i + 1)
    odd_powers[0] = *this;
    const Fp squared = square();
    for (std::size_t i = 1; i < 16; ++i) odd_powers[i] = odd_powers[i - 1] * squared;
    // The window of bits [at, end), at most 5 of them, whose lowest is set; bit end - 1 is set.
    const auto lowest_bit_of_window = [&exponent](std::size_t end) {
      std::size_t at = end > 5 ? end - 5 : 0;
      while (!exponent.bit(at)) ++at;
      return at;
    };
    std::size_t at = lowest_bit_of_window(length);
    Fp r = odd_powers[exponent.bits(at, length - at) / 2];
    while (at > 0) {
      if (!exponent.bit(at - 1)) {
        limb_ops::montgomery_square<M>(r.value_, r.value_);
        --at;
        continue;
      }
      const std::size_t next = lowest_bit_of_window(at);
      for (std::size_t k = next; k < at; ++k) limb_ops::montgomery_square<M>(r.value_, r.value_);
      r *= odd_powers[exponent.bits(next, at - next) / 2];
      at = next;
    }
    return r;
  }

  ZKGPU_HD static constexpr std::uint64_t magnitude(int value) noexcept {
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(std::int64_t{value})
                     : static_cast<std::uint64_t>(value);
  }
  Integer value_;
};

/// condition ? a : b, without a branch.
template <PrimeFieldParams P>
ZKGPU_HD constexpr Fp<P> select(bool condition, const Fp<P>& a, const Fp<P>& b) noexcept {
  return Fp<P>::from_montgomery(limb_ops::select(condition, a.montgomery(), b.montgomery()));
}

}  // namespace zkgpu
