// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <random>

#include <catch2/catch.hpp>

#include <zkgpu/arith/carry_chain.hpp>
#include <zkgpu/arith/carry_chain_low_one.hpp>
#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/curve/bls12_381.hpp>

namespace {

using zkgpu::Limbs;
using zkgpu::Montgomery;
using zkgpu::bls12_381::FqParams;
using zkgpu::bls12_381::FrParams;
using zkgpu::carry_chain::EmulatedFlag;
using zkgpu::carry_chain::Words;

template <std::size_t N>
Limbs<N> random_limbs(std::mt19937_64& random) {
  Limbs<N> r{};
  for (auto& limb : r.limb) {
    const auto kind = random() % 8;  // runs of ones and zeros find lost carries
    limb = kind == 0 ? 0 : kind == 1 ? ~std::uint64_t{0} : random();
  }
  return r;
}

/// a mod (k·p)
template <class P, std::size_t N>
Limbs<N> below_multiple(Limbs<N> a, int k) {
  Limbs<N> bound{};
  for (int i = 0; i < k; ++i) zkgpu::limb_ops::portable::add(bound, bound, P::modulus());
  while (zkgpu::compare(a, bound) >= 0) {
    Limbs<N> shifted = zkgpu::shift_right(a, 1);
    a = shifted;
  }
  return a;
}

/// a mod p by subtraction, for a below a few p.
template <class P, std::size_t N>
Limbs<N> reduced(Limbs<N> a) {
  while (zkgpu::compare(a, P::modulus()) >= 0) {
    zkgpu::limb_ops::portable::subtract(a, a, P::modulus());
  }
  return a;
}

template <class P, std::size_t N>
Limbs<N> oracle_product(const Limbs<N>& a, const Limbs<N>& b) {
  return zkgpu::limb_ops::portable::montgomery_product<N>(
      reduced<P>(a), reduced<P>(b), P::modulus(), Montgomery<P>::montgomery_inverse());
}

template <class P, std::size_t N>
Limbs<N> chain_product(const Limbs<N>& a, const Limbs<N>& b) {
  using W = Words<2 * N>;
  EmulatedFlag flag;
  return zkgpu::carry_chain::montgomery_product(
             flag, W::from_limbs(a), W::from_limbs(b), W::from_limbs(P::modulus()),
             static_cast<std::uint32_t>(Montgomery<P>::montgomery_inverse()))
      .to_limbs();
}

template <class P, std::size_t N>
Limbs<N> twice_modulus() {
  Limbs<N> twice{};
  zkgpu::limb_ops::portable::add(twice, P::modulus(), P::modulus());
  return twice;
}

}  // namespace

TEST_CASE("chains add and subtract as the portable limbs do", "[arith][agreement]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto a = random_limbs<6>(random);
    const auto b = random_limbs<6>(random);
    EmulatedFlag flag;
    Words<12> r{};
    Limbs<6> expected{};
    const auto carry = zkgpu::limb_ops::portable::add(expected, a, b);
    REQUIRE(zkgpu::carry_chain::add(flag, r, Words<12>::from_limbs(a), Words<12>::from_limbs(b)) ==
            carry);
    REQUIRE(r.to_limbs() == expected);
    const auto borrow = zkgpu::limb_ops::portable::subtract(expected, a, b);
    const auto mask =
        zkgpu::carry_chain::subtract(flag, r, Words<12>::from_limbs(a), Words<12>::from_limbs(b));
    REQUIRE((mask & 1) == borrow);
    REQUIRE(r.to_limbs() == expected);
  }
}

TEST_CASE("an even-odd product of factors below 2p is the Montgomery product, below 2p",
          "[arith][fq][agreement]") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const auto a = below_multiple<FqParams>(random_limbs<6>(random), 2);
    const auto b = below_multiple<FqParams>(random_limbs<6>(random), 2);
    const auto r = chain_product<FqParams>(a, b);
    REQUIRE(zkgpu::compare(r, twice_modulus<FqParams, 6>()) < 0);
    REQUIRE(reduced<FqParams>(r) == oracle_product<FqParams>(a, b));
  }
}

TEST_CASE("a square by half the products is the product by itself", "[arith][fq][agreement]") {
  std::mt19937_64 random(5);
  Limbs<6> most{};
  zkgpu::limb_ops::portable::subtract(most, twice_modulus<FqParams, 6>(), Limbs<6>::from_uint64(1));
  for (int i = 0; i < 20000; ++i) {
    const auto a = i == 0 ? most : below_multiple<FqParams>(random_limbs<6>(random), 2);
    EmulatedFlag flag;
    const auto r = zkgpu::carry_chain::montgomery_square(
                       flag, Words<12>::from_limbs(a), Words<12>::from_limbs(FqParams::modulus()),
                       static_cast<std::uint32_t>(Montgomery<FqParams>::montgomery_inverse()))
                       .to_limbs();
    REQUIRE(zkgpu::compare(r, twice_modulus<FqParams, 6>()) < 0);
    REQUIRE(reduced<FqParams>(r) == oracle_product<FqParams>(a, a));
  }
}

TEST_CASE("the largest factors in range give products in range", "[arith][fq]") {
  Limbs<6> most{};
  zkgpu::limb_ops::portable::subtract(most, twice_modulus<FqParams, 6>(), Limbs<6>::from_uint64(1));
  const auto r = chain_product<FqParams>(most, most);
  CHECK(zkgpu::compare(r, twice_modulus<FqParams, 6>()) < 0);
  CHECK(reduced<FqParams>(r) == oracle_product<FqParams>(most, most));
}

TEST_CASE("a sum of two products has one reduction and stays below 2p", "[arith][fq][agreement]") {
  std::mt19937_64 random(3);
  Limbs<6> most = twice_modulus<FqParams, 6>();
  for (int i = 0; i < 20000; ++i) {
    const auto draw = [&] { return below_multiple<FqParams>(random_limbs<6>(random), 2); };
    const auto a = i == 0 ? most : draw();
    const auto b = i == 0 ? most : draw();
    const auto c = i == 0 ? most : draw();
    const auto d = i == 0 ? most : draw();
    using W = Words<12>;
    EmulatedFlag flag;
    const auto r = zkgpu::carry_chain::montgomery_sum_of_products(
                       flag, W::from_limbs(a), W::from_limbs(b), W::from_limbs(c), W::from_limbs(d),
                       W::from_limbs(FqParams::modulus()),
                       static_cast<std::uint32_t>(Montgomery<FqParams>::montgomery_inverse()))
                       .to_limbs();
    REQUIRE(zkgpu::compare(r, twice_modulus<FqParams, 6>()) < 0);
    Limbs<6> sum{};
    zkgpu::limb_ops::portable::add(sum, oracle_product<FqParams>(a, b),
                                   oracle_product<FqParams>(c, d));
    REQUIRE(reduced<FqParams>(r) == reduced<FqParams>(sum));
  }
}

TEST_CASE("the low-one product of any integer and a reduced factor is right and below 2r",
          "[arith][fr][agreement]") {
  std::mt19937_64 random(4);
  using W = Words<8>;
  const auto check = [](const Limbs<4>& a, const Limbs<4>& b) {
    EmulatedFlag flag;
    const auto r = zkgpu::carry_chain::montgomery_product_low_one(
                       flag, W::from_limbs(a), W::from_limbs(b), W::from_limbs(FrParams::modulus()))
                       .to_limbs();
    REQUIRE(zkgpu::compare(r, twice_modulus<FrParams, 4>()) < 0);
    REQUIRE(reduced<FrParams>(r) == oracle_product<FrParams>(a, b));
  };
  const Limbs<4> ones{{~0ull, ~0ull, ~0ull, ~0ull}};
  Limbs<4> most{};
  zkgpu::limb_ops::portable::subtract(most, FrParams::modulus(), Limbs<4>::from_uint64(1));
  check(ones, most);
  check(ones, Limbs<4>{{~0ull, ~0ull, ~0ull, most.limb[3] - 1}});
  check(Limbs<4>{}, most);
  check(ones, Limbs<4>{});
  for (std::uint64_t t :
       {0ull, 1ull, 0xffffffffull, 0x100000000ull, 0xffffffff00000000ull, ~0ull}) {
    check(Limbs<4>{{t, 0, 0, 0}}, Limbs<4>::from_uint64(1));
    check(Limbs<4>{{t, t, t, t}}, Limbs<4>{{t, t, t, 1}});
  }
  for (int i = 0; i < 50000; ++i) {
    check(random_limbs<4>(random), below_multiple<FrParams>(random_limbs<4>(random), 1));
  }
}
