// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/core/config.hpp>
#include <zkgpu/curve/affine.hpp>
#include <zkgpu/curve/curve.hpp>
#include <zkgpu/curve/xyzz.hpp>
#include <zkgpu/field/fp.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/field/lazy_fp.hpp>

/// Bodies of the device's bucket sums, over coordinates in [0, 2p).
namespace zkgpu {

namespace detail {
template <class F>
struct LazyFieldOf;
template <PrimeFieldParams P>
struct LazyFieldOf<Fp<P>> {
  using type = LazyFp<P>;
};
template <PrimeFieldParams P>
struct LazyFieldOf<Fp2<Fp<P>>> {
  using type = Fp2<LazyFp<P>>;
};
}  // namespace detail

/// The field of a curve's coordinates with values kept below 2p.
template <Field F>
using LazyFieldOf = typename detail::LazyFieldOf<F>::type;

template <PrimeFieldParams P>
ZKGPU_HD constexpr LazyFp<P> to_lazy(const Fp<P>& a) noexcept {
  return LazyFp<P>(a);
}
template <PrimeFieldParams P>
ZKGPU_HD constexpr Fp2<LazyFp<P>> to_lazy(const Fp2<Fp<P>>& a) noexcept {
  return {LazyFp<P>(a.c0), LazyFp<P>(a.c1)};
}
template <PrimeFieldParams P>
ZKGPU_HD constexpr Fp<P> to_canonical(const LazyFp<P>& a) noexcept {
  return a.canonical();
}
template <PrimeFieldParams P>
ZKGPU_HD constexpr Fp2<Fp<P>> to_canonical(const Fp2<LazyFp<P>>& a) noexcept {
  return {a.c0.canonical(), a.c1.canonical()};
}

/// The curve of `P` over lazily reduced coordinates. An array of its affine points is an array of
/// P's.
template <CurveParams P>
struct LazyParams {
  using BaseField = LazyFieldOf<typename P::BaseField>;
  using ScalarField = typename P::ScalarField;
  ZKGPU_HD static constexpr BaseField b() noexcept { return to_lazy(P::b()); }
  ZKGPU_HD static constexpr BaseField generator_x() noexcept { return to_lazy(P::generator_x()); }
  ZKGPU_HD static constexpr BaseField generator_y() noexcept { return to_lazy(P::generator_y()); }
};
template <CurveParams P>
using LazyAffine = Affine<LazyParams<P>>;
template <CurveParams P>
using LazyBucket = Xyzz<LazyParams<P>>;

/// a·b - c·d; one reduction instead of two where the field has such a form.
template <PrimeFieldParams P>
ZKGPU_HD constexpr LazyFp<P> difference_of_products(const LazyFp<P>& a, const LazyFp<P>& b,
                                                    const LazyFp<P>& c,
                                                    const LazyFp<P>& d) noexcept {
  return LazyFp<P>::difference_of_products(a, b, c, d);
}
template <PrimeField F>
ZKGPU_HD constexpr Fp2<F> difference_of_products(const Fp2<F>& a, const Fp2<F>& b, const Fp2<F>& c,
                                                 const Fp2<F>& d) noexcept {
  return a * b - c * d;
}

/// r = a·b, s = c·d; side by side where the field has such a form.
template <PrimeFieldParams P>
ZKGPU_HD constexpr void product_pair(LazyFp<P>& r, LazyFp<P>& s, const LazyFp<P>& a,
                                     const LazyFp<P>& b, const LazyFp<P>& c,
                                     const LazyFp<P>& d) noexcept {
  LazyFp<P>::product_pair(r, s, a, b, c, d);
}
template <PrimeField F>
ZKGPU_HD constexpr void product_pair(Fp2<F>& r, Fp2<F>& s, const Fp2<F>& a, const Fp2<F>& b,
                                     const Fp2<F>& c, const Fp2<F>& d) noexcept {
  const Fp2<F> product = a * b;
  s = c * d;
  r = product;
}

/// What is rare: equal points or opposite ones. Out of line, for the code cache.
template <CurveParams P>
ZKGPU_HD_NOINLINE constexpr Xyzz<P> sum_of_equal_x(const Affine<P>& q, bool equal) noexcept {
  return equal ? Xyzz<P>::doubled(q) : Xyzz<P>::infinity();
}

/// acc += q for q not infinity. Complete otherwise: any acc, equal and opposite points.
///
/// EFD madd-2008-s; 8M + 2S, of which the two products of Y3 share a reduction.
template <CurveParams P>
ZKGPU_HD constexpr void accumulate(Xyzz<P>& acc, const Affine<P>& q) noexcept {
  using F = typename P::BaseField;
  if (acc.is_infinity()) {
    acc = Xyzz<P>{q.x, q.y, F::one(), F::one()};
    return;
  }
  F u2{};
  F s2{};
  product_pair(u2, s2, q.x, acc.zz, q.y, acc.zzz);
  const F h = u2 - acc.x;  // P = U2 - X1
  const F r = s2 - acc.y;  // R = S2 - Y1
  if (h.is_zero()) {
    acc = sum_of_equal_x(q, r.is_zero());
    return;
  }
  const F hh = h.square();
  F hhh{};
  F v{};
  product_pair(hhh, v, h, hh, acc.x, hh);
  product_pair(acc.zz, acc.zzz, acc.zz, hh, acc.zzz, hhh);
  acc.x = r.square() - hhh - v.doubled();                    // X3 = R² - P³ - 2Q
  acc.y = difference_of_products(r, v - acc.x, acc.y, hhh);  // Y3 = R(Q - X3) - Y1·P³
}

/// Where segments put what they sum.
template <CurveParams P>
struct SegmentSinks {
  Xyzz<P>* buckets = nullptr;
  std::uint32_t* head_keys = nullptr;  ///< of each segment; `no_key` if its first run begins in it
  Xyzz<P>* head_sums = nullptr;
  bool fresh = true;  ///< buckets hold nothing yet: runs are stored, not added
};
inline constexpr std::uint32_t msm_no_key = 0xffffffff;

/// Sums entries [begin, end) of the sorted list, run by run of equal keys.
///
/// A run belongs to the segment in which it begins: that one alone writes its bucket. What a
/// segment sums of a run that began before it goes to its head, to be merged later.
///
/// @param load  load(place) gives the point of an entry, sign applied; infinity counts as nothing
template <CurveParams P, class Load>
ZKGPU_HD constexpr void sum_segment(std::size_t segment, std::size_t begin, std::size_t end,
                                    const std::uint32_t* keys, const std::uint32_t* places,
                                    const SegmentSinks<P>& sinks, const Load& load) noexcept {
  std::uint32_t head = msm_no_key;
  if (begin < end) {
    std::uint32_t key = keys[begin];
    bool continues = begin > 0 && keys[begin - 1] == key;
    Xyzz<P> acc = Xyzz<P>::infinity();
    Affine<P> next = load(places[begin]);
    for (std::size_t i = begin; i < end; ++i) {
      const Affine<P> point = next;
      const std::uint32_t next_key = i + 1 < end ? keys[i + 1] : msm_no_key;
      if (i + 1 < end) next = load(places[i + 1]);
      if (!point.is_infinity()) accumulate(acc, point);
      if (next_key == key) continue;
      if (continues) {
        head = key;
        sinks.head_sums[segment] = acc;
      } else if (sinks.fresh) {
        sinks.buckets[key] = acc;
      } else {
        sinks.buckets[key] += acc;
      }
      continues = false;
      key = next_key;
      acc = Xyzz<P>::infinity();
    }
  }
  sinks.head_keys[segment] = head;
}

}  // namespace zkgpu
