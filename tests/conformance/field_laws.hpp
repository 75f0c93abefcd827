// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <zkgpu/arith/limbs.hpp>
#include <zkgpu/field/field.hpp>

/// The laws of the concepts in field/field.hpp, checked for any type that claims them. Samples hold
/// zero, one and random elements; see random_fields.hpp.
namespace zkgpu::test {

/// Counts what does not hold, so that thousands of comparisons are one assertion.
class Violations {
 public:
  void expect(bool holds) { count_ += holds ? 0u : 1u; }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

/// Laws that need one or two elements.
template <Field F>
void check_field_laws_of_pairs(const std::vector<F>& samples) {
  Violations broken;
  for (const F& a : samples) {
    broken.expect(a + F::zero() == a);
    broken.expect(a * F::one() == a);
    broken.expect((a * F::zero()).is_zero());
    broken.expect((a + (-a)).is_zero());
    broken.expect((a - a).is_zero());
    broken.expect(-(-a) == a);
    broken.expect(a.square() == a * a);
    broken.expect(a.doubled() == a + a);
    broken.expect(a.is_zero() == (a == F::zero()));
    broken.expect(a.is_zero() ? a.inverse().is_zero() : a * a.inverse() == F::one());
    for (const F& b : samples) {
      broken.expect(a + b == b + a);
      broken.expect(a * b == b * a);
      broken.expect(a - b == a + (-b));
      broken.expect((a == b) == (a - b).is_zero());
      broken.expect((a * b).is_zero() == (a.is_zero() || b.is_zero()));
      broken.expect((a + b).square() - (a - b).square() == (a * b).doubled().doubled());
    }
  }
  CHECK(broken.count() == 0);
}

/// Laws that need three elements; takes the first 24 samples and the last 24.
template <Field F>
void check_field_laws_of_triples(const std::vector<F>& samples) {
  std::vector<F> some(
      samples.begin(),
      samples.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(24, samples.size())));
  some.insert(some.end(), samples.end() - static_cast<std::ptrdiff_t>(some.size()), samples.end());
  Violations broken;
  for (const F& a : some) {
    for (const F& b : some) {
      for (const F& c : some) {
        broken.expect((a + b) + c == a + (b + c));
        broken.expect((a * b) * c == a * (b * c));
        broken.expect(a * (b + c) == a * b + a * c);
      }
    }
  }
  CHECK(broken.count() == 0);
}

/// Compound assignment says the same as the operator, also when both sides are one object.
template <Field F>
void check_compound_assignment(const std::vector<F>& samples) {
  Violations broken;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const F &a = samples[i], &b = samples[i + 1];
    F sum = a, difference = a, product = a;
    broken.expect((sum += b) == a + b && sum == a + b);
    broken.expect((difference -= b) == a - b && difference == a - b);
    broken.expect((product *= b) == a * b && product == a * b);
    F self = a;
    const F& same = self;
    self += same;
    broken.expect(self == a.doubled());
    self = a;
    self -= same;
    broken.expect(self.is_zero());
    self = a;
    self *= same;
    broken.expect(self == a.square());
  }
  CHECK(broken.count() == 0);
}

/// from_integer and to_integer are inverse to each other on [0, modulus) and respect + and ·.
template <PrimeField F>
void check_prime_field_laws(const std::vector<F>& samples) {
  using Integer = typename F::Integer;
  Violations broken;
  for (const F& a : samples) {
    const Integer n = a.to_integer();
    broken.expect(F::is_canonical(n));
    broken.expect(F::from_integer(n) == a);
    broken.expect(F::from_montgomery(a.montgomery()) == a);
    broken.expect(F::is_canonical(a.montgomery()));
  }
  CHECK(F::zero().to_integer() == Integer::zero());
  CHECK(F::one().to_integer() == Integer::from_uint64(1));
  CHECK((F(6) * F(7)).to_integer() == Integer::from_uint64(42));
  CHECK(F(-1) + F::one() == F::zero());
  Integer minus_one = F::modulus();
  minus_one.limb[0] -= 1;
  CHECK(F::from_integer(minus_one) == -F::one());
  CHECK(F::is_canonical(minus_one));
  CHECK_FALSE(F::is_canonical(F::modulus()));
  CHECK(F::bits == F::modulus().bit_length());
  CHECK(broken.count() == 0);
}

/// pow is a homomorphism from the integers, and ends where Fermat says.
template <PrimeField F>
void check_power_laws(const std::vector<F>& samples) {
  using Exponent = Limbs<1>;
  Violations broken;
  typename F::Integer order = F::modulus();
  order.limb[0] -= 1;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const F& a = samples[i];
    const std::uint64_t m = 0x9e3779b97f4a7c15 * (i + 1) >> 20, n = i;
    broken.expect(a.pow(Exponent{{0}}) == F::one());
    broken.expect(a.pow(Exponent{{1}}) == a);
    broken.expect(a.pow(Exponent{{5}}) == a.square().square() * a);
    broken.expect(a.pow(Exponent{{m}}) * a.pow(Exponent{{n}}) == a.pow(Exponent{{m + n}}));
    broken.expect(a.pow(order) == (a.is_zero() ? F::zero() : F::one()));
    const Limbs<2> wide{{~std::uint64_t{0}, 1}};  // 2^65 - 1: the path for long exponents
    F expected = a;
    for (int k = 1; k < 65; ++k) expected = expected.square() * a;
    broken.expect(a.pow(wide) == expected);
  }
  CHECK(broken.count() == 0);
}

/// root_of_unity(k) has order exactly 2^k, and root_of_unity(k)² == root_of_unity(k - 1).
template <NttField F>
void check_ntt_field_laws() {
  CHECK(F::root_of_unity(0) == F::one());
  for (unsigned k = 1; k <= F::two_adicity; ++k) {
    const F root = F::root_of_unity(k);
    CHECK(root.square() == F::root_of_unity(k - 1));
    F power = root;
    for (unsigned i = 1; i < k; ++i) power = power.square();
    CHECK(power == -F::one());
  }
}

/// The sums of products say the same as products and sums.
template <Field F>
void check_sums_of_products(const std::vector<F>& samples) {
  Violations broken;
  const std::size_t n = samples.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const F &a = samples[i], &b = samples[j], &c = samples[(i + j) % n], &d = samples[i * j % n];
      broken.expect(F::sum_of_products(a, b, c, d) == a * b + c * d);
      broken.expect(F::difference_of_products(a, b, c, d) == a * b - c * d);
    }
  }
  CHECK(broken.count() == 0);
}

/// Sums of up to seven products, and products of sums and differences.
template <PrimeField F>
void check_unreduced_products(const std::vector<F>& samples) {
  Violations broken;
  const std::size_t n = samples.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const F &a = samples[i], &b = samples[j], &c = samples[(i + j) % n], &d = samples[i * j % n];
      const F three = a * b + c * d + b * c, seven = three + a * d + (b * d).doubled() + a * c;
      broken.expect(F::template sum_of_products<1>({&a}, {&b}) == a * b);
      broken.expect(F::template sum_of_products<3>({&a, &c, &b}, {&b, &d, &c}) == three);
      broken.expect(F::template sum_of_products<7>({&a, &c, &b, &a, &b, &d, &c},
                                                   {&b, &d, &c, &d, &d, &b, &a}) == seven);
      broken.expect(F::difference_of_squares(a, b) == a.square() - b.square());
      broken.expect(F::twice_product(a, b) == (a * b).doubled());
    }
  }
  CHECK(broken.count() == 0);
}

}  // namespace zkgpu::test
