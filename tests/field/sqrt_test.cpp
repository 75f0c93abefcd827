// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/field/sqrt.hpp>

#include <catch2/catch.hpp>

#include <vector>

#include <zkgpu/field/field.hpp>

#include "conformance/field_laws.hpp"
#include "product_forms.hpp"
#include "random_fields.hpp"
#include "types.hpp"

namespace {

using namespace zkgpu;

/// sqrt finds a root of a just if the Legendre symbol says that there is one, and else leaves
/// `root`.
template <class F>
void check_root_of(test::Violations& broken, const F& a) {
  F root = F::one();
  const bool found = sqrt(a, root);
  broken.expect(found == is_square(a));
  broken.expect(found ? root.square() == a : root == F::one());
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a square has a root and a non-square has none", "[field][law]",
                        test::AllFields) {
  using F = TestType;
  const auto samples = test::sample_elements<F>(60, 21);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    test::Violations broken;
    for (const F& a : samples) {
      check_root_of(broken, a);
      check_root_of(broken, a.square());
      broken.expect(is_square(a.square()));
      F root{};
      broken.expect(sqrt(a.square(), root) && (root == a || root == -a));
    }
    CHECK(broken.count() == 0);
  });
}

TEMPLATE_LIST_TEST_CASE("the Legendre symbol is multiplicative", "[field][law]", test::AllFields) {
  using F = TestType;
  const auto samples = test::sample_elements<F>(40, 22);
  test::Violations broken;
  std::vector<int> symbols;
  for (const F& a : samples) symbols.push_back(legendre(a));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    broken.expect((symbols[i] == 0) == samples[i].is_zero());
    const std::size_t j = samples.size() - 1 - i;
    broken.expect(legendre(samples[i] * samples[j]) == symbols[i] * symbols[j]);
  }
  CHECK(broken.count() == 0);
}

TEMPLATE_LIST_TEST_CASE("half of a small field's elements are squares", "[field][law]",
                        test::SmallFields) {
  using F = TestType;
  test::Violations broken;
  const auto p = static_cast<int>(F::modulus().limb[0]);
  int squares = 0;
  for (int i = 1; i < p; ++i) {
    check_root_of(broken, F(i));
    squares += is_square(F(i)) ? 1 : 0;
  }
  CHECK(squares == (p - 1) / 2);
  CHECK(broken.count() == 0);
}

TEST_CASE("half of a small quadratic extension's elements are squares", "[field][law]") {
  using F = Fp2<test::Toy1019>;
  test::Violations broken;
  int squares = 0;
  for (int i = 0; i < 1019; ++i) {
    for (int j = 0; j < 1019;
         j += (i % 16 == 0 ? 1 : 16)) {  // whole rows where c0 is 0, 16, 32, ...
      check_root_of(broken, F{test::Toy1019(i), test::Toy1019(j)});
    }
  }
  for (int j = 0; j < 1019; ++j) {  // the imaginary line: c0 = 0 takes both branches of the method
    squares += is_square(F{test::Toy1019(0), test::Toy1019(j)}) ? 1 : 0;
    squares += is_square(F{test::Toy1019(j), test::Toy1019(0)}) ? 1 : 0;
  }
  CHECK(squares == 2 * 1019);  // norms there are squares of the base field
  CHECK(broken.count() == 0);
}
