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

  /// Karatsuba. Out of line: three products are more code than the loop around them.
  template <unsigned Other>
  [[gnu::noinline]] Lanes2<F, A, 6> operator*(const Lanes2<F, A, Other>& b) const noexcept {
    const auto v0 = c0 * b.c0;
    const auto v1 = c1 * b.c1;
    const auto cross = (c0 + c1) * (b.c0 + b.c1);
    return {(v0 - v1).template widened<6>(), cross - (v0 + v1)};
  }
  /// (c0 + c1)(c0 - c1) + 2·c0·c1·u
  [[gnu::noinline]] Lanes2<F, A, 4> square() const noexcept {
    const auto real = (c0 + c1) * (c0 - c1);
    return {real.template widened<4>(), (c0 * c1).doubled()};
  }
  [[gnu::always_inline]] auto doubled() const noexcept { return *this + *this; }
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

namespace ifma {

/// Rows to columns. Masked forms only for gcc 12, which warns of the plain ones' undefined input.
[[gnu::always_inline]] inline void transpose(ifma::Vector (&r)[8]) noexcept {
  __m512i t[8];
  ZKGPU_UNROLL for (std::size_t i = 0; i < 4; ++i) {
    t[i] = _mm512_maskz_unpacklo_epi64(0xff, r[2 * i], r[2 * i + 1]);      // columns 0, 2, 4, 6
    t[4 + i] = _mm512_maskz_unpackhi_epi64(0xff, r[2 * i], r[2 * i + 1]);  // columns 1, 3, 5, 7
  }
  ZKGPU_UNROLL for (std::size_t odd = 0; odd < 2; ++odd) {
    const __m512i* const q = t + 4 * odd;
    const __m512i a = _mm512_maskz_shuffle_i64x2(0xff, q[0], q[1], 0x88);
    const __m512i b = _mm512_maskz_shuffle_i64x2(0xff, q[0], q[1], 0xdd);
    const __m512i c = _mm512_maskz_shuffle_i64x2(0xff, q[2], q[3], 0x88);
    const __m512i d = _mm512_maskz_shuffle_i64x2(0xff, q[2], q[3], 0xdd);
    r[0 + odd] = _mm512_maskz_shuffle_i64x2(0xff, a, c, 0x88);
    r[4 + odd] = _mm512_maskz_shuffle_i64x2(0xff, a, c, 0xdd);
    r[2 + odd] = _mm512_maskz_shuffle_i64x2(0xff, b, d, 0x88);
    r[6 + odd] = _mm512_maskz_shuffle_i64x2(0xff, b, d, 0xdd);
  }
}

}  // namespace ifma

}  // namespace zkgpu
