// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <zkgpu/field/lanes/elements_avx512ifma_impl.hpp>
#include <zkgpu/field/lanes/tower_avx512ifma_impl.hpp>

/// Products of polynomials over Fp2 modulo w⁶ - ξ, a coefficient a lane: what `Across12` is made
/// of.
namespace zkgpu {

namespace detail {

/// Constants that differ from lane to lane.
template <PrimeField F>
struct AcrossConstant {
  alignas(64) std::array<std::array<std::uint64_t, ifma::width>, Radix52<F>::limbs> digits[2]{};
};

/// Numbers of lanes, for permutations.
struct LaneNumbers {
  alignas(64) std::uint64_t lane[ifma::width];
  [[gnu::always_inline]] __m512i load() const noexcept { return _mm512_load_si512(lane); }
};

/// Coefficients of wⁿ in lane n < 6; lanes 6 and 7 hold some numbers within the bounds.
template <PrimeField F, CpuArch A>
struct AcrossRows {
  using Arithmetic = ifma::Radix52Arithmetic<F>;
  using Number = typename Arithmetic::Number;
  using Wide = typename Arithmetic::Wide;
  static constexpr std::size_t limbs = Radix52<F>::limbs;
  static constexpr std::size_t width = ifma::width, coefficients = 6;

  /// Σ a_e·w^e·b over the rows e. In pairs: a_e in the even lanes, a_(e+1) in the odd ones.
  template <bool pairs, unsigned BoundA, unsigned BoundB, std::size_t count>
  [[gnu::always_inline]] static Lanes2<F, A, 3> sum(const Lanes2<F, A, BoundA>& a,
                                                    const Lanes2<F, A, BoundB>& b,
                                                    const std::uint8_t (&rows)[count]) noexcept {
    static_assert(std::uint64_t{count} * 2 * BoundA * 4 * BoundB <=
                  Lanes<F, A, 1>::max_bound_product);
    const auto xi = multiply_by_xi(b);
    Wide real, imaginary, cross;
    accumulate<pairs>(real, a.c0.limb, b.c0.limb, xi.c0.limb, rows, count);
    accumulate<pairs>(imaginary, a.c1.limb, b.c1.limb, xi.c1.limb, rows, count);
    const auto a_sum = a.c0 + a.c1;
    const auto b_sum = b.c0 + b.c1;
    const auto xi_sum = xi.c0 + xi.c1;
    accumulate<pairs>(cross, a_sum.limb, b_sum.limb, xi_sum.limb, rows, count);
    Lanes2<F, A, 3> r;
    Arithmetic::reduce_complex(r.c0.limb, r.c1.limb, real, imaginary, cross);
    return r;
  }

  /// t = Σ_e a[e]·(b moved by e)
  template <bool pairs>
  [[gnu::noinline]] static void accumulate(Wide& t, const Number& a, const Number& b,
                                           const Number& xi_b, const std::uint8_t* rows,
                                           std::size_t count) noexcept {
    alignas(64) std::uint64_t digits[limbs][width];
    for (std::size_t i = 0; i < limbs; ++i) _mm512_store_si512(digits[i], a[i].data);
    Wide sum;
    unrolled<2 * limbs>([&](auto at) __attribute__((always_inline)) {
      sum[decltype(at)::value] = _mm512_setzero_si512();
    });
    for (std::size_t row = 0; row < count; ++row) {
      const std::size_t e = rows[row];
      const __m512i from = rotations[e].load();
      Number moved;
      unrolled<limbs>([&](auto at) __attribute__((always_inline)) {
        constexpr std::size_t j = decltype(at)::value;
        moved[j].data = _mm512_permutex2var_epi64(b[j].data, from, xi_b[j].data);
      });
      unrolled<limbs>([&](auto outer) __attribute__((always_inline)) {
        constexpr std::size_t i = decltype(outer)::value;
        const __m512i digit = everywhere<pairs>(&digits[i][e]);
        unrolled<limbs>([&](auto inner) __attribute__((always_inline)) {
          constexpr std::size_t j = decltype(inner)::value;
          sum[i + j] = _mm512_madd52lo_epu64(sum[i + j], digit, moved[j].data);
          sum[i + j + 1] = _mm512_madd52hi_epu64(sum[i + j + 1], digit, moved[j].data);
        });
      });
    }
    unrolled<2 * limbs>([&](auto at) __attribute__((always_inline)) {
      t[decltype(at)::value] = sum[decltype(at)::value];
    });
  }
  /// One number in every lane, or two in turn.
  template <bool pairs>
  [[gnu::always_inline]] static __m512i everywhere(const std::uint64_t* digit) noexcept {
    if constexpr (pairs) {
      return _mm512_maskz_broadcast_i64x2(0xff,
                                          _mm_load_si128(reinterpret_cast<const __m128i*>(digit)));
    }
    return ifma::splat(*digit).data;
  }

 private:
  /// Lane n of w^e·b: lane n - e, or of ξ·b, whose lanes count from 8, lane n - e + 6.
  static constexpr auto rotations = [] {
    std::array<LaneNumbers, coefficients> made{};
    for (std::size_t e = 0; e < coefficients; ++e) {
      for (std::size_t n = 0; n < width; ++n) {
        made[e].lane[n] = n >= e ? (n - e) % coefficients : width + n + coefficients - e;
      }
    }
    return made;
  }();
};

}  // namespace detail

}  // namespace zkgpu
