// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <random>

#include <catch2/catch.hpp>

#include <zkgpu/arith/divsteps.hpp>
#include <zkgpu/arith/montgomery.hpp>
#include <zkgpu/curve/bls12_381.hpp>

namespace {

namespace divsteps = zkgpu::divsteps;

template <class F>
void check_inverse(const typename F::Integer& x) {
  const auto inverse = divsteps::inverse<zkgpu::Montgomery<typename F::Params>>(x);
  REQUIRE(F::is_canonical(inverse));
  const F product = F::from_integer(x) * F::from_integer(inverse);
  REQUIRE(product == (x.is_zero() ? F::zero() : F::one()));
}

template <class F>
void check_inverses() {
  using Integer = typename F::Integer;
  std::mt19937_64 random(7);
  for (std::uint64_t i = 0; i < 20; ++i) {
    check_inverse<F>(Integer::from_uint64(i));
    Integer high = F::modulus();
    high.limb[0] -= i + 1 <= high.limb[0] ? i + 1 : 1;
    check_inverse<F>(high);
  }
  for (std::size_t bit = 0; bit + 1 < F::bits; ++bit) {
    Integer power{};
    power.limb[bit / 64] = std::uint64_t{1} << (bit % 64);
    check_inverse<F>(power);
    power.limb[bit / 64] -= 1;  // and runs of ones
    check_inverse<F>(power);
  }
  for (int i = 0; i < 3000; ++i) {
    Integer x{};
    for (auto& limb : x.limb) {
      limb = random() % 8 == 0 ? 0 : random() % 8 == 0 ? ~std::uint64_t{0} : random();
    }
    while (!F::is_canonical(x)) x = zkgpu::shift_right(x, 1);
    check_inverse<F>(x);
  }
}

/// 30 steps one by one on numbers of 64 bits.
struct Steps {
  std::int64_t f, g;
  std::int32_t half_delta;
  void step() {
    if (half_delta >= 0 && (g & 1) != 0) {
      const std::int64_t old = f;
      f = g;
      g = (g - old) / 2;
      half_delta = -half_delta;
    } else {
      g = (g + (g & 1) * f) / 2;
      ++half_delta;
    }
  }
};

}  // namespace

TEST_CASE("inverses by division steps invert", "[arith][fr]") {
  check_inverses<zkgpu::Bls12_381::Fr>();
}

TEST_CASE("inverses by division steps invert in the larger field", "[arith][fq]") {
  check_inverses<zkgpu::Bls12_381::Fq>();
}

TEST_CASE("the factors of a batch are those of thirty single steps", "[arith]") {
  std::mt19937_64 random(9);
  for (int i = 0; i < 20000; ++i) {
    // below 2^30 in magnitude: then factors times numbers fit in 64 bits
    const auto f = static_cast<std::int64_t>(random() >> 35) * 2 + 1;
    const auto g = i % 20 == 0 ? 0 : static_cast<std::int64_t>(random() >> 34);
    const auto start = static_cast<std::int32_t>(random() % 21) - 10;
    Steps single{f, g, start};
    for (unsigned k = 0; k < divsteps::batch_steps; ++k) single.step();
    std::int32_t half_delta = start;
    const auto t =
        divsteps::batch(half_delta, static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(g));
    REQUIRE(half_delta == single.half_delta);
    REQUIRE(t.ff * f + t.fg * g == single.f * (std::int64_t{1} << divsteps::batch_steps));
    REQUIRE(t.gf * f + t.gg * g == single.g * (std::int64_t{1} << divsteps::batch_steps));
  }
}
