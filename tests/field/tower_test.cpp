// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <array>
#include <cstddef>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/cyclotomic.hpp>
#include <zkgpu/field/fp12.hpp>
#include <zkgpu/field/fp6.hpp>

#include "product_forms.hpp"
#include "random_fields.hpp"

namespace {

using namespace zkgpu;
using test::Random;
using Fq2 = Bls12_381::Fq2;
using Fq6 = Bls12_381::Fq6;
using Fq12 = Bls12_381::Fq12;
using Tower = Fq6::Tower;

static_assert(Field<Fq6> && Field<Fq12>);
static_assert(!PrimeField<Fq6>);

/// Edges in some coefficients, random in others.
Fq2 coefficient(Random& random) {
  switch (random() % 8) {
    case 0: return Fq2::zero();
    case 1: return Fq2::one();
    case 2: return -Fq2::one();
    case 3: return Fq2{Bls12_381::Fq::zero(), -Bls12_381::Fq::one()};
    default: return test::random_element<Fq2>(random);
  }
}
Fq6 element6(Random& random) {
  return Fq6{coefficient(random), coefficient(random), coefficient(random)};
}
Fq12 element12(Random& random) { return Fq12{element6(random), element6(random)}; }

/// Coefficients of 1, w, ..., w⁵ over Fq2, in which multiplication is that of polynomials mod w⁶ -
/// ξ.
using Coefficients = std::array<Fq2, 6>;
Coefficients coefficients(const Fq12& a) {
  return {a.c0.c0, a.c1.c0, a.c0.c1, a.c1.c1, a.c0.c2, a.c1.c2};
}
Fq12 from_coefficients(const Coefficients& c) {
  return Fq12{{c[0], c[2], c[4]}, {c[1], c[3], c[5]}};
}
Fq12 schoolbook_product(const Fq12& a, const Fq12& b) {
  const auto x = coefficients(a);
  const auto y = coefficients(b);
  Coefficients r{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const Fq2 term = x[i] * y[j];
      r[(i + j) % 6] += i + j < 6 ? term : term * Tower::xi();
    }
  }
  return from_coefficients(r);
}

/// Fq2 without the sums of products that let the tower take its short forms: what a device or
/// another processor runs.
struct PlainFq2 {
  Fq2 value;
  static constexpr PlainFq2 zero() noexcept { return {Fq2::zero()}; }
  static constexpr PlainFq2 one() noexcept { return {Fq2::one()}; }
  friend constexpr PlainFq2 operator+(const PlainFq2& a, const PlainFq2& b) noexcept {
    return {a.value + b.value};
  }
  friend constexpr PlainFq2 operator-(const PlainFq2& a, const PlainFq2& b) noexcept {
    return {a.value - b.value};
  }
  friend constexpr PlainFq2 operator*(const PlainFq2& a, const PlainFq2& b) noexcept {
    return {a.value * b.value};
  }
  constexpr PlainFq2 operator-() const noexcept { return {-value}; }
  constexpr PlainFq2 square() const noexcept { return {value.square()}; }
  constexpr PlainFq2 doubled() const noexcept { return {value.doubled()}; }
  constexpr PlainFq2 inverse() const noexcept { return {value.inverse()}; }
  constexpr PlainFq2 conjugate() const noexcept { return {value.conjugate()}; }
  constexpr bool is_zero() const noexcept { return value.is_zero(); }
  friend constexpr bool operator==(const PlainFq2&, const PlainFq2&) noexcept = default;
};
struct PlainTower {
  using BaseField = PlainFq2;
  static constexpr PlainFq2 multiply_by_xi(const PlainFq2& a) noexcept {
    return {Tower::multiply_by_xi(a.value)};
  }
  static constexpr PlainFq2 frobenius_v() noexcept { return {Tower::frobenius_v()}; }
  static constexpr PlainFq2 frobenius_w() noexcept { return {Tower::frobenius_w()}; }
};
using PlainFq12 = Fp12<PlainTower>;
PlainFq12 plain(const Fq12& a) {
  const auto c = coefficients(a);
  return {{{c[0]}, {c[2]}, {c[4]}}, {{c[1]}, {c[3]}, {c[5]}}};
}

/// An element of the cyclotomic subgroup: x^((q⁶ - 1)(q² + 1)).
Fq12 cyclotomic(const Fq12& x) {
  const Fq12 t = x.conjugate() * x.inverse();
  return t.frobenius().frobenius() * t;
}

}  // namespace

TEST_CASE("xi is neither a square nor a cube, so the tower's polynomials have no roots",
          "[field][law]") {
  // ξ^((q²-1)/2) and ξ^((q²-1)/3) from ξ^((q-1)/6): the norm of the constant, for q + 1 is its
  // power.
  const auto q_plus_1_power = [](const Fq2& a) { return a * a.conjugate(); };
  CHECK_FALSE(q_plus_1_power(Tower::frobenius_vw()) == Fq2::one());
  CHECK_FALSE(q_plus_1_power(Tower::frobenius_v()) == Fq2::one());
}

TEST_CASE("products in the tower are those of polynomials", "[field][oracle]") {
  test::for_each_product_form([](const char* form) {
    Random random(1);
    for (int i = 0; i < 500; ++i) {
      INFO("seed 1, case " << i << " (" << form << ")");
      const Fq12 a = element12(random);
      const Fq12 b = element12(random);
      REQUIRE(a * b == schoolbook_product(a, b));
      REQUIRE(a.square() == schoolbook_product(a, a));
      const Fq12 x{a.c0, {}};
      const Fq12 y{b.c0, {}};
      REQUIRE(a.c0 * b.c0 == schoolbook_product(x, y).c0);
      REQUIRE(a.c0.square() == schoolbook_product(x, x).c0);
    }
  });
}

TEST_CASE("the tower's long forms agree with its short ones", "[field][agreement]") {
  static_assert(!detail::has_fast_sums_of_three<PlainFq2>());
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    INFO("seed 7, case " << i);
    const Fq12 a = element12(random);
    const Fq12 b = element12(random);
    REQUIRE(plain(a) * plain(b) == plain(a * b));
    REQUIRE(plain(a).square() == plain(a.square()));
    REQUIRE(plain(a).inverse() == plain(a.inverse()));
    REQUIRE(plain(a).frobenius() == plain(a.frobenius()));
    const auto& l = b.c0;
    REQUIRE(plain(a).multiply_by_line({l.c0}, {l.c1}, {l.c2}) ==
            plain(a.multiply_by_line(l.c0, l.c1, l.c2)));
  }
}

TEST_CASE("sparse products are products", "[field][law]") {
  Random random(2);
  const Fq6 v{Fq2::zero(), Fq2::one(), Fq2::zero()};
  for (int i = 0; i < 200; ++i) {
    INFO("seed 2, case " << i);
    const Fq12 a = element12(random);
    const Fq2 l0 = coefficient(random), l1 = coefficient(random), l4 = coefficient(random);
    REQUIRE(a.multiply_by_line(l0, l1, l4) ==
            a * Fq12{{l0, l1, Fq2::zero()}, {Fq2::zero(), l4, Fq2::zero()}});
    REQUIRE(a.c0.multiply_by_01(l0, l1) == a.c0 * Fq6{l0, l1, Fq2::zero()});
    REQUIRE(a.c0.multiply_by_1(l1) == a.c0 * Fq6{Fq2::zero(), l1, Fq2::zero()});
    REQUIRE(a.c0.multiply_by_v() == a.c0 * v);
    REQUIRE(a.c0 * l0 == a.c0 * Fq6{l0, Fq2::zero(), Fq2::zero()});
  }
}

TEMPLATE_TEST_CASE("the tower's fields obey the laws of fields", "[field][law]", Fq6, Fq12) {
  using F = TestType;
  const auto element = [](Random& random) {
    if constexpr (std::is_same_v<F, Fq6>) {
      return element6(random);
    } else {
      return element12(random);
    }
  };
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    INFO("seed 3, case " << i);
    const F a = element(random), b = element(random), c = element(random);
    REQUIRE(a + b == b + a);
    REQUIRE((a + b) + c == a + (b + c));
    REQUIRE(a * b == b * a);
    REQUIRE((a * b) * c == a * (b * c));
    REQUIRE(a * (b + c) == a * b + a * c);
    REQUIRE(a - b == a + -b);
    REQUIRE((a - a).is_zero());
    REQUIRE(a.doubled() == a + a);
    REQUIRE(a.square() == a * a);
    REQUIRE(a * F::one() == a);
    REQUIRE(a * a.inverse() == (a.is_zero() ? F::zero() : F::one()));
    F sum = a, difference = a, product = a;
    sum += b;
    difference -= b;
    product *= b;
    REQUIRE((sum == a + b && difference == a - b && product == a * b));
  }
  CHECK(F::zero().inverse() == F::zero());
  CHECK(F::zero().is_zero());
  CHECK_FALSE(F::one().is_zero());
}

TEST_CASE("the Frobenius map is the power q, and of order six and twelve", "[field][oracle]") {
  Random random(4);
  for (int i = 0; i < 4; ++i) {
    const Fq12 a = i == 0 ? Fq12{Fq6::zero(), Fq6::one()} : element12(random);
    REQUIRE(a.frobenius() == a.pow(Bls12_381::Fq::modulus()));
    REQUIRE(Fq12{a.c0.frobenius(), Fq6::zero()} == Fq12{a.c0, Fq6::zero()}.frobenius());
    Fq12 x = a;
    for (int k = 0; k < 6; ++k) x = x.frobenius();
    REQUIRE(x == a.conjugate());
    Fq6 y = a.c0;
    for (int k = 0; k < 6; ++k) y = y.frobenius();
    REQUIRE(y == a.c0);
  }
}

TEST_CASE("in the cyclotomic subgroup squares, powers and inverses have short forms",
          "[field][law]") {
  test::for_each_product_form([](const char* form) {
    Random random(5);
    for (int i = 0; i < 50; ++i) {
      INFO("seed 5, case " << i << " (" << form << ")");
      const Fq12 x = element12(random);
      if (x.is_zero()) continue;
      const Fq12 a = cyclotomic(x);
      REQUIRE(a.cyclotomic_square() == a.square());
      REQUIRE(a.conjugate() * a == Fq12::one());
      const Limbs<4> n{{random(), random(), random(), random() >> (random() % 64)}};
      REQUIRE(a.cyclotomic_pow(n) == a.pow(n));
      REQUIRE(a.cyclotomic_pow(Limbs<1>::from_uint64(0)) == Fq12::one());
      REQUIRE(a.cyclotomic_pow(Limbs<1>::from_uint64(1)) == a);
    }
    const Fq12 outside = element12(random);
    REQUIRE_FALSE(outside.cyclotomic_square() == outside.square());
  });
}

TEST_CASE("compressed elements of the cyclotomic subgroup square and decompress", "[field][law]") {
  using Compressed = CompressedCyclotomic<Tower>;
  const auto decompress = [](const Compressed& c) {
    return c.decompress(c.denominator().inverse());
  };
  test::for_each_product_form([&](const char* form) {
    Random random(6);
    for (int i = 0; i < 50; ++i) {
      INFO("seed 6, case " << i << " (" << form << ")");
      const Fq12 x = element12(random);
      Fq12 a = i == 0 ? Fq12::one() : cyclotomic(x.is_zero() ? Fq12::one() : x);
      Compressed c = Compressed::from(a);
      REQUIRE(decompress(c) == a);
      for (int k = 0; k < 3; ++k) {
        c = c.square();
        a = a.square();
        REQUIRE(decompress(c) == a);
      }
      REQUIRE(cyclotomic_pow_sparse<0xd201000000010000>(a) ==
              a.pow(Limbs<1>::from_uint64(0xd201000000010000)));
      REQUIRE(cyclotomic_pow_sparse<0xd201000000010001>(a) ==
              a.pow(Limbs<1>::from_uint64(0xd201000000010001)));
      REQUIRE(cyclotomic_pow_sparse<0x8000000000000000>(a) ==
              a.pow(Limbs<1>::from_uint64(0x8000000000000000)));
      REQUIRE(cyclotomic_pow_sparse<0x2003>(a) == a.pow(Limbs<1>::from_uint64(0x2003)));
    }
  });
}
