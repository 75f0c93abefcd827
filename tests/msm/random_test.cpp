// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <random>
#include "msm_cases.hpp"
#include "msm_runs.hpp"
#include "perf/sanitized.hpp"

#include <zkgpu/arith/limb_ops.hpp>
#include <zkgpu/msm/msm.hpp>

namespace {

using namespace zkgpu::test;
using Fr = zkgpu::Bls12_381::Fr;

constexpr std::size_t most_points = 4000;

/// Mostly below a hundred points; one case in twenty has up to thousands.
std::size_t random_size(std::mt19937_64& random) {
  if (random() % 20 == 0) return 1 + random() % most_points;
  return 1 + (random() % 300 >> random() % 8);
}

/// Cases drawn at random: size, kinds, plan. Bases come from one pool, whose multiples of the
/// generator are known: a case costs little more than the sum that it tests.
template <class T>
void random_cases(unsigned count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const KnownBases<typename T::Group> pool(most_points, random);
  for (unsigned i = 0; i < count; ++i) {
    const std::size_t n = random_size(random);
    auto bases = pool.part(random() % (most_points - n + 1), n);
    const auto base_kind = static_cast<unsigned>(random() % base_kinds);
    const auto kind = static_cast<unsigned>(random() % scalar_kinds);
    make_bases(base_kind, bases);
    const auto scalars = make_scalars<Fr>(kind, n, random);
    const auto plan = random_plan<T>(n, random);
    CAPTURE(i, to_string(plan), base_kind_name(base_kind), scalar_kind_name(kind), plan.narrow);
    CHECK(run<T>(plan, scalars, bases.bases()) == bases.expected(scalars));
  }
}

TEMPLATE_LIST_TEST_CASE("200 random cases give the sum", "[msm][oracle]", MsmEverywhere) {
  if (!TestType::available()) return;
  random_cases<TestType>(zkgpu::test::sanitized ? 50 : 200, 15);
}

// 20,000 in all: 4,000 of each group in each form, and below 2,000 of each with portable products.
TEMPLATE_LIST_TEST_CASE("4,000 random cases give the sum", "[msm][oracle][slow]", MsmEverywhere) {
  if (!TestType::available()) return;
  random_cases<TestType>(4000, 16);
}

#if defined(__x86_64__)
/// Portable products while it lives.
struct PortableProducts {
  PortableProducts() : assembly(zkgpu::limb_ops::x86::mulx_adx_enabled()) {
    zkgpu::limb_ops::x86::set_mulx_adx(false);
  }
  PortableProducts(const PortableProducts&) = delete;
  PortableProducts& operator=(const PortableProducts&) = delete;
  ~PortableProducts() { zkgpu::limb_ops::x86::set_mulx_adx(assembly); }
  bool assembly;
};
#else
struct PortableProducts {};  // there are no others
#endif

TEST_CASE("2,000 random cases of each group give the sum with portable products",
          "[msm][oracle][slow]") {
  [[maybe_unused]] const PortableProducts portable;
  random_cases<MsmOnG1>(2000, 17);
  random_cases<MsmOnG2>(2000, 18);
}

}  // namespace
