// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/fixed_base.hpp>
#include <zkgpu/curve/scalar_mul.hpp>

#include "random_points.hpp"

namespace {

using namespace zkgpu;
using namespace zkgpu::bls12_381;
using test::Random;

template <CurveParams P>
Jacobian<P> oracle(const Affine<P>& p, const Fr::Integer& k) {
  return scalar_mul_double_and_add(Jacobian<P>::from_affine(p), k);
}

/// Fq, writing down which operations run: the trace of a computation.
struct TracedFq {
  Fq value;
  static inline std::string trace;

  static constexpr void note(char operation) {
    if (!std::is_constant_evaluated()) trace += operation;
  }
  static constexpr TracedFq zero() { return {Fq::zero()}; }
  static constexpr TracedFq one() { return {Fq::one()}; }
  friend constexpr TracedFq operator+(const TracedFq& a, const TracedFq& b) {
    note('+');
    return {a.value + b.value};
  }
  friend constexpr TracedFq operator-(const TracedFq& a, const TracedFq& b) {
    note('-');
    return {a.value - b.value};
  }
  friend constexpr TracedFq operator*(const TracedFq& a, const TracedFq& b) {
    note('*');
    return {a.value * b.value};
  }
  constexpr TracedFq operator-() const {
    note('n');
    return {-value};
  }
  constexpr TracedFq square() const {
    note('s');
    return {value.square()};
  }
  constexpr TracedFq doubled() const {
    note('d');
    return {value.doubled()};
  }
  constexpr TracedFq inverse() const {
    note('i');
    return {value.inverse()};
  }
  constexpr TracedFq inverse_constant_time() const {
    note('I');
    return {value.inverse_constant_time()};
  }
  constexpr bool is_zero() const { return value.is_zero(); }
  [[maybe_unused]] friend constexpr bool operator==(const TracedFq&, const TracedFq&) = default;
};
constexpr TracedFq select(bool condition, const TracedFq& a, const TracedFq& b) {
  TracedFq::note('?');
  return {select(condition, a.value, b.value)};
}
struct TracedG1Params {
  using BaseField = TracedFq;
  using ScalarField = Fr;
  static constexpr std::uint64_t z_magnitude = G1Params::z_magnitude;
  static constexpr bool z_is_negative = G1Params::z_is_negative;
  static constexpr TracedFq b() { return {G1Params::b()}; }
  static constexpr TracedFq beta() { return {G1Params::beta()}; }
  static constexpr TracedFq generator_x() { return {G1Params::generator_x()}; }
  static constexpr TracedFq generator_y() { return {G1Params::generator_y()}; }
  static constexpr TracedFq multiply_by_3b(const TracedFq& a) {
    return {G1Params::multiply_by_3b(a.value)};
  }
};

Fr::Integer integer(const Fr& value) { return value.to_integer(); }

/// 0, 1, 2, r-1, r-2, ..., powers of two and of z with their neighbours, random ones.
std::vector<Fr::Integer> scalars(std::uint64_t seed) {
  std::vector<Fr> values = {Fr(0), Fr(1), Fr(2), Fr(3), Fr(-1), Fr(-2), Fr(-3), Fr(2).inverse()};
  const Fr z = -Fr::from_integer(Limbs<4>::from_uint64(z_magnitude));
  for (const Fr& power : {z, z.square(), z.square() * z, z.square() - Fr(1)}) {
    for (int d = -1; d <= 1; ++d) {
      values.push_back(power + Fr(d));
      values.push_back(Fr(d) - power);
      values.push_back(power * Fr(2).inverse() + Fr(d));
    }
  }
  Fr power = Fr(1);
  for (int i = 0; i < 255; ++i, power = power.doubled()) {
    values.push_back(power - Fr(1));
    values.push_back(power);
  }
  Random random(seed);
  for (int i = 0; i < 200; ++i) values.push_back(test::random_element<Fr>(random));
  std::vector<Fr::Integer> result;
  for (const Fr& value : values) result.push_back(integer(value));
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("every way to multiply agrees with double-and-add", "[curve][oracle]", G1Params,
                   G2Params) {
  using P = TestType;
  Random random(1);
  const auto ks = scalars(2);
  const FixedBaseTable<Group<P>> table(Group<P>::generator(), 5);
  for (const auto& k : ks) {
    INFO("k = " << k.limb[3] << " " << k.limb[2] << " " << k.limb[1] << " " << k.limb[0]);
    const auto p = test::random_subgroup_point<P>(random);
    const auto expected = oracle(p, k);
    CHECK(scalar_mul(p, k) == expected);
    CHECK(scalar_mul_constant_time(p, k) == expected);
    CHECK(table.multiply(k) == oracle(Group<P>::generator(), k));
  }
}

TEMPLATE_TEST_CASE("multiples of infinity are infinity", "[curve][edge]", G1Params, G2Params) {
  using P = TestType;
  const FixedBaseTable<Group<P>> table(Affine<P>::infinity(), 4);
  for (const auto& k : {integer(Fr(0)), integer(Fr(1)), integer(Fr(-1))}) {
    CHECK(scalar_mul(Affine<P>::infinity(), k).is_infinity());
    CHECK(scalar_mul_constant_time(Affine<P>::infinity(), k).is_infinity());
    CHECK(table.multiply(k).is_infinity());
  }
}

TEMPLATE_TEST_CASE("a fixed base table of every width gives the same multiples", "[curve][edge]",
                   G1Params, G2Params) {
  using P = TestType;
  using G = Group<P>;
  std::vector<Fr::Integer> ks = {integer(Fr(0)), integer(Fr(1)), integer(Fr(-1)), integer(Fr(-2))};
  Random random(3);
  while (ks.size() < 131) ks.push_back(test::random_integer_below<Fr>(random));  // a block and 3
  const auto base = test::random_subgroup_point<P>(random);
  std::vector<Affine<P>> expected;
  for (const auto& k : ks) expected.push_back(oracle(base, k).to_affine());
  for (unsigned w = 2; w <= 10; ++w) {
    INFO("window of " << w << " bits");
    const FixedBaseTable<G> table(base, w);
    CHECK(table.window_bits() == w);
    for (std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{127}, std::size_t{128}, ks.size()}) {
      std::vector<Affine<P>> out(n);
      table.multiply(std::span<const Fr::Integer>(ks).first(n), out);
      CHECK(std::equal(out.begin(), out.end(), expected.begin()));
    }
  }
}

TEST_CASE("entries of a fixed base table recompose to the scalar", "[curve][law]") {
  using Windows = FixedBaseWindows<Fr>;
  const auto ks = scalars(7);
  for (unsigned w = 2; w <= FixedBaseTable<Bls12_381::G1>::max_window_bits; ++w) {
    const Windows windows(w);
    std::uint32_t largest = 0;
    bool right = true;
    for (const auto& k : ks) {
      const auto shifted = windows.shifted(k);
      Fr sum = Fr(0);
      for (std::size_t i = windows.count(); i-- > 0;) {
        for (unsigned bit = 0; bit < w; ++bit) sum = sum.doubled();
        const std::uint32_t entry = windows.entry(shifted, i);
        const std::uint32_t magnitude = entry & ~Windows::sign_bit;
        largest = std::max(largest, magnitude);
        const Fr digit = Fr(static_cast<int>(magnitude));
        sum = sum + (entry == magnitude ? digit : -digit);
      }
      right = right && sum == Fr::from_integer(k);
    }
    INFO("windows of " << w << " bits");
    CHECK(right);
    CHECK(largest == 1U << (w - 1));  // all of a row, and no more
  }
}

TEST_CASE("a fixed base table refuses a width or a size that cannot be", "[curve][errors]") {
  using Table = FixedBaseTable<Bls12_381::G1>;
  CHECK_THROWS_AS(Table(Bls12_381::G1::generator(), 1), InvalidArgument);
  CHECK_THROWS_AS(Table(Bls12_381::G1::generator(), Table::max_window_bits + 1), InvalidArgument);
  const Table table(Bls12_381::G1::generator(), 2);
  const std::vector<Fr::Integer> ks(2, integer(Fr(1)));
  std::vector<Affine<G1Params>> out(1);
  CHECK_THROWS_AS(table.multiply(ks, out), InvalidArgument);
}

TEST_CASE("the window of a fixed base table grows with the number of products", "[curve][plan]") {
  using Table = FixedBaseTable<Bls12_381::G1>;
  unsigned last = Table::window_bits_for(0);
  CHECK(last == 2);
  for (std::size_t n = 1; n < (std::size_t{1} << 30); n *= 2) {
    const unsigned w = Table::window_bits_for(n);
    CHECK(w >= last);
    last = w;
  }
  CHECK(last == Table::max_window_bits);
}

TEMPLATE_TEST_CASE("complete formulas agree with Jacobian ones on every kind of pair",
                   "[curve][law]", G1Params, G2Params) {
  using P = TestType;
  Random random(4);
  const auto a = test::random_curve_point<P>(random);
  const auto b = test::random_curve_point<P>(random);
  const auto infinity = Affine<P>::infinity();
  for (const auto& p : {a, -a, b, infinity}) {
    for (const auto& q : {a, -a, b, infinity}) {
      const auto sum = Projective<P>::from_affine(p) + Projective<P>::from_affine(q);
      const auto expected = Jacobian<P>::from_affine(p) + q;
      CHECK(sum.to_jacobian() == expected);
      CHECK((sum + Projective<P>::from_affine(a)).to_jacobian() == expected + a);
      CHECK(sum.doubled().to_jacobian() == expected.doubled());
      CHECK((sum + -sum).is_infinity());
      CHECK(sum + sum == sum.doubled());
    }
  }
  const auto x = test::random_element<typename P::BaseField>(random);
  CHECK(P::multiply_by_3b(x) == P::b() * (x + x + x));
}

TEST_CASE("a windowed non-adjacent form recomposes and is sparse", "[curve][law]") {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    Limbs<2> n{{random(), random() >> (1 + i % 63)}};
    if (i < 4)
      n = Limbs<2>{{i % 2 == 0 ? 0 : ~std::uint64_t{0}, i < 2 ? 0 : ~std::uint64_t{0} >> 1}};
    const bool negative = i % 2 == 1;
    const auto naf = WindowedNaf<5, 127>::of(n, negative);
    Fr sum = Fr(0);
    std::size_t last = naf.length + 5;
    bool sparse = true;
    for (std::size_t j = naf.length; j-- > 0;) {
      const int digit = naf.digit[j];
      sum = sum.doubled() + Fr(digit);
      if (digit == 0) continue;
      sparse = sparse && digit % 2 != 0 && digit < 16 && digit > -16 && last - j >= 5;
      last = j;
    }
    const Fr expected = Fr::from_integer(Limbs<4>{{n.limb[0], n.limb[1], 0, 0}});
    CHECK(sparse);
    CHECK(sum == (negative ? -expected : expected));
  }
}

TEST_CASE("which field operations a constant-time product takes does not depend on the scalar",
          "[curve][law]") {
  const Affine<TracedG1Params> g{TracedG1Params::generator_x(), TracedG1Params::generator_y()};
  const auto trace = [&](const Fr::Integer& k) {
    TracedFq::trace.clear();
    const auto product = scalar_mul_constant_time(g, k);
    const auto expected = oracle(Bls12_381::G1::generator(), k);
    CHECK(Jacobian<G1Params>{product.x.value, product.y.value, product.z.value} == expected);
    return TracedFq::trace;
  };
  const std::string first = trace(integer(Fr(1)));
  CHECK(first.size() > 2000);
  CHECK(first.find('i') == std::string::npos);  // no inversion of variable time
  for (const auto& k : scalars(6)) CHECK((trace(k) == first));

  // The variable-time product must differ, else the trace sees nothing.
  TracedFq::trace.clear();
  static_cast<void>(scalar_mul(g, integer(Fr(1))));
  const std::string fast = TracedFq::trace;
  TracedFq::trace.clear();
  static_cast<void>(scalar_mul(g, integer(Fr(-3))));
  CHECK((TracedFq::trace != fast));
}

TEMPLATE_TEST_CASE("a constant-time product has Z one, or zero at infinity", "[curve][edge]",
                   G1Params, G2Params) {
  using F = typename TestType::BaseField;
  const auto g = Group<TestType>::generator();
  CHECK(scalar_mul_constant_time(g, integer(Fr(12345))).z == F::one());
  CHECK(scalar_mul_constant_time(g, integer(Fr(0))).z == F::zero());
}
