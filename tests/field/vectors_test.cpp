// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/sqrt.hpp>

#include "json_vectors.hpp"
#include "product_forms.hpp"
#include "shared.hpp"

/// Values computed by @noble/curves 2.4.0; shared/vectors/noble-oracle/README.md says how.
namespace {

using namespace zkgpu;
using test::parse;

template <class F>
void check_binary_operations(const test::Json& test_case) {
  const auto a = parse<F>(test_case.at("a")), b = parse<F>(test_case.at("b"));
  CHECK(a + b == parse<F>(test_case.at("add")));
  CHECK(a - b == parse<F>(test_case.at("sub")));
  CHECK(-a == parse<F>(test_case.at("neg")));
  CHECK(a * b == parse<F>(test_case.at("mul")));
  CHECK(a.square() == parse<F>(test_case.at("sqr")));
  const auto& inverse = test_case.at("inv");  // null for zero
  CHECK(a.inverse() == (inverse.is_null() ? F::zero() : parse<F>(inverse)));
}

template <class F>
void check_prime_field(const char* file, std::size_t cases) {
  const test::Json vectors = test::load_json(file);
  CHECK(test::integer_from_hex<F::limb_count>(vectors.at("modulus").get<std::string>()) ==
        F::modulus());
  CHECK(test::integer_from_hex<F::limb_count>(vectors.at("montgomery_R").get<std::string>()) ==
        F::one().montgomery());
  CHECK(vectors.at("cases").size() == cases);
  for (const auto& test_case : vectors.at("cases")) {
    INFO(test_case.at("a"));
    check_binary_operations<F>(test_case);
    const auto a = parse<F>(test_case.at("a"));
    CHECK(a.doubled() == parse<F>(test_case.at("dbl")));
    CHECK(a.montgomery() ==
          test::integer_from_hex<F::limb_count>(test_case.at("mont").get<std::string>()));
    const auto exponent = test::integer_from_hex<1>(test_case.at("exp").get<std::string>());
    CHECK(a.pow(exponent) == parse<F>(test_case.at("pow")));
    CHECK(is_square(a) == test_case.at("is_square").get<bool>());
  }
  CHECK_FALSE(vectors.at("roots").empty());
  for (const auto& test_case : vectors.at("roots")) {
    const auto expected = parse<F>(test_case.at("sqrt"));  // the smaller of the two
    F root{};
    CHECK(sqrt(parse<F>(test_case.at("a")), root));
    CHECK((root == expected || root == -expected));
  }
}

}  // namespace

TEST_CASE("prime field operations agree with noble-curves", "[field][vectors]") {
  if (!test::shared_present("vectors/noble-oracle")) return;
  test::for_each_product_form([](const char* form) {
    INFO(form);
    check_prime_field<Bls12_381::Fq>("vectors/noble-oracle/fp.json", 62);
    check_prime_field<Bls12_381::Fr>("vectors/noble-oracle/fr.json", 46);
  });
}

TEST_CASE("quadratic extension operations agree with noble-curves", "[field][vectors]") {
  if (!test::shared_present("vectors/noble-oracle")) return;
  using F = Bls12_381::Fq2;
  const test::Json vectors = test::load_json("vectors/noble-oracle/fp2.json");
  CHECK(vectors.at("cases").size() == 8);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    for (const auto& test_case : vectors.at("cases")) {
      check_binary_operations<F>(test_case);
      const auto a = parse<F>(test_case.at("a"));
      CHECK(a.conjugate() == parse<F>(test_case.at("conj")));
      for (const auto& power : test_case.at("frobenius")) {
        CHECK(power.at("k").get<int>() == 1);
        CHECK(a.conjugate() == parse<F>(power.at("r")));
      }
      F root{};
      CHECK(sqrt(a.square(), root));
      CHECK((root == a || root == -a));
    }
  });
}
