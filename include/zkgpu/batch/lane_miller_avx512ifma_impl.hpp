// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include <zkgpu/batch/lane_miller.hpp>
#include <zkgpu/field/lanes/tower_avx512ifma_impl.hpp>

namespace zkgpu::batch {

/// One term a lane: the points, the running point of the loop, and the lines that it makes. The
/// formulas are those of `MillerPoint` in curve/pairing.hpp.
template <PairingCurve C, CpuArch A>
class MillerGroup {
  using Fq = typename C::Fq;
  using Fq2 = typename C::Fq2;
  template <unsigned Bound>
  using F = Lanes2<Fq, A, Bound>;
  using Value = Lanes12<Fq, A>;
  static constexpr unsigned bound = 64;
  static constexpr std::size_t width = ifma::width;
  using Tower = typename C::G2::Tower;
  static_assert(xi_is_one_plus_u<Tower>);
  static_assert(C::G2::Params::multiply_by_3b(Fq2::one()) ==
                    Tower::multiply_by_xi(Fq2{Fq(12), Fq::zero()}),
                "double_step takes the twist to be y² = x³ + 4ξ");
  static constexpr auto one_constant = make_lane_constant(Fq2::one());
  static constexpr auto generator_x = make_lane_constant(C::G2::Params::generator_x());
  static constexpr auto generator_y = make_lane_constant(C::G2::Params::generator_y());

 public:
  /// @param terms  nullptr in lanes without one, or whose term has infinity in it
  void load(const PairingTerm<C>* const (&terms)[width]) noexcept {
    alignas(64) static constexpr std::uint64_t zeros[sizeof(Fq2) / 8] = {};
    const auto* const zero = reinterpret_cast<const Fq2*>(zeros);
    const Fq *px[width], *py[width];
    const Fq2 *qx[width], *qy[width];
    used_ = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const bool used = terms[k] != nullptr;
      used_ = static_cast<std::uint8_t>(used_ | unsigned{used} << k);
      px[k] = used ? &terms[k]->p.x : &zero->c0;
      py[k] = used ? &terms[k]->p.y : &zero->c0;
      qx[k] = used ? &terms[k]->q.x : zero;
      qy[k] = used ? &terms[k]->q.y : zero;
    }
    px_ = load_lanes<A>(px);
    py_ = load_lanes<A>(py);
    qx_ = F<2>::select(used_, load_lanes<A>(qx), constant<2>(generator_x));
    qy_ = F<2>::select(used_, load_lanes<A>(qy), constant<2>(generator_y));
    x_ = qx_.template widened<bound>();
    y_ = qy_.template widened<bound>();
    z_ = constant<bound>(one_constant);
  }

  /// T = 2T, and f times the tangent there.
  void double_step(Value& f) noexcept {
    const auto xx = x_.square();
    const auto yy = y_.square();
    const auto zz = z_.square();
    const auto xy2 = (x_ + y_).square() - (xx + yy);
    const auto yz2 = (y_ + z_).square() - (yy + zz);
    const auto e = multiply_by_xi(zz).template times<4>().template times<3>();  // 3b'Z² = 12ξZ²
    const auto e3 = e.template times<3>();
    const auto ee4 = e.square().template times<4>();
    x_ = (xy2 * (yy - e3)).template widened<bound>();
    y_ = ((yy + e3).square() - ee4.template times<3>()).template widened<bound>();
    z_ = (yy * yz2).template times<4>().template widened<bound>();
    multiply(f, yy - e, -xx.template times<3>(), yz2);
  }

  /// T = T + Q, and f times the chord.
  void add_step(Value& f) noexcept {
    const auto theta = y_ - qy_ * z_;
    const auto mu = x_ - qx_ * z_;
    const auto mu2 = mu.square();
    const auto mu3 = mu2 * mu;
    const auto x_mu2 = x_ * mu2;
    const auto h = mu3 + z_ * theta.square() - x_mu2.doubled();
    const auto constant = theta * qx_ - mu * qy_;
    x_ = (mu * h).template widened<bound>();
    y_ = (theta * (x_mu2 - h) - mu3 * y_).template widened<bound>();
    z_ = (z_ * mu3).template widened<bound>();
    multiply(f, constant, -theta, mu);
  }

 private:
  template <unsigned Bound>
  static F<Bound> constant(const LaneConstant<Fq2>& value) noexcept {
    return broadcast<A>(value).template widened<Bound>();
  }

  template <unsigned B0, unsigned B1, unsigned B4>
  [[gnu::always_inline]] void multiply(Value& f, const F<B0>& line, const F<B1>& slope,
                                       const F<B4>& vertical) const noexcept {
    auto l0 = line;
    if (used_ != 0xff) l0 = F<B0>::select(used_, line, constant<B0>(one_constant));
    // In lanes without a term P is (0, 0) here, and the line one.
    f.multiply_by_line(l0, F<2>{slope.c0 * px_, slope.c1 * px_},
                       F<2>{vertical.c0 * py_, vertical.c1 * py_});
  }

  Lanes<Fq, A, 2> px_, py_;
  F<2> qx_, qy_;
  F<bound> x_, y_, z_;
  std::uint8_t used_ = 0;
};

template <PairingCurve C, CpuArch A>
void MillerLanes<C, A>::run(std::size_t groups, const Term* const* terms,
                            Fq12 (&f)[width]) noexcept {
  using Fq2 = typename C::Fq2;
  static constexpr auto one = make_lane_constant(Fq2::one());
  static constexpr auto zero = make_lane_constant(Fq2::zero());
  MillerGroup<C, A> group[most_groups];
  for (std::size_t g = 0; g < groups; ++g) {
    const Term* some[width];
    for (std::size_t k = 0; k < width; ++k) some[k] = terms[width * g + k];
    group[g].load(some);
  }
  Lanes12<typename C::Fq, A> value;
  constexpr unsigned bound = decltype(value)::bound;
  const auto nothing = broadcast<A>(zero).template widened<bound>();
  value.c0 = {broadcast<A>(one).template widened<bound>(), nothing, nothing};
  value.c1 = {nothing, nothing, nothing};
  for (std::size_t bit = 63 - static_cast<std::size_t>(__builtin_clzll(C::z_magnitude));
       bit-- > 0;) {
    value.square_in_place();
    for (std::size_t g = 0; g < groups; ++g) group[g].double_step(value);
    if ((C::z_magnitude >> bit & 1) == 0) continue;
    for (std::size_t g = 0; g < groups; ++g) group[g].add_step(value);
  }
  const auto store = [&](const auto& lanes, std::size_t at) {
    Fq2* to[width];
    for (std::size_t k = 0; k < width; ++k) to[k] = reinterpret_cast<Fq2*>(&f[k]) + at;
    store_lanes(lanes, to);
  };
  store(value.c0.c0, 0);
  store(value.c0.c1, 1);
  store(value.c0.c2, 2);
  store(value.c1.c0, 3);
  store(value.c1.c1, 4);
  store(value.c1.c2, 5);
}

}  // namespace zkgpu::batch
