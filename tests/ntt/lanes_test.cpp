// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/ntt/ntt.hpp>
#include <zkgpu/ntt/reference.hpp>

#include "field/lanes/lanes_here.hpp"

#if defined(__x86_64__)

// Transforms in lanes against scalar ones and against the textbook. Where the processor has no such
// lanes, both sides are the scalar transform, and the agreement holds of itself.
namespace {

using namespace zkgpu;
using Fr = Bls12_381::Fr;

using Arches = std::tuple<arch::avx2, arch::avx512ifma>;

/// A table for the lanes of an architecture, or for none if they may not be used.
template <class Arch>
NttTwiddles<Fr> twiddles_for(const NttDomain<Fr>& domain) {
  return NttTwiddles<Fr>(domain, std::min(selected_cpu_level(), cpu_level<Arch>));
}

constexpr NttOrder orders[] = {NttOrder::natural_to_reversed, NttOrder::reversed_to_natural,
                               NttOrder::natural_to_natural};
constexpr NttDirection directions[] = {NttDirection::forward, NttDirection::inverse};

Fr random_element(std::mt19937_64& random) {
  Fr::Integer n;
  do {
    for (auto& limb : n.limb) limb = random();
    n.limb[3] &= ~(std::uint64_t{1} << 63);
  } while (!Fr::is_canonical(n));
  return Fr::from_montgomery(n);
}

/// Random, or built of the values at the ends of the range: their words and their integers.
std::vector<Fr> elements(std::mt19937_64& random, std::size_t n, bool extreme) {
  Fr::Integer largest = Fr::modulus();
  largest.limb[0] -= 1;
  const Fr ends[] = {Fr::zero(),      Fr::one(),
                     -Fr::one(),      Fr::from_montgomery(Fr::Integer::from_uint64(1)),
                     Fr(2).inverse(), Fr::from_montgomery(largest)};
  std::vector<Fr> x(n);
  for (Fr& e : x) e = extreme ? ends[random() % std::size(ends)] : random_element(random);
  return x;
}

template <class Arch>
std::vector<Fr> transformed(const NttPlan& plan, const NttTwiddles<Fr>& twiddles,
                            const NttTransform<Fr>& transform, std::vector<Fr> x) {
  const Cpu<Arch> cpu;
  auto queue = cpu.make_queue();
  Ntt<Fr, Cpu<Arch>>::enqueue(queue, plan, twiddles, transform, x);
  return x;
}

template <class Arch>
void check_agreement(const NttPlan& plan, const NttTwiddles<Fr>& twiddles,
                     const NttTransform<Fr>& transform, const std::vector<Fr>& x) {
  CAPTURE(to_string(plan), static_cast<int>(transform.direction), static_cast<int>(transform.order),
          transform.shift == Fr::one());
  // Not CHECK of the arrays: printing one takes longer than the test.
  const bool agree = transformed<Arch>(plan, twiddles, transform, x) ==
                     transformed<arch::scalar>(plan, twiddles, transform, x);
  CHECK(agree);
}

template <class Arch>
void check_size(unsigned log_n, const Fr& generator, std::mt19937_64& random) {
  const auto twiddles = twiddles_for<Arch>(NttDomain<Fr>::from_generator(log_n, generator));
  const auto plan = Ntt<Fr, Cpu<>>::plan(log_n, Cpu<>().properties());
  for (const NttOrder order : orders) {
    for (const NttDirection direction : directions) {
      for (const Fr& shift : {Fr::one(), random_element(random)}) {
        for (const bool extreme : {false, true}) {
          check_agreement<Arch>(plan, twiddles, {direction, order, shift},
                                elements(random, plan.size(), extreme));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE(
    "transforms in lanes equal scalar ones, in every order and direction, on cosets",
    "[ntt][agreement]", Arches) {
  using Arch = TestType;
  test::lanes_run_here<Arch>();
  std::mt19937_64 random(11);
  for (const int generator : {5, 7}) {
    for (unsigned log_n = 0; log_n <= 13; ++log_n) check_size<Arch>(log_n, Fr(generator), random);
  }
  for (unsigned log_n = 14; log_n <= 16; ++log_n) {
    check_size<Arch>(log_n, Fr(log_n % 2 == 0 ? 5 : 7), random);
  }
}

TEMPLATE_LIST_TEST_CASE("large transforms in lanes equal scalar ones", "[ntt][agreement][slow]",
                        Arches) {
  using Arch = TestType;
  test::lanes_run_here<Arch>();
  std::mt19937_64 random(12);
  for (unsigned log_n = 17; log_n <= 22; ++log_n) {
    check_size<Arch>(log_n, Fr(log_n % 2 == 0 ? 5 : 7), random);
  }
}

TEMPLATE_LIST_TEST_CASE("transforms in lanes equal scalar ones for every size of tile",
                        "[ntt][agreement]", Arches) {
  using Arch = TestType;
  test::lanes_run_here<Arch>();
  std::mt19937_64 random(13);
  for (const unsigned log_n : {6U, 7U, 9U, 12U, 13U, 15U}) {
    const auto twiddles = twiddles_for<Arch>(NttDomain<Fr>(log_n));
    for (unsigned log_tile = 0; log_tile <= log_n; ++log_tile) {
      const NttPlan plan{.log_n = log_n, .log_tile = log_tile, .task_pairs = 1 << 11};
      for (const NttOrder order : {orders[0], orders[1]}) {
        for (const NttDirection direction : directions) {
          check_agreement<Arch>(plan, twiddles, {direction, order, random_element(random)},
                                elements(random, plan.size(), log_tile % 2 == 0));
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("transforms in lanes of constant inputs are what the definition says",
                        "[ntt][law]", Arches) {
  using Arch = TestType;
  test::lanes_run_here<Arch>();
  // Sums of equal elements are as large as sums get; all but one output are zero.
  Fr::Integer largest = Fr::modulus();
  largest.limb[0] -= 1;
  for (const unsigned log_n : {6U, 8U, 11U, 13U, 14U}) {
    const auto twiddles = twiddles_for<Arch>(NttDomain<Fr>(log_n));
    const auto plan = Ntt<Fr, Cpu<>>::plan(log_n, Cpu<>().properties());
    for (const Fr& value : {Fr::zero(), Fr::one(), -Fr::one(), Fr::from_montgomery(largest)}) {
      for (const NttOrder order : orders) {
        std::vector<Fr> expected(plan.size(), Fr::zero());
        expected[0] = value * Fr(1 << log_n);
        const auto y = transformed<Arch>(plan, twiddles, {NttDirection::forward, order, Fr::one()},
                                         std::vector<Fr>(plan.size(), value));
        const bool right = y == expected;
        CHECK(right);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("transforms in lanes are those of the textbook", "[ntt][oracle]", Arches) {
  using Arch = TestType;
  test::lanes_run_here<Arch>();
  std::mt19937_64 random(14);
  for (const unsigned log_n : {6U, 10U, 13U, 15U}) {
    const auto domain = NttDomain<Fr>::from_generator(log_n, Fr(5));
    const auto twiddles = twiddles_for<Arch>(domain);
    const auto plan = Ntt<Fr, Cpu<>>::plan(log_n, Cpu<>().properties());
    for (const NttDirection direction : directions) {
      const auto x = elements(random, plan.size(), false);
      auto expected = x;
      ntt_reference<Fr>(domain, expected, direction);
      const bool right =
          transformed<Arch>(plan, twiddles, {direction, NttOrder::natural_to_natural, Fr::one()},
                            x) == expected;
      CHECK(right);
    }
  }
}

template <class Arch>
std::vector<Fr> moved(const NttPlan& plan, const NttTwiddles<Fr>& twiddles, const Fr& shift,
                      const std::vector<Fr>& left, const std::vector<Fr>& right) {
  std::vector<Fr> to(left.size(), Fr(3));
  typename Cpu<Arch>::Queue queue;
  Ntt<Fr, Cpu<Arch>>::enqueue_to_coset(queue, plan, twiddles, shift, left, right, to);
  return to;
}
template <class Arch>
std::vector<Fr> interpolated(const NttPlan& plan, const NttTwiddles<Fr>& twiddles, const Fr& shift,
                             const Fr& constant, const std::vector<Fr>& left,
                             const std::vector<Fr>& right) {
  std::vector<Fr> to = left;  // in place
  typename Cpu<Arch>::Queue queue;
  Ntt<Fr, Cpu<Arch>>::enqueue_interpolate_product(queue, plan, twiddles, shift, constant, to, right,
                                                  to);
  return to;
}

TEMPLATE_LIST_TEST_CASE(
    "moves to a coset and interpolated products are those of the single transforms",
    "[ntt][agreement]", Arches) {
  using Arch = TestType;
  test::lanes_run_here<Arch>();
  std::mt19937_64 random(15);
  for (unsigned log_n = 0; log_n <= 15; ++log_n) {
    const NttDomain<Fr> domain(log_n);
    const auto twiddles = twiddles_for<Arch>(domain);
    const auto plan = Ntt<Fr, Cpu<>>::plan(log_n, Cpu<>().properties());
    for (const bool extreme : {false, true}) {
      CAPTURE(log_n, extreme);
      const auto left = elements(random, plan.size(), extreme);
      const auto right = elements(random, plan.size(), extreme);
      const Fr shift = random_element(random);
      const Fr constant = random_element(random);
      auto product = left;
      for (std::size_t i = 0; i < product.size(); ++i) product[i] *= right[i];
      const auto expected = [&](std::vector<Fr> x) {
        x = transformed<arch::scalar>(
            plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_natural, Fr::one()}, x);
        return transformed<arch::scalar>(
            plan, twiddles, {NttDirection::forward, NttOrder::natural_to_natural, shift}, x);
      };
      const auto of_left = expected(left);
      const auto of_product = expected(product);
      auto coefficients = transformed<arch::scalar>(
          plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_reversed, shift}, product);
      for (Fr& x : coefficients) x *= constant;
      const bool scalar_moves = moved<arch::scalar>(plan, twiddles, shift, left, {}) == of_left;
      CHECK(scalar_moves);
      const bool moves = moved<Arch>(plan, twiddles, shift, left, {}) == of_left;
      CHECK(moves);
      const bool moves_products = moved<Arch>(plan, twiddles, shift, left, right) == of_product;
      CHECK(moves_products);
      const bool scalar_interpolates =
          interpolated<arch::scalar>(plan, twiddles, shift, constant, left, right) == coefficients;
      CHECK(scalar_interpolates);
      const bool interpolates =
          interpolated<Arch>(plan, twiddles, shift, constant, left, right) == coefficients;
      CHECK(interpolates);
    }
  }
}

template <class Arch>
bool batch_is_its_transforms(const NttTransform<Fr>& transform, unsigned log_n, std::size_t count,
                             std::mt19937_64& random) {
  const auto twiddles = twiddles_for<Arch>(NttDomain<Fr>(log_n));
  const auto plan = Ntt<Fr, Cpu<>>::plan(log_n, Cpu<>().properties());
  auto all = elements(random, count * plan.size(), false);
  std::vector<Fr> expected;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * plan.size());
    const auto one = transformed<arch::scalar>(
        plan, twiddles, transform,
        std::vector<Fr>(first, first + static_cast<std::ptrdiff_t>(plan.size())));
    expected.insert(expected.end(), one.begin(), one.end());
  }
  typename Cpu<Arch>::Queue queue;
  Ntt<Fr, Cpu<Arch>>::enqueue_batch(queue, plan, twiddles, transform, all);
  return all == expected;
}

TEMPLATE_LIST_TEST_CASE("a batch is transformed polynomial by polynomial", "[ntt][agreement]",
                        Arches) {
  using Arch = TestType;
  test::lanes_run_here<Arch>();
  std::mt19937_64 random(16);
  for (const unsigned log_n : {0U, 4U, 6U, 9U, 14U}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
      const NttTransform<Fr> forward{NttDirection::forward, NttOrder::natural_to_natural,
                                     random_element(random)};
      const NttTransform<Fr> inverse{NttDirection::inverse, NttOrder::reversed_to_natural,
                                     Fr::one()};
      CAPTURE(log_n, count);
      CHECK(batch_is_its_transforms<arch::scalar>(forward, log_n, count, random));
      CHECK(batch_is_its_transforms<Arch>(forward, log_n, count, random));
      CHECK(batch_is_its_transforms<Arch>(inverse, log_n, count, random));
    }
  }
}

TEST_CASE("moves, products and batches refuse sizes that disagree and a coset through zero",
          "[ntt][law]") {
  const NttTwiddles<Fr> twiddles{NttDomain<Fr>(6)};
  const auto plan = Ntt<Fr, Cpu<>>::plan(6, Cpu<>().properties());
  const auto refuse = [&](auto cpu) {
    using Op = Ntt<Fr, decltype(cpu)>;
    auto queue = cpu.make_queue();
    std::vector<Fr> x(64, Fr(3)), y(64, Fr(5)), shorter(63, Fr(7));
    const Fr one = Fr::one(), zero = Fr::zero();
    const std::string got = "ntt: plan is for 64 elements, got 63 in ";
    CHECK_THROWS_WITH(Op::enqueue_to_coset(queue, plan, twiddles, one, shorter, {}, x),
                      got + "'left'");
    CHECK_THROWS_WITH(Op::enqueue_to_coset(queue, plan, twiddles, one, y, shorter, x),
                      got + "'right'");
    CHECK_THROWS_WITH(Op::enqueue_to_coset(queue, plan, twiddles, one, x, y, shorter),
                      got + "'to'");
    CHECK_THROWS_AS(Op::enqueue_to_coset(queue, plan, twiddles, zero, x, y, x), InvalidArgument);
    CHECK_THROWS_AS(Op::enqueue_interpolate_product(queue, plan, twiddles, one, one, x, shorter, y),
                    InvalidArgument);
    CHECK_THROWS_AS(Op::enqueue_interpolate_product(queue, plan, twiddles, zero, one, x, y, y),
                    InvalidArgument);
    CHECK_THROWS_AS(Op::enqueue_batch(queue, plan, twiddles, {}, shorter), InvalidArgument);
    std::vector<Fr> two_and_some(150);
    CHECK_THROWS_WITH(Op::enqueue_batch(queue, plan, twiddles, {}, two_and_some),
                      "ntt: plan is for polynomials of 64 elements, got 150: 2 polynomials and 22 "
                      "elements");
    CHECK(x == std::vector<Fr>(64, Fr(3)));
    CHECK(y == std::vector<Fr>(64, Fr(5)));
  };
  refuse(Cpu<>{});
  refuse(Cpu<arch::avx2>{});
  refuse(Cpu<arch::avx512ifma>{});
}

TEST_CASE("there is a table for lanes exactly where the processor and the size have them",
          "[ntt][law]") {
  const CpuLevel levels[] = {CpuLevel::scalar, CpuLevel::x86_adx, CpuLevel::avx2,
                             CpuLevel::avx512ifma};
  for (const unsigned log_n : {5U, 6U, 10U}) {
    const NttTwiddles<Fr> selected{NttDomain<Fr>(log_n)};
    for (const CpuLevel level : levels) {
      const bool has_lanes = level >= CpuLevel::avx2 && log_n >= 6;
      CAPTURE(log_n, static_cast<int>(level));
      CHECK((selected.lanes(level) != nullptr) == (has_lanes && level == selected_cpu_level()));
      if (level > selected_cpu_level()) continue;
      const NttTwiddles<Fr> made(NttDomain<Fr>(log_n), level);
      for (const CpuLevel other : levels) {
        CHECK((made.lanes(other) != nullptr) == (has_lanes && other == level));
      }
    }
  }
}

}  // namespace

#endif
