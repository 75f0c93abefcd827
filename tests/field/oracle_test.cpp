// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/sqrt.hpp>

#include "conformance/field_laws.hpp"
#include "product_forms.hpp"
#include "random_fields.hpp"
#include "types.hpp"

/// A million random cases of each operation against Boost's integers, with each form of the
/// products.
namespace {

using namespace zkgpu;
using test::Violations;
using Fq2 = Bls12_381::Fq2;

using BigInteger = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
    1024, 1024, boost::multiprecision::unsigned_magnitude, boost::multiprecision::unchecked, void>>;

constexpr std::size_t cases = 1'000'000;
constexpr std::size_t block = 2'000;  // drawn and computed by the oracle once, for all forms

template <std::size_t N>
BigInteger to_big(const Limbs<N>& n) {
  BigInteger r;
  boost::multiprecision::import_bits(r, std::begin(n.limb), std::end(n.limb), 64, false);
  return r;
}

/// A random element beside its value. The value is drawn, so that `from_integer` is under test too.
template <class F>
struct Sample {
  F element;
  BigInteger value;
};

template <class F>
std::vector<Sample<F>> draw(test::Random& random) {
  std::vector<Sample<F>> all;
  all.reserve(block);
  for (std::size_t i = 0; i < block; ++i) {
    const auto n = test::random_below(random, F::modulus());
    all.push_back({F::from_integer(n), to_big(n)});
  }
  return all;
}

/// Runs `operation` on `count` random pairs: operation.expected(x, y, p) in integers against
/// operation.computed(a, b) in the field.
template <class F, class Expected, class Computed>
void compare_with_oracle(std::uint64_t seed, Expected&& expected, Computed&& computed) {
  const BigInteger p = to_big(F::modulus());
  test::Random random(seed);
  Violations wrong;
  std::vector<BigInteger> results(block);
  for (std::size_t done = 0; done < cases; done += block) {
    const auto a = draw<F>(random);
    for (std::size_t i = 0; i < block; ++i) {
      results[i] = expected(a[i].value, a[block - 1 - i].value, p);
    }
    test::for_each_product_form([&](const char*) {
      for (std::size_t i = 0; i < block; ++i) {
        const F r = computed(a[i].element, a[block - 1 - i].element);
        wrong.expect(to_big(r.to_integer()) == results[i]);
      }
    });
  }
  CHECK(wrong.count() == 0);
}

using Fields = std::tuple<Bls12_381::Fq, Bls12_381::Fr>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("sums agree with big integers", "[field][oracle]", Fields) {
  compare_with_oracle<TestType>(
      31, [](auto& x, auto& y, auto& p) { return BigInteger((x + y) % p); },
      [](auto& a, auto& b) { return a + b; });
}

TEMPLATE_LIST_TEST_CASE("differences and negatives agree with big integers", "[field][oracle]",
                        Fields) {
  compare_with_oracle<TestType>(
      32, [](auto& x, auto& y, auto& p) { return BigInteger((x + p - y) % p); },
      [](auto& a, auto& b) { return a - b; });
  compare_with_oracle<TestType>(
      33, [](auto& x, auto&, auto& p) { return BigInteger((p - x) % p); },
      [](auto& a, auto&) { return -a; });
}

TEMPLATE_LIST_TEST_CASE("products agree with big integers", "[field][oracle]", Fields) {
  compare_with_oracle<TestType>(
      34, [](auto& x, auto& y, auto& p) { return BigInteger((x * y) % p); },
      [](auto& a, auto& b) { return a * b; });
}

TEMPLATE_LIST_TEST_CASE("squares and doubles agree with big integers", "[field][oracle]", Fields) {
  compare_with_oracle<TestType>(
      35, [](auto& x, auto&, auto& p) { return BigInteger((x * x) % p); },
      [](auto& a, auto&) { return a.square(); });
  compare_with_oracle<TestType>(
      36, [](auto& x, auto&, auto& p) { return BigInteger((2 * x) % p); },
      [](auto& a, auto&) { return a.doubled(); });
}

TEMPLATE_LIST_TEST_CASE("sums of products agree with big integers", "[field][oracle]", Fields) {
  using F = TestType;
  compare_with_oracle<F>(
      37, [](auto& x, auto& y, auto& p) { return BigInteger((x * y + y * y) % p); },
      [](auto& a, auto& b) { return F::sum_of_products(a, b, b, b); });
  compare_with_oracle<F>(
      38, [](auto& x, auto& y, auto& p) { return BigInteger((x * y + (p - y) * y) % p); },
      [](auto& a, auto& b) { return F::difference_of_products(a, b, b, b); });
}

TEMPLATE_LIST_TEST_CASE("an inverse times its element is one in big integers", "[field][oracle]",
                        Fields) {
  const BigInteger p = to_big(TestType::modulus());
  test::Random random(39);
  Violations wrong;
  for (std::size_t done = 0; done < cases; done += block) {
    for (const auto& a : draw<TestType>(random)) {
      const BigInteger inverse = to_big(a.element.inverse().to_integer());
      wrong.expect(inverse < p && (a.value * inverse) % p == (a.value == 0 ? 0 : 1));
    }
  }
  CHECK(wrong.count() == 0);
}

TEMPLATE_LIST_TEST_CASE("powers and roots agree with big integers", "[field][oracle]", Fields) {
  using F = TestType;
  const BigInteger p = to_big(F::modulus());
  test::Random random(40);
  test::for_each_product_form([&](const char*) {
    Violations wrong;
    const auto samples = draw<F>(random);
    for (std::size_t i = 0; i < 500; ++i) {
      const auto& [a, x] = samples[i];
      const BigInteger exponent = to_big(samples[i + 1].element.to_integer());
      wrong.expect(to_big(a.pow(samples[i + 1].element.to_integer()).to_integer()) ==
                   boost::multiprecision::powm(x, exponent, p));
      F root = F::zero();
      const bool found = sqrt(a, root);
      const BigInteger euler = boost::multiprecision::powm(x, BigInteger((p - 1) / 2), p);
      wrong.expect(found == (euler <= 1));
      const BigInteger y = to_big(root.to_integer());
      wrong.expect(!found || (y * y) % p == x);
    }
    CHECK(wrong.count() == 0);
  });
}

TEST_CASE("products and squares in the quadratic extension agree with big integers",
          "[field][oracle]") {
  using Fq = Bls12_381::Fq;
  const BigInteger p = to_big(Fq::modulus());
  test::Random random(41);
  Violations wrong;
  std::vector<BigInteger> real(block), imaginary(block), real_square(block),
      imaginary_square(block);
  for (std::size_t done = 0; done < cases; done += block) {
    const auto c0 = draw<Fq>(random), c1 = draw<Fq>(random);
    const auto other = [](std::size_t i) { return block - 1 - i; };
    for (std::size_t i = 0; i < block; ++i) {
      const BigInteger &a0 = c0[i].value, &a1 = c1[i].value;
      const BigInteger &b0 = c0[other(i)].value, &b1 = c1[other(i)].value;
      real[i] = (a0 * b0 + (p - a1) * b1) % p;
      imaginary[i] = (a0 * b1 + a1 * b0) % p;
      real_square[i] = (a0 * a0 + (p - a1) * a1) % p;
      imaginary_square[i] = (2 * a0 * a1) % p;
    }
    test::for_each_product_form([&](const char*) {
      for (std::size_t i = 0; i < block; ++i) {
        const Fq2 a{c0[i].element, c1[i].element};
        const Fq2 product = a * Fq2{c0[other(i)].element, c1[other(i)].element};
        wrong.expect(to_big(product.c0.to_integer()) == real[i]);
        wrong.expect(to_big(product.c1.to_integer()) == imaginary[i]);
        const Fq2 square = a.square();
        wrong.expect(to_big(square.c0.to_integer()) == real_square[i]);
        wrong.expect(to_big(square.c1.to_integer()) == imaginary_square[i]);
      }
    });
  }
  CHECK(wrong.count() == 0);
}

TEST_CASE("sums and inverses in the quadratic extension agree with big integers",
          "[field][oracle]") {
  using Fq = Bls12_381::Fq;
  const BigInteger p = to_big(Fq::modulus());
  test::Random random(42);
  Violations wrong;
  for (std::size_t done = 0; done < cases; done += block) {
    const auto c0 = draw<Fq>(random), c1 = draw<Fq>(random);
    for (std::size_t i = 0; i < block; ++i) {
      const std::size_t j = block - 1 - i;
      const Fq2 a{c0[i].element, c1[i].element}, b{c0[j].element, c1[j].element};
      const Fq2 sum = a + b, difference = a - b, inverse = a.inverse();
      wrong.expect(to_big(sum.c0.to_integer()) == (c0[i].value + c0[j].value) % p);
      wrong.expect(to_big(sum.c1.to_integer()) == (c1[i].value + c1[j].value) % p);
      wrong.expect(to_big(difference.c0.to_integer()) == (c0[i].value + p - c0[j].value) % p);
      wrong.expect(to_big(difference.c1.to_integer()) == (c1[i].value + p - c1[j].value) % p);
      const BigInteger i0 = to_big(inverse.c0.to_integer()), i1 = to_big(inverse.c1.to_integer());
      wrong.expect((c0[i].value * i0 + (p - c1[i].value) * i1) % p == (a.is_zero() ? 0 : 1));
      wrong.expect((c0[i].value * i1 + c1[i].value * i0) % p == 0);
    }
  }
  CHECK(wrong.count() == 0);
}
