// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <vector>
#include "msm_cases.hpp"
#include "msm_runs.hpp"
#include "perf/sanitized.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <zkgpu/msm/bitmap.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/msm/reference.hpp>

namespace {

using namespace zkgpu::test;
using zkgpu::InvalidArgument;
using zkgpu::MsmBitmap;
using zkgpu::MsmPlan;
using Fr = zkgpu::Bls12_381::Fr;
using Scalars = std::vector<Fr::Integer>;
using Sizes = std::initializer_list<std::size_t>;
constexpr unsigned mostly_zero_or_one = 8, zero_and_one = 16, all_one = 2;

/// A bitmap and what its spans show.
struct Bits {
  explicit Bits(std::span<const Fr::Integer> scalars)
      : size(scalars.size()), ones((scalars.size() + 63) / 64) {
    for (std::size_t i = 0; i < size; ++i) {
      if (scalars[i] == Fr::Integer::from_uint64(1)) {
        ones[i / 64] |= std::uint64_t{1} << (i % 64);
      } else if (!scalars[i].is_zero()) {
        places.push_back(static_cast<std::uint32_t>(i));
        values.push_back(scalars[i]);
      }
    }
  }
  [[nodiscard]] MsmBitmap<Fr> view() const { return {size, ones, places, values}; }

  std::size_t size;
  std::vector<std::uint64_t> ones;
  std::vector<std::uint32_t> places;
  Scalars values;
};

TEMPLATE_LIST_TEST_CASE("a bitmap gives the sum of its scalars, for every kind of scalar and base",
                        "[msm][oracle]", MsmEverywhere) {
  if (!TestType::available()) return;
  std::mt19937_64 random(31);
  for (const std::size_t n : Sizes{1, 16, 17, 63, 64, 65, 700}) {
    for (unsigned base_kind = 0; base_kind < base_kinds; ++base_kind) {
      KnownBases<typename TestType::Group> bases(n, random);
      make_bases(base_kind, bases);
      for (const unsigned kind : {0U, 1U, all_one, mostly_zero_or_one, 9U, zero_and_one}) {
        CAPTURE(n, base_kind_name(base_kind), scalar_kind_name(kind));
        const auto scalars = make_scalars<Fr>(kind, n, random);
        const Bits bits(scalars);
        const auto plan = plan_for<TestType>(n);
        CHECK(run<TestType>(plan, bits.view(), bases.bases()) == bases.expected(scalars));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("bitmaps give the sum under 200 random plans", "[msm][oracle]",
                        MsmEverywhere) {
  if (!TestType::available()) return;
  std::mt19937_64 random(32);
  constexpr std::size_t most = 600;
  const KnownBases<typename TestType::Group> pool(most, random);
  for (unsigned i = 0; i < (zkgpu::test::sanitized ? 50U : 200U); ++i) {
    const std::size_t n = 1 + random() % most;
    const auto bases = pool.part(random() % (most - n + 1), n);
    const auto scalars = make_scalars<Fr>(random() % 2 == 0 ? mostly_zero_or_one : 0, n, random);
    const auto plan = random_plan<TestType>(n, random);
    CAPTURE(i, to_string(plan), plan.slice_points);
    const Bits bits(scalars);
    CHECK(run<TestType>(plan, bits.view(), bases.bases()) == bases.expected(scalars));
  }
}

// The running sums meet equal, opposite and infinite operands in every combination.
TEMPLATE_LIST_TEST_CASE("ones on bases that repeat, cancel and vanish give the sum",
                        "[msm][oracle]", MsmEverywhere) {
  if (!TestType::available()) return;
  std::mt19937_64 random(33);
  for (const std::size_t period : Sizes{1, 2, 8, 16, 24}) {
    for (const std::size_t n : Sizes{32, 64, 100, 500}) {
      KnownBases<typename TestType::Group> bases(n, random);
      for (std::size_t i = period; i < n; ++i) {
        if (random() % 4 == 0) {
          bases.set_infinity(i);
        } else {
          bases.copy(i, i % period, random() % 2 == 0);
        }
      }
      const Scalars scalars(n, Fr::Integer::from_uint64(1));
      const auto expected = bases.expected(scalars);
      for (const std::size_t chunk : Sizes{16, 32, 64, 1000}) {
        CAPTURE(period, n, chunk);
        MsmPlan plan = plan_for<TestType>(n);
        plan.chunk_entries = chunk;
        CHECK(run<TestType>(plan, scalars, bases.bases()) == expected);
      }
    }
  }
}

// ctest runs this with ZKGPU_FORCE_ARCH set to each lower level (tests/forced).
TEMPLATE_TEST_CASE("sums on the level in use are those of the textbook, also of bitmaps",
                   "[msm][oracle][arch]", zkgpu::Bls12_381::G1, zkgpu::Bls12_381::G2) {
  using G = TestType;
  std::mt19937_64 random(36);
  for (const std::size_t n : Sizes{1, 100, 5000}) {
    CAPTURE(n);
    const KnownBases<G> bases(n, random);
    const auto scalars = make_scalars<Fr>(0, n, random);
    const auto sum = zkgpu::msm_reference<G>(scalars, bases.bases());
    const auto few_wide = make_scalars<Fr>(mostly_zero_or_one, n, random);
    const auto few_wide_sum = zkgpu::msm_reference<G>(few_wide, bases.bases());
    const Bits bits(few_wide);
    zkgpu::with_best_cpu([&]<zkgpu::CpuArch A>(const zkgpu::Cpu<A>&) {
      using Here = MsmOn<G, A>;
      const MsmPlan plan = plan_for<Here>(n);
      CHECK(run<Here>(plan, scalars, bases.bases()) == sum);
      CHECK(run<Here>(plan, few_wide, bases.bases()) == few_wide_sum);
      CHECK(run<Here>(plan, bits.view(), bases.bases()) == few_wide_sum);
    });
  }
}

TEST_CASE("a sum of ones has the same coordinates for every number of threads",
          "[msm][agreement]") {
  std::mt19937_64 random(34);
  constexpr std::size_t n = 70'001;
  const KnownBases<zkgpu::Bls12_381::G1> bases(n, random);
  const auto scalars = make_scalars<Fr>(mostly_zero_or_one, n, random);
  const Bits bits(scalars);
  const oneapi::tbb::global_control more_threads_than_cores(
      oneapi::tbb::global_control::max_allowed_parallelism, 4);
  const auto first = run<MsmOnG1>(plan_for<MsmOnG1>(n).with_workers(1), scalars, bases.bases());
  CHECK(first == bases.expected(scalars));
  const auto same = [&first](const auto& result) {
    CHECK(result.x == first.x);
    CHECK(result.z == first.z);
  };
  for (const std::size_t workers : Sizes{1, 2, 4}) {
    oneapi::tbb::task_arena arena(static_cast<int>(workers));
    const MsmPlan plan = plan_for<MsmOnG1>(n).with_workers(workers);
    arena.execute([&] {
      same(run<MsmOnG1>(plan, scalars, bases.bases()));
      same(run<MsmOnG1>(plan, bits.view(), bases.bases()));
#if defined(__x86_64__)
      if (!MsmLanesG1::available()) return;
      CHECK(run<MsmLanesG1>(plan_for<MsmLanesG1>(n).with_workers(workers), scalars,
                            bases.bases()) == first);
#endif
    });
  }
}

TEST_CASE("bitmaps that contradict themselves, the plan or the bases are refused", "[msm][law]") {
  std::mt19937_64 random(35);
  for (const std::size_t n : Sizes{10, 100}) {
    const KnownBases<zkgpu::Bls12_381::G1> bases(n, random);
    Scalars scalars(n, Fr::Integer::from_uint64(1));
    scalars[3] = scalars[5] = make_scalars<Fr>(0, 1, random)[0];
    const auto plan = plan_for<MsmOnG1>(n);
    const Bits good(scalars);
    const auto sum = [&](const Bits& bits) {
      return run<MsmOnG1>(plan, bits.view(), bases.bases());
    };
    CHECK(sum(good) == bases.expected(scalars));
    const std::string of = std::to_string(n), words = std::to_string(good.ones.size());
    Bits bad = good;
    bad.ones.push_back(0);
    CHECK_THROWS_WITH(sum(bad), "msm: a bitmap of " + std::to_string(good.ones.size() + 1) +
                                    " words for " + of + " scalars, which take " + words);
    bad = good;
    bad.ones.back() |= std::uint64_t{1} << (n % 64);
    CHECK_THROWS_WITH(sum(bad), "msm: a bitmap of " + of + " scalars has bits beyond them");
    bad = good;
    bad.values.pop_back();
    CHECK_THROWS_WITH(sum(bad), "msm: a bitmap with 2 places for 1 wide scalars");
    const std::string second = "msm: wide scalar 1 of a bitmap, at place ";
    bad = good;
    std::swap(bad.places[0], bad.places[1]);
    CHECK_THROWS_WITH(sum(bad), second + "3, is out of order: the one before it is at 5");
    bad = good;
    bad.places[1] = bad.places[0];
    CHECK_THROWS_WITH(sum(bad), second + "3, is out of order: the one before it is at 3");
    bad = good;
    bad.places[1] = static_cast<std::uint32_t>(n);
    CHECK_THROWS_WITH(sum(bad), second + of + ", is beyond its " + of + " scalars");
    bad = good;
    bad.places[1] = 6;
    CHECK_THROWS_WITH(sum(bad), second + "6, is marked as a one");
    bad = good;
    bad.values[1] = Fr::modulus();
    CHECK_THROWS_WITH(sum(bad), second + "5, is not below the order of the group");
    CHECK_THROWS_AS(sum(bad), InvalidArgument);
    CHECK_THROWS_AS(run<MsmOnG1>(plan, good.view(), bases.bases().first(n - 1)), InvalidArgument);
    CHECK_THROWS_AS(run<MsmOnG1>(plan_for<MsmOnG1>(n + 1), good.view(), bases.bases()),
                    InvalidArgument);
  }
}

}  // namespace
