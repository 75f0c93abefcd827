// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <tuple>
#include <vector>
#include "msm_cases.hpp"
#include "msm_runs.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/msm/digits.hpp>
#include <zkgpu/msm/layout.hpp>
#include <zkgpu/msm/msm.hpp>
#include <zkgpu/msm/reference.hpp>

namespace {

using namespace zkgpu::test;
using zkgpu::Bls12_381;
using zkgpu::Cpu;
using zkgpu::InvalidArgument;
using zkgpu::MsmPlan;
using Fr = Bls12_381::Fr;
using Sizes = std::initializer_list<std::size_t>;
using Scalars = std::vector<Fr::Integer>;

using G1 = MsmOnG1;
using G2 = MsmOnG2;
using All = MsmEverywhere;
#if defined(__x86_64__)
using LanesG1 = MsmLanesG1;
using LanesG2 = MsmLanesG2;
using BothG1 = std::tuple<G1, LanesG1>;
// Without an engine of its own AVX2 has that of scalar code, and few tests are enough.
using EveryArch = std::tuple<G1, G2, MsmOn<Bls12_381::G1, zkgpu::arch::avx2>,
                             MsmOn<Bls12_381::G2, zkgpu::arch::avx2>, LanesG1, LanesG2>;
#else
using BothG1 = std::tuple<G1>;
using EveryArch = All;
#endif

template <class T>
using BasesOf = KnownBases<typename T::Group>;

TEMPLATE_LIST_TEST_CASE("the sum of no points is infinity", "[msm][law]", EveryArch) {
  if (!TestType::available()) return;
  const auto plan = plan_for<TestType>(0);
  CHECK(run<TestType>(plan, {}, {}).is_infinity());
  CHECK(run<TestType>(plan.with_window_bits(7), {}, {}).is_infinity());
  CHECK(zkgpu::msm<typename TestType::Group>(Cpu<typename TestType::Arch>{}, {}, {}).is_infinity());
}

TEMPLATE_LIST_TEST_CASE("the sum is that of the textbook", "[msm][oracle]", EveryArch) {
  if (!TestType::available()) return;
  std::mt19937_64 random(11);
  for (const std::size_t n : Sizes{1, 2, 3, 5, 16, 17, 40}) {
    BasesOf<TestType> bases(n, random);
    const auto scalars = make_scalars<Fr>(0, n, random);
    const auto expected = zkgpu::msm_reference<typename TestType::Group>(scalars, bases.bases());
    CHECK(bases.expected(scalars) == expected);
    CHECK(run<TestType>(plan_for<TestType>(n), scalars, bases.bases()) == expected);
    CHECK(zkgpu::msm<typename TestType::Group>(Cpu<typename TestType::Arch>{},
                                               std::span<const Fr::Integer>(scalars),
                                               bases.bases()) == expected);
  }
}

TEMPLATE_LIST_TEST_CASE("every size around a boundary gives the sum", "[msm][oracle]", All) {
  if (!TestType::available()) return;
  std::mt19937_64 random(12);
  const BasesOf<TestType> bases(8193, random);
  const auto scalars = make_scalars<Fr>(0, 8193, random);
  for (const std::size_t n : Sizes{1,   2,   3,   15,  16,  17,   31,   32,   33,   127,  255, 256,
                                   257, 511, 512, 513, 997, 4095, 4096, 4097, 8191, 8192, 8193}) {
    CAPTURE(n);
    const auto k = std::span(scalars).first(n);
    const auto result = run<TestType>(plan_for<TestType>(n), k, bases.bases().first(n));
    CHECK(result == bases.expected(k));
  }
}

TEMPLATE_LIST_TEST_CASE("every window width gives the sum, for every kind of scalar",
                        "[msm][oracle]", All) {
  if (!TestType::available()) return;
  std::mt19937_64 random(13);
  constexpr std::size_t n = 33;
  const BasesOf<TestType> bases(n, random);
  for (unsigned c = 1; c <= 16; ++c) {
    for (unsigned kind = 0; kind < scalar_kinds; ++kind) {
      CAPTURE(c, scalar_kind_name(kind));
      const auto scalars = make_scalars<Fr>(kind, n, random);
      const auto plan = plan_for<TestType>(n).with_window_bits(c);
      CHECK(run<TestType>(plan, scalars, bases.bases()) == bases.expected(scalars));
    }
  }
}

/// A scalar whose parts have the digits 2^(c-1) - 1, 2^(c-1) or 2^(c-1) + 1 in every window of c
/// bits that lies within half of what a part may be.
template <class G>
Fr::Integer scalar_of_edge_digits(unsigned c, std::mt19937_64& random) {
  using Parts = zkgpu::MsmScalarParts<G>;
  constexpr bool by_z = Parts::count == 4;
  const Fr z = -Fr::from_integer(Fr::Integer::from_uint64(Bls12_381::z_magnitude));
  const Fr step = by_z ? z : z.square();
  typename Parts::Part made[Parts::count], parts[Parts::count];
  Fr k = Fr::zero(), power = Fr::one();
  for (auto& part : made) {
    unsigned __int128 magnitude = 0;
    for (unsigned at = 0; at + c <= Parts::bits - 3; at += c) {
      const std::uint64_t digit = (std::uint64_t{1} << (c - 1)) - 1 + random() % 3;
      magnitude += static_cast<unsigned __int128>(digit) << at;
    }
    part.negative = random() % 2 != 0;
    part.magnitude = {};
    for (std::size_t i = 0; i < Parts::words; ++i) {
      part.magnitude.limb[i] = static_cast<std::uint64_t>(magnitude >> (64 * i));
    }
    Fr value = Fr::zero();
    for (std::size_t i = 128; i-- > 0;) {
      value = value.doubled() + Fr(static_cast<int>(magnitude >> i & 1));
    }
    k += (part.negative ? -value : value) * power;
    power *= step;
  }
  Parts::split(k.to_integer(), parts);
  for (std::size_t i = 0; i < Parts::count; ++i) {
    REQUIRE(parts[i].magnitude == made[i].magnitude);
    REQUIRE((parts[i].negative == made[i].negative || parts[i].magnitude.is_zero()));
  }
  return k.to_integer();
}

TEMPLATE_LIST_TEST_CASE("digits at the edge of every window of every part give the sum",
                        "[msm][oracle]", All) {
  if (!TestType::available()) return;
  std::mt19937_64 random(23);
  constexpr std::size_t n = 33;
  const BasesOf<TestType> bases(n, random);
  for (unsigned c = 1; c <= 16; ++c) {
    Scalars scalars;
    while (scalars.size() < n) {
      scalars.push_back(scalar_of_edge_digits<typename TestType::Group>(c, random));
    }
    const auto expected = bases.expected(scalars);
    for (const bool narrow : {false, true}) {
      MsmPlan plan = plan_for<TestType>(n).with_window_bits(c);
      plan.narrow = narrow;
      CAPTURE(c, narrow);
      CHECK(run<TestType>(plan, scalars, bases.bases()) == expected);
    }
  }
}

// Up to 2 GB of buckets.
TEMPLATE_LIST_TEST_CASE("the widest windows give the sum", "[msm][oracle][slow]", All) {
  if (!TestType::available()) return;
  std::mt19937_64 random(24);
  constexpr std::size_t n = 33;
  const BasesOf<TestType> bases(n, random);
  for (unsigned c = 17; c <= MsmPlan::max_window_bits; ++c) {
    Scalars scalars = make_scalars<Fr>(0, n - 3, random);
    while (scalars.size() < n) {
      scalars.push_back(scalar_of_edge_digits<typename TestType::Group>(c, random));
    }
    CAPTURE(c);
    const auto plan = plan_for<TestType>(n).with_window_bits(c);
    CHECK(run<TestType>(plan, scalars, bases.bases()) == bases.expected(scalars));
  }
}

TEMPLATE_LIST_TEST_CASE("every kind of scalar with every kind of base gives the sum",
                        "[msm][oracle]", All) {
  if (!TestType::available()) return;
  std::mt19937_64 random(14);
  for (const std::size_t n : Sizes{7, 80, 700}) {
    for (unsigned base_kind = 0; base_kind < base_kinds; ++base_kind) {
      BasesOf<TestType> bases(n, random);
      make_bases(base_kind, bases);
      for (unsigned kind = 0; kind < scalar_kinds; ++kind) {
        CAPTURE(n, base_kind_name(base_kind), scalar_kind_name(kind));
        const auto scalars = make_scalars<Fr>(kind, n, random);
        const auto result = run<TestType>(plan_for<TestType>(n), scalars, bases.bases());
        CHECK(result == bases.expected(scalars));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("large sums are right, for every kind of scalar", "[msm][oracle]", BothG1) {
  if (!TestType::available()) return;
  std::mt19937_64 random(17);
  constexpr std::size_t n = (std::size_t{1} << 14) + 1;
  const BasesOf<TestType> bases(n, random);
  for (unsigned kind = 0; kind < scalar_kinds; ++kind) {
    CAPTURE(scalar_kind_name(kind));
    const auto scalars = make_scalars<Fr>(kind, n, random);
    CHECK(run<TestType>(plan_for<TestType>(n), scalars, bases.bases()) == bases.expected(scalars));
  }
}

template <class T>
void check_sizes(const std::vector<std::size_t>& sizes, std::mt19937_64& random) {
  const BasesOf<T> bases(sizes.back(), random);
  const auto scalars = make_scalars<Fr>(0, sizes.back(), random);
  for (const std::size_t n : sizes) {
    CAPTURE(n);
    const auto k = std::span<const Fr::Integer>(scalars).first(n);
    CHECK(run<T>(plan_for<T>(n), k, bases.bases().first(n)) == bases.expected(k));
  }
}

TEST_CASE("sums around 2^16 and 2^20 are right", "[msm][oracle][slow]") {
  std::mt19937_64 random(18);
  check_sizes<G1>({65535, 65536, 65537, 1048575, 1048576, 1048577}, random);
  check_sizes<G2>({65535, 65536, 65537, 1048577}, random);
#if defined(__x86_64__)
  if (!LanesG1::available()) return;
  check_sizes<LanesG1>({65535, 65536, 65537, 1048575, 1048576, 1048577}, random);
  check_sizes<LanesG2>({65535, 65536, 65537, 1048577}, random);
#endif
}

TEMPLATE_LIST_TEST_CASE("a narrower width that many carries reach beyond gives the sum",
                        "[msm][oracle]", All) {
  if (!TestType::available()) return;
  std::mt19937_64 random(22);
  constexpr std::size_t n = 137;
  const BasesOf<TestType> bases(n, random);
  // Of its four parts in windows of 7 bits, one has 62 bits and ten digits that are not zero.
  const Scalars scalars(n, Fr::Integer{0xc77ceeec7102b302, 0xdca4d22d0cc3d135, 0x6175d8f324e3be98,
                                       0x2325effbf95d804b});
  const auto expected = bases.expected(scalars);
  for (std::size_t slice = n; slice < 2 * n; ++slice) {
    MsmPlan plan = plan_for<TestType>(n);
    plan.slice_points = slice;
    CAPTURE(slice);
    CHECK(run<TestType>(plan, scalars, bases.bases()) == expected);
  }
}

TEST_CASE("slices that do not divide the points give the sum", "[msm][oracle]") {
  std::mt19937_64 random(19);
  const BasesOf<G1> bases(300, random);
  const auto scalars = make_scalars<Fr>(0, 300, random);
  const auto expected = bases.expected(scalars);
  MsmPlan plan = plan_for<G1>(300);
  for (const std::size_t slice : Sizes{1, 7, 100, 150, 299, 300}) {
    plan.slice_points = slice;
    CHECK(run<G1>(plan, scalars, bases.bases()) == expected);
  }
}

TEST_CASE("a sum has the same coordinates for every number of threads", "[msm][agreement]") {
  std::mt19937_64 random(20);
  constexpr std::size_t n = 1000;
  const BasesOf<G1> bases(n, random);
  const oneapi::tbb::global_control more_threads_than_cores(
      oneapi::tbb::global_control::max_allowed_parallelism, 8);
  for (const unsigned kind : {0U, 9U}) {  // all windows, and few narrow ones
    CAPTURE(scalar_kind_name(kind));
    const auto scalars = make_scalars<Fr>(kind, n, random);
    const auto expected = bases.expected(scalars).to_affine();
    Bls12_381::G1::Jacobian first{};
    for (const std::size_t workers : Sizes{1, 2, 3, 8}) {
      for (const int threads : {1, 2, 8}) {
        oneapi::tbb::task_arena arena(threads);
        MsmPlan plan = plan_for<G1>(n).with_workers(workers);
        const auto result = arena.execute([&] { return run<G1>(plan, scalars, bases.bases()); });
        CHECK(result.to_affine() == expected);
        if (workers == 1 && threads == 1) first = result;
        CHECK(result.x == first.x);
        CHECK(result.z == first.z);
      }
    }
  }
}

TEST_CASE("scalars that are not below the order are refused", "[msm][law]") {
  std::mt19937_64 random(21);
  for (const std::size_t n : Sizes{1, 40}) {
    const BasesOf<G1> bases(n, random);
    auto scalars = make_scalars<Fr>(0, n, random);
    const auto plan = plan_for<G1>(n);
    scalars[n / 2] = Fr::modulus();
    CHECK_THROWS_AS(run<G1>(plan, scalars, bases.bases()), InvalidArgument);
    for (auto& limb : scalars[n / 2].limb) limb = ~std::uint64_t{0};
    CHECK_THROWS_WITH(run<G1>(plan, scalars, bases.bases()),
                      Catch::Contains("scalar " + std::to_string(n / 2) + " is not below"));
  }
}

TEST_CASE("sizes, plans and workspaces that disagree are refused", "[msm][law]") {
  std::mt19937_64 random(22);
  const BasesOf<G1> bases(40, random);
  const Scalars scalars = make_scalars<Fr>(0, 40, random);
  const MsmPlan plan = plan_for<G1>(40);
  CHECK_THROWS_AS(run<G1>(plan_for<G1>(39), scalars, bases.bases()), InvalidArgument);
  CHECK_THROWS_AS(run<G1>(plan, std::span(scalars).first(39), bases.bases()), InvalidArgument);
  CHECK_THROWS_AS(run<G1>(plan, scalars, bases.bases().first(39)), InvalidArgument);
  CHECK_THROWS_WITH(run<G1>(plan_for<G2>(40), scalars, bases.bases()),
                    "msm: the plan is for another group: 4 parts of 64 bits, bases of 192 bytes, "
                    "points of 192; not 2 parts of 128 bits, bases of 96 bytes, points of 96");
  CHECK_THROWS_WITH(run<G1>(plan.with_window_bits(23), scalars, bases.bases()),
                    "msm: a plan with 23 bits a window; 1 to 22 can be");
  MsmPlan changed = plan;
  changed.chunk_entries = 1;
  CHECK_THROWS_WITH(run<G1>(changed, scalars, bases.bases()),
                    "msm: a plan with 1 entries a chunk; 2 to 268435456 can be");
  changed = plan;
  changed.slice_points = 0;
  CHECK_THROWS_AS(run<G1>(changed, scalars, bases.bases()), InvalidArgument);
  CHECK_THROWS_WITH(run<G1>(changed, scalars, bases.bases()),
                    Catch::StartsWith("msm: a plan with 0 points a slice; 1 to "));
  CHECK_THROWS_AS(run<G1>(plan.with_workers(0), scalars, bases.bases()), InvalidArgument);
  for (const std::size_t many : {zkgpu::msm_most_workers + 1, ~std::size_t{0}}) {
    // The workspace of so many could not be described, so one is given that is large.
    std::vector<std::uint64_t> memory(1 << 16);
    const auto bytes = std::as_writable_bytes(std::span(memory));
    const std::size_t skip = (64 - reinterpret_cast<std::uintptr_t>(bytes.data()) % 64) % 64;
    auto no_wait = Cpu<>{}.make_queue();
    Bls12_381::G1::Jacobian sum;
    CHECK_THROWS_WITH(G1::Op::enqueue(no_wait, plan.with_workers(many), scalars, bases.bases(),
                                      bytes.subspan(skip), sum),
                      Catch::Contains("workers"));
  }

  const Cpu<> cpu;
  auto queue = cpu.make_queue();
  auto workspace = cpu.allocate<std::byte>(plan.workspace_bytes() + 64);
  Bls12_381::G1::Jacobian result;
  const auto enqueue = [&](std::span<std::byte> memory) {
    G1::Op::enqueue(queue, plan, scalars, bases.bases(), memory, result);
  };
  CHECK_THROWS_AS(enqueue(workspace.span().first(plan.workspace_bytes() - 1)), InvalidArgument);
  CHECK_THROWS_AS(enqueue(workspace.span().subspan(8)), InvalidArgument);
  enqueue(workspace.span());
  CHECK(result == bases.expected(scalars));
}

}  // namespace
