// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <zkgpu/arith/binary_gcd.hpp>
#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/field/field.hpp>

#include "conformance/field_laws.hpp"
#include "product_forms.hpp"
#include "random_fields.hpp"
#include "types.hpp"

namespace {

using namespace zkgpu;

/// Representations for which binary Euclid takes the fewest and the most steps, or compares numbers
/// that agree in their high bits: powers of two, the modulus over a power of two and its
/// neighbours, the modulus less a power of two, and numbers next to the golden section of the
/// modulus.
template <PrimeField F>
std::vector<F> hard_to_invert() {
  using Integer = typename F::Integer;
  std::vector<F> all;
  const auto add = [&all](const Integer& n) {
    if (F::is_canonical(n) && !n.is_zero()) all.push_back(F::from_montgomery(n));
  };
  for (std::size_t k = 0; k < F::bits; ++k) {
    Integer power{};
    power.limb[k / 64] = std::uint64_t{1} << (k % 64);
    add(power);
    Integer n{};
    limb_ops::portable::subtract(n, F::modulus(), power);
    add(n);
    limb_ops::portable::add(n, power, Integer::from_uint64(1));
    add(n);
    limb_ops::portable::subtract(n, power, Integer::from_uint64(1));
    add(n);
    const Integer shifted = shift_right(F::modulus(), k);
    add(shifted);
    limb_ops::portable::add(n, shifted, Integer::from_uint64(1));
    add(n);
    limb_ops::portable::subtract(n, shifted, Integer::from_uint64(1));
    add(n);
  }
  // Next to (√5 - 1)/2 · p all quotients of Euclid are ones: 0.618033988... in binary, cut at bit
  // k.
  const std::uint64_t golden[] = {0x9e3779b97f4a7c15, 0xf39cc0605cedc834};
  Integer sum{};
  for (std::size_t k = 1; k < F::bits; ++k) {
    if ((golden[(k - 1) / 64 % 2] >> (63 - (k - 1) % 64) & 1) != 0) {
      limb_ops::portable::add(sum, sum, shift_right(F::modulus(), k));
    }
    add(sum);
  }
  return all;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("both inversions agree and invert, hard values included", "[field][law]",
                        test::PrimeFields) {
  using F = TestType;
  auto samples = test::sample_elements<F>(500, 11);
  const auto hard = hard_to_invert<F>();
  samples.insert(samples.end(), hard.begin(), hard.end());
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    test::Violations broken;
    for (const F& a : samples) {
      const F inverse = a.inverse();
      broken.expect(a.is_zero() ? inverse.is_zero() : a * inverse == F::one());
      broken.expect(F::is_canonical(inverse.montgomery()));
      broken.expect(inverse == a.inverse_constant_time());
    }
    CHECK(broken.count() == 0);
  });
}

TEMPLATE_LIST_TEST_CASE("the cofactor of an inversion stays within 2^8 moduli", "[arith][law]",
                        test::PrimeFields) {
  using F = TestType;
  using M = Montgomery<typename F::Params>;
  constexpr std::size_t N = F::limb_count;
  Limbs<N + 1> bound{};  // 2^8 · modulus
  for (std::size_t i = 0; i < N; ++i) bound.limb[i] = F::modulus().limb[i];
  for (int k = 0; k < 8; ++k) limb_ops::add(bound, bound, bound);
  Limbs<N + 1> twice{};
  limb_ops::add(twice, bound, bound);
  test::Violations broken;
  for (const F& y : hard_to_invert<F>()) {
    // |v| < bound, as v + bound in (0, 2 · bound) without a carry from the sign bit
    Limbs<N + 1> v = binary_gcd::quotient<M>(M::r_cubed(), y.montgomery());
    limb_ops::add(v, v, bound);
    broken.expect(!v.is_zero() && compare(v, twice) < 0);
  }
  CHECK(broken.count() == 0);
}

TEMPLATE_LIST_TEST_CASE("every element of a small field is inverted", "[field][law]",
                        test::SmallFields) {
  using F = TestType;
  test::Violations broken;
  const auto p = static_cast<int>(F::modulus().limb[0]);
  for (int i = 1; i < p; ++i) broken.expect(F(i) * F(i).inverse() == F::one());
  CHECK(F(0).inverse().is_zero());
  CHECK(broken.count() == 0);
}

TEST_CASE("a run of binary Euclid divides by 2^31 exactly", "[arith][law]") {
  test::Random random(12);
  test::Violations broken;
  for (int i = 0; i < 20000; ++i) {
    // Numbers of at most 64 bits are their own words, so the factors can be checked against them.
    const std::uint64_t a = random() >> (random() % 64);
    const std::uint64_t b = (random() >> (random() % 63)) | 1;
    const auto f = binary_gcd::run(a, b);
    const auto row = [&](std::int64_t fa, std::int64_t fb) {
      return static_cast<__int128>(a) * fa + static_cast<__int128>(b) * fb;
    };
    const __int128 next_a = row(f.aa, f.ab), next_b = row(f.ba, f.bb);
    constexpr __int128 divisor = __int128{1} << 31;
    broken.expect(next_a % divisor == 0 && next_b % divisor == 0);
    broken.expect(next_a >= 0 && next_b > 0);
    broken.expect((next_b / divisor) % 2 == 1);
    // 31 bits of a·b are gone, but for one bit of rounding each.
    const auto length = [](__int128 x) {
      int bits = 0;
      for (; x != 0; x /= 2) ++bits;
      return bits;
    };
    broken.expect(next_a == 0 || length(next_a / divisor) + length(next_b / divisor) <=
                                     length(a) + length(b) - 31 + 2);
    const std::int64_t determinant = f.aa * f.bb - f.ab * f.ba;
    broken.expect(determinant == (std::int64_t{1} << 31) ||
                  determinant == -(std::int64_t{1} << 31));
  }
  CHECK(broken.count() == 0);
}

TEMPLATE_LIST_TEST_CASE("a batch is inverted element by element, zeros stay zero", "[field][law]",
                        test::AllFields) {
  using F = TestType;
  for (const std::size_t n : {0u, 1u, 2u, 31u, 32u, 33u, 100u}) {
    test::Random random(n);
    std::vector<F> elements, scratch(n);
    for (std::size_t i = 0; i < n; ++i) {
      elements.push_back(i % 7 == 3 ? F::zero() : test::random_element<F>(random));
    }
    if (n == 2) elements[0] = elements[1] = F::zero();
    std::vector<F> expected;
    for (const F& a : elements) expected.push_back(a.inverse());
    batch_inverse<F>(elements, scratch);
    CHECK(elements == expected);
  }
}

TEMPLATE_LIST_TEST_CASE("the constant-time inverse of an extension agrees", "[field][law]",
                        test::QuadraticFields) {
  for (const TestType& a : test::sample_elements<TestType>(100, 13)) {
    CHECK(a.inverse_constant_time() == a.inverse());
  }
}
