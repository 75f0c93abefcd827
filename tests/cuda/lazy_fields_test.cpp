// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cstdint>
#include <random>

#include <catch2/catch.hpp>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/fp2.hpp>
#include <zkgpu/field/lazy_fp.hpp>
#include <zkgpu/field/loose_fp.hpp>

namespace {

using zkgpu::Limbs;
using zkgpu::bls12_381::Fq;
using zkgpu::bls12_381::FqParams;
using zkgpu::bls12_381::Fr;
using zkgpu::bls12_381::FrParams;
using Lazy = zkgpu::LazyFp<FqParams>;
using Loose = zkgpu::LooseFp<FrParams>;
using Tight = zkgpu::TightFp<FrParams>;

static_assert(zkgpu::Field<Lazy> && zkgpu::PrimeField<Lazy>);
static_assert(zkgpu::Field<zkgpu::Fp2<Lazy>>);

template <class F>
F random_element(std::mt19937_64& random) {
  typename F::Integer n{};
  for (auto& limb : n.limb) limb = random() % 16 == 0 ? ~std::uint64_t{0} : random();
  while (!F::is_canonical(n)) n = zkgpu::shift_right(n, 1);
  return F::from_montgomery(n);
}

/// One of the two representations of a.
Lazy random_representation(const Fq& a, std::mt19937_64& random) {
  Limbs<6> n = a.montgomery();
  if (random() % 2 == 0) zkgpu::limb_ops::portable::add(n, n, Fq::modulus());
  return Lazy::from_representative(n);
}

Limbs<6> twice_q() {
  Limbs<6> twice{};
  zkgpu::limb_ops::portable::add(twice, Fq::modulus(), Fq::modulus());
  return twice;
}

}  // namespace

TEST_CASE("lazy arithmetic agrees with Fq and stays below 2p", "[cuda][fq][agreement]") {
  std::mt19937_64 random(11);
  const auto in_range = [](const Lazy& a) {
    return zkgpu::compare(a.representative(), twice_q()) < 0;
  };
  Limbs<6> top = twice_q();
  top.limb[0] -= 1;
  for (int i = 0; i < 20000; ++i) {
    const Fq a = i % 50 == 0 ? Fq::zero() : random_element<Fq>(random);
    const Fq b = i % 70 == 0 ? a : random_element<Fq>(random);
    const Lazy la = random_representation(a, random);
    const Lazy lb = random_representation(b, random);
    for (const auto& [lazy, exact] : {std::pair{la + lb, a + b},
                                      {la - lb, a - b},
                                      {la * lb, a * b},
                                      {la.square(), a.square()},
                                      {-la, -a},
                                      {Lazy::difference_of_products(la, lb, lb, lb), a * b - b * b},
                                      {Lazy::difference_of_squares(la, lb), a * a - b * b},
                                      {Lazy::twice_product(la, lb), a * b + a * b},
                                      {Lazy::sum_of_products(la, lb, la, la), a * b + a * a}}) {
      REQUIRE(in_range(lazy));
      REQUIRE(lazy.canonical() == exact);
    }
    Lazy first = la;
    Lazy second = lb;
    Lazy::product_pair(first, second, first, second, second, second);
    REQUIRE(in_range(first));
    REQUIRE(in_range(second));
    REQUIRE(first.canonical() == a * b);
    REQUIRE(second.canonical() == b * b);
    const Fq c = random_element<Fq>(random);
    const Lazy lc = i % 3 == 0 ? Lazy::from_representative(top) : random_representation(c, random);
    const zkgpu::Fp2<Lazy> product = zkgpu::Fp2<Lazy>{la, lc} * zkgpu::Fp2<Lazy>{lc, lb};
    const Fq exact_c = lc.canonical();
    REQUIRE(in_range(product.c0));
    REQUIRE(in_range(product.c1));
    REQUIRE(product.c0.canonical() == a * exact_c - exact_c * b);
    REQUIRE(product.c1.canonical() == a * b + exact_c * exact_c);
    REQUIRE((la == lb) == (a == b));
    REQUIRE(la.is_zero() == a.is_zero());
  }
  for (int i = 0; i < 500; ++i) {
    const Fq a = i < 8 ? Fq(i + 1) : i < 16 ? -Fq(i - 7) : random_element<Fq>(random);
    const Lazy inverse = random_representation(a, random).inverse();
    REQUIRE(in_range(inverse));
    REQUIRE(inverse.canonical() == a.inverse());
  }
  CHECK(Lazy::from_representative(Fq::modulus()).inverse().is_zero());
  CHECK(Lazy::zero().inverse().is_zero());
}

TEST_CASE("lazy products are right at both ends of the range, also in Fq2", "[cuda][fq][fq2]") {
  Limbs<6> ends[7] = {};
  ends[1].limb[0] = 1;
  ends[2] = ends[3] = ends[4] = Fq::modulus();
  ends[2].limb[0] -= 1;
  ends[4].limb[0] += 1;
  ends[5] = ends[6] = twice_q();
  ends[5].limb[0] -= 2;
  ends[6].limb[0] -= 1;
  using Lazy2 = zkgpu::Fp2<Lazy>;
  const auto pair = [&ends](unsigned i) {
    return Lazy2{Lazy::from_representative(ends[i % 7]), Lazy::from_representative(ends[i / 7])};
  };
  const auto exact = [](const Lazy2& a) {
    return zkgpu::Fp2<Fq>{a.c0.canonical(), a.c1.canonical()};
  };
  const auto in_range = [](const Lazy2& a) {
    return zkgpu::compare(a.c0.representative(), twice_q()) < 0 &&
           zkgpu::compare(a.c1.representative(), twice_q()) < 0;
  };
  for (unsigned i = 0; i < 49; ++i) {
    const Lazy2 a = pair(i);
    REQUIRE(in_range(a.square()));
    REQUIRE(exact(a.square()) == exact(a).square());
    for (unsigned j = 0; j < 49; ++j) {
      const Lazy2 b = pair(j);
      REQUIRE(in_range(a * b));
      REQUIRE(exact(a * b) == exact(a) * exact(b));
    }
  }
}

TEST_CASE("tight and loose elements agree with Fr in every range", "[cuda][fr][agreement]") {
  std::mt19937_64 random(12);
  // Loose: any 256-bit integer; the field element it stands for.
  const auto value_of = [](const Limbs<4>& n) {
    Limbs<4> rest = n;
    while (!Fr::is_canonical(rest)) {
      zkgpu::limb_ops::portable::subtract(rest, rest, Fr::modulus());
    }
    return Fr::from_montgomery(rest);
  };
  const Limbs<4> bound = zkgpu::detail::LooseRange<FrParams>::twice_modulus();
  const auto is_tight = [&](const Limbs<4>& n) { return zkgpu::compare(n, bound) < 0; };
  for (int i = 0; i < 20000; ++i) {
    Limbs<4> n{}, s{}, t{};
    for (auto& limb : n.limb) limb = random() % 3 == 0 ? ~std::uint64_t{0} : random();
    for (auto* x : {&s, &t}) {
      for (auto& limb : x->limb) limb = random() % 3 == 0 ? ~std::uint64_t{0} : random();
      while (!is_tight(*x)) zkgpu::limb_ops::portable::subtract(*x, *x, bound);
    }
    if (i == 0) zkgpu::limb_ops::portable::subtract(s, bound, Limbs<4>::from_uint64(1)), t = s;
    const Loose loose(n);
    const Tight a{s}, b{t};
    const Fr w = random_element<Fr>(random);
    const Fr vn = value_of(n), va = value_of(s), vb = value_of(t);
    REQUIRE(value_of((loose + a).value) == vn + va);
    REQUIRE(value_of((loose - a).value) == vn - va);
    REQUIRE(value_of((a + b).value) == va + vb);
    REQUIRE(is_tight((a - b).value));
    REQUIRE(value_of((a - b).value) == va - vb);
    REQUIRE(is_tight((loose * w).value));
    REQUIRE(value_of((loose * w).value) == vn * w);
    REQUIRE(is_tight(loose.tightened().value));
    REQUIRE(value_of(loose.tightened().value) == vn);
    REQUIRE(is_tight(tight_sum(a, b).value));
    REQUIRE(value_of(tight_sum(a, b).value) == va + vb);
    const auto known = zkgpu::KnownFactor<FrParams>::from(w);
    REQUIRE(is_tight((a * known).value));
    REQUIRE(value_of((a * known).value) == va * w);
    REQUIRE(a.canonical() == va);
  }
}

TEST_CASE("a known factor's quotient is floor(w·2^256/p), also of the smallest and largest factors",
          "[cuda][fr][oracle]") {
  std::mt19937_64 random(13);
  const Fr largest = -Fr::one();
  for (const Fr& w : {Fr::zero(), Fr::one(), Fr(2), largest, random_element<Fr>(random)}) {
    const auto known = zkgpu::KnownFactor<FrParams>::from(w);
    CHECK(known.factor == w.to_integer());
    // w·2^256 by shifts, less p where it fits: the quotient bit by bit.
    Limbs<4> rest = w.to_integer();
    Limbs<4> quotient{};
    for (int bit = 255; bit >= 0; --bit) {
      zkgpu::limb_ops::portable::add(rest, rest, rest);  // below 2p, so no carry
      if (zkgpu::compare(rest, Fr::modulus()) >= 0) {
        zkgpu::limb_ops::portable::subtract(rest, rest, Fr::modulus());
        quotient.limb[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
    }
    CHECK(known.quotient == quotient);
  }
}
