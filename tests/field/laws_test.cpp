// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <zkgpu/field/field.hpp>

#include "conformance/field_laws.hpp"
#include "product_forms.hpp"
#include "random_fields.hpp"
#include "types.hpp"

namespace {

using namespace zkgpu;

template <class F>
void for_each_form_with_samples(std::size_t count, void (*check)(const std::vector<F>&)) {
  const auto samples = test::sample_elements<F>(count, 0x5eed);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    check(samples);
  });
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("sum, product, square and inverse obey the field laws", "[field][law]",
                        test::AllFields) {
  for_each_form_with_samples<TestType>(150, test::check_field_laws_of_pairs<TestType>);
}

TEMPLATE_LIST_TEST_CASE("sum and product are associative and distributive", "[field][law]",
                        test::AllFields) {
  for_each_form_with_samples<TestType>(100, test::check_field_laws_of_triples<TestType>);
}

TEMPLATE_LIST_TEST_CASE("compound assignment equals the operator", "[field][law]",
                        test::AllFields) {
  for_each_form_with_samples<TestType>(200, test::check_compound_assignment<TestType>);
}

TEMPLATE_LIST_TEST_CASE("integers below the modulus map one to one", "[field][law]",
                        test::PrimeFields) {
  for_each_form_with_samples<TestType>(1000, test::check_prime_field_laws<TestType>);
}

TEMPLATE_LIST_TEST_CASE("powers add their exponents and end where Fermat says", "[field][law]",
                        test::PrimeFields) {
  for_each_form_with_samples<TestType>(100, test::check_power_laws<TestType>);
}

TEMPLATE_LIST_TEST_CASE("a sum of two products equals two products and a sum", "[field][law]",
                        test::AllFields) {
  for_each_form_with_samples<TestType>(150, test::check_sums_of_products<TestType>);
}

TEMPLATE_LIST_TEST_CASE("products of unreduced sums, and long sums of products, are exact",
                        "[field][law]", test::PrimeFields) {
  for_each_form_with_samples<TestType>(150, test::check_unreduced_products<TestType>);
}

TEMPLATE_LIST_TEST_CASE("each root of unity has its order", "[field][law]", test::NttFields) {
  test::check_ntt_field_laws<TestType>();
}

TEMPLATE_LIST_TEST_CASE("selecting takes one of two elements", "[field]", test::AllFields) {
  using F = TestType;
  const auto samples = test::sample_elements<F>(20, 1);
  for (const F& a : samples) {
    CHECK(select(true, a, F::one()) == a);
    CHECK(select(false, F::one(), a) == a);
  }
}

TEMPLATE_LIST_TEST_CASE("the quadratic extension is made of u with u * u = -1", "[field][law]",
                        test::QuadraticFields) {
  using F = TestType;
  using Base = typename F::BaseField;
  const F u{Base::zero(), Base::one()};
  CHECK(u * u == -F::one());
  CHECK(u.square() == -F::one());
  for (const F& a : test::sample_elements<F>(200, 2)) {
    CHECK(a == F{a.c0, Base::zero()} + F{a.c1, Base::zero()} * u);
    CHECK(a * a.conjugate() == F{a.norm(), Base::zero()});
    CHECK(a * a.c1 == a * F{a.c1, Base::zero()});
    CHECK(a.pow(Base::modulus()) == a.conjugate());  // the Frobenius map
  }
}

TEMPLATE_LIST_TEST_CASE("a small integer is the sum of ones", "[field]", test::PrimeFields) {
  using F = TestType;
  F sum = F::zero();
  for (int i = 0; i < 100; ++i) {
    CHECK(F(i) == sum);
    CHECK(F(-i) == -sum);
    sum += F::one();
  }
}
