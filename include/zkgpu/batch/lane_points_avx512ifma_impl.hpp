// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <zkgpu/batch/lane_points.hpp>
#include <zkgpu/curve/endomorphism.hpp>
#include <zkgpu/field/lanes/sqrt_avx512ifma_impl.hpp>

namespace zkgpu::batch {

/// Eight points in Jacobian coordinates. The formulas are for points that are neither infinity nor
/// ± each other: of others Z becomes zero, and once zero it stays so. A caller looks once, at the
/// end.
template <CurveGroup G, CpuArch A>
struct LaneJacobian {
  using F = typename G::BaseField;
  template <unsigned Bound>
  using Field = typename FieldLanes<F, A, Bound>::Type;
  /// No formula below needs more, in either field.
  static constexpr unsigned bound = 64;

  Field<bound> x, y, z;

  /// 3M + 4S. @see "dbl-2009-alnr" of the Explicit-Formulas Database without its tricks: a product
  /// in lanes costs little more than a square and sums
  [[gnu::noinline]] void double_in_place() noexcept {
    const auto a = squared(x);
    const auto b = squared(y);
    const auto c = squared(b);
    const auto s = product(x, b).template times<4>();          // S = 4XY²
    const auto m = a.template times<3>();                      // M = 3X²
    z = product(y, z).doubled().template widened<bound>();     // Z3 = 2YZ
    x = (squared(m) - s.doubled()).template widened<bound>();  // X3 = M² - 2S
    y = (product(m, s - x) - c.template times<8>())
            .template widened<bound>();  // Y3 = M(S - X3) - 8Y⁴
  }

  /// this += (x2, y2). 8M + 3S
  [[gnu::noinline]] void add(const Field<2>& x2, const Field<2>& y2) noexcept {
    const auto zz = squared(z);
    const auto u2 = product(x2, zz);
    const auto s2 = product(product(y2, zz), z);
    finish_addition(x, y, u2 - x, s2 - y, z);
  }
  /// this += q. 12M + 4S
  [[gnu::noinline]] void add(const LaneJacobian& q) noexcept {
    const auto zz1 = squared(z);
    const auto zz2 = squared(q.z);
    const auto u1 = product(x, zz2);
    const auto s1 = product(product(y, zz2), q.z);
    const auto u2 = product(q.x, zz1);
    const auto s2 = product(product(q.y, zz1), z);
    finish_addition(u1, s1, u2 - u1, s2 - s1, product(z, q.z));
  }

  /// |z|·this by double-and-add; `add_start(r)` adds what is multiplied.
  template <class AddStart>
  [[gnu::always_inline]] void multiply_by_z_magnitude(const AddStart& add_start) noexcept {
    constexpr std::uint64_t z_magnitude = G::Params::z_magnitude;
    for (int bit = 62 - std::countl_zero(z_magnitude); bit >= 0; --bit) {
      double_in_place();
      if ((z_magnitude >> bit & 1) != 0) add_start(*this);
    }
  }

  /// Lane by lane: is this (x2, y2)?
  std::uint8_t equals(const Field<8>& x2, const Field<8>& y2) const noexcept {
    const auto zz = squared(z);
    const auto one = broadcast<A>(one_constant);  // a product is below every smaller bound
    const auto dx = product(x, one).partially_reduced() - product(x2, zz).partially_reduced();
    const auto dy =
        product(y, one).partially_reduced() - product(product(y2, zz), z).partially_reduced();
    return dx.zero_mask() & dy.zero_mask();
  }
  std::uint8_t zero_z_mask() const noexcept {
    return product(z, broadcast<A>(one_constant)).partially_reduced().zero_mask();
  }

 private:
  static constexpr auto one_constant = make_lane_constant(F::one());

  /// With U1, S1, H = U2 - U1, R = S2 - S1 and Z1·Z2.
  template <class U, class S, class H, class R, class Z>
  [[gnu::always_inline]] void finish_addition(const U& u1, const S& s1, const H& h, const R& r,
                                              const Z& zz) noexcept {
    const auto hh = squared(h);
    const auto hhh = product(hh, h);
    const auto v = product(u1, hh);
    const auto x3 = squared(r) - hhh - v.doubled();         // X3 = R² - H³ - 2V
    const auto y3 = product(r, v - x3) - product(s1, hhh);  // Y3 = R(V - X3) - S1·H³
    z = product(zz, h).template widened<bound>();           // Z3 = Z1·Z2·H
    x = x3.template widened<bound>();
    y = y3.template widened<bound>();
  }
};

namespace detail {

/// Which points (x, y) of the curve are in the subgroup? See `is_in_subgroup` for why.
template <CurveGroup G, CpuArch A, class X>
PointMasks subgroup_masks(const X& x, const X& y) noexcept {
  using Params = typename G::Params;
  using F = typename G::BaseField;
  using Point = LaneJacobian<G, A>;
  static constexpr auto one = make_lane_constant(F::one());
  constexpr unsigned bound = Point::bound;
  Point r{x.template widened<bound>(), y.template widened<bound>(),
          broadcast<A>(one).template widened<bound>()};
  r.multiply_by_z_magnitude([&](Point& p) { p.add(x, y); });
  PointMasks masks{0xff, 0, 0};
  if constexpr (Bls12G1Params<Params>) {  // z²·P = -φ²(P) = (β²x, -y)
    static constexpr auto beta_squared = make_lane_constant(Params::beta().square());
    const Point start = r;
    r.multiply_by_z_magnitude([&](Point& p) { p.add(start); });
    masks.in_subgroup = r.equals(product(x, broadcast<A>(beta_squared)).template widened<8>(),
                                 (-y).template widened<8>());
  } else {  // z·P = ψ(P), with conjugates times constants; the sign of z goes to y
    static constexpr auto for_x = make_lane_constant(Params::Tower::frobenius_v_inverse());
    static constexpr auto for_y =
        make_lane_constant(Params::z_is_negative ? -Params::Tower::frobenius_vw_inverse()
                                                 : Params::Tower::frobenius_vw_inverse());
    const X x_bar{x.c0, -x.c1}, y_bar{y.c0, -y.c1};
    masks.in_subgroup = r.equals((x_bar * broadcast<A>(for_x)).template widened<8>(),
                                 (y_bar * broadcast<A>(for_y)).template widened<8>());
  }
  masks.undecided = r.zero_z_mask();
  masks.in_subgroup = static_cast<std::uint8_t>(masks.in_subgroup & ~masks.undecided);
  return masks;
}

}  // namespace detail

template <CurveGroup G, CpuArch A>
PointMasks PointLanes<G, A>::decompress(const F* const (&x)[width], F* const (&y)[width]) noexcept {
  static constexpr auto b = make_lane_constant(G::Params::b());
  const auto x_lanes = load_lanes<A>(x);
  const auto square = (product(squared(x_lanes), x_lanes) + broadcast<A>(b)).partially_reduced();
  auto y_lanes = square;
  const std::uint8_t on_curve = sqrt(square, y_lanes);
  store_lanes(y_lanes, y);
  PointMasks masks = detail::subgroup_masks<G, A>(x_lanes, y_lanes);
  masks.on_curve = on_curve;
  return masks;
}

template <CurveGroup G, CpuArch A>
PointMasks PointLanes<G, A>::check(const Affine* const (&points)[width]) noexcept {
  const F* x[width];
  const F* y[width];
  for (std::size_t k = 0; k < width; ++k) {
    x[k] = &points[k]->x;
    y[k] = &points[k]->y;
  }
  return detail::subgroup_masks<G, A>(load_lanes<A>(x), load_lanes<A>(y));
}

}  // namespace zkgpu::batch
