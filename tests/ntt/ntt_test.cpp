// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/field/batch_inverse.hpp>
#include <zkgpu/ntt/butterfly.hpp>
#include <zkgpu/ntt/ntt.hpp>
#include <zkgpu/ntt/reference.hpp>

namespace {

using zkgpu::Cpu;
using zkgpu::InvalidArgument;
using zkgpu::Ntt;
using zkgpu::NttDirection;
using zkgpu::NttDomain;
using zkgpu::NttOrder;
using zkgpu::NttPlan;
using zkgpu::NttTransform;
using zkgpu::NttTwiddles;
using Fr = zkgpu::Bls12_381::Fr;
using Op = Ntt<Fr, Cpu<>>;

Fr random_element(std::mt19937_64& random) {
  Fr::Integer n;
  do {
    for (auto& limb : n.limb) limb = random();
    n.limb[3] &= ~(std::uint64_t{1} << 63);
  } while (!Fr::is_canonical(n));
  return Fr::from_integer(n);
}

std::vector<Fr> random_elements(std::mt19937_64& random, std::size_t n) {
  std::vector<Fr> values(n);
  for (Fr& value : values) value = random_element(random);
  return values;
}

void run(const NttPlan& plan, const NttTwiddles<Fr>& twiddles, const NttTransform<Fr>& transform,
         std::vector<Fr>& values) {
  Cpu<> cpu;
  auto queue = cpu.make_queue();
  Op::enqueue(queue, plan, twiddles, transform, values);
}

std::vector<Fr> reversed(std::vector<Fr> values) {
  zkgpu::bit_reverse_reference(std::span(values));
  return values;
}

constexpr NttOrder orders[] = {NttOrder::natural_to_reversed, NttOrder::reversed_to_natural,
                               NttOrder::natural_to_natural};

/// Every direction and order of one domain, against the values and coefficients of an oracle.
void check_all(const NttPlan& plan, const NttTwiddles<Fr>& twiddles, const Fr& shift,
               const std::vector<Fr>& coefficients, const std::vector<Fr>& values) {
  for (const NttOrder order : orders) {
    const bool in_reversed = order == NttOrder::reversed_to_natural;
    const bool out_reversed = order == NttOrder::natural_to_reversed;
    auto x = in_reversed ? reversed(coefficients) : coefficients;
    run(plan, twiddles, {NttDirection::forward, order, shift}, x);
    CHECK(x == (out_reversed ? reversed(values) : values));
    auto y = in_reversed ? reversed(values) : values;
    run(plan, twiddles, {NttDirection::inverse, order, shift}, y);
    CHECK(y == (out_reversed ? reversed(coefficients) : coefficients));
  }
}

TEST_CASE("the textbook transform is the evaluation at the powers of the root", "[ntt][oracle]") {
  std::mt19937_64 random(1);
  for (unsigned log_n = 0; log_n <= 7; ++log_n) {
    const NttDomain<Fr> domain(log_n);
    const auto coefficients = random_elements(random, domain.size());
    auto values = coefficients;
    zkgpu::ntt_reference<Fr>(domain, values, NttDirection::forward);
    CHECK(values == zkgpu::dft_reference<Fr>(domain, coefficients));
    zkgpu::ntt_reference<Fr>(domain, values, NttDirection::inverse);
    CHECK(values == coefficients);
  }
}

TEST_CASE("transforms equal the evaluation at every point, in every order, for both generators",
          "[ntt][oracle]") {
  std::mt19937_64 random(2);
  const Cpu<> cpu;
  for (const int generator : {5, 7}) {
    for (unsigned log_n = 0; log_n <= 10; ++log_n) {
      CAPTURE(generator, log_n);
      const auto domain = NttDomain<Fr>::from_generator(log_n, Fr(generator));
      const NttTwiddles<Fr> twiddles(domain);
      const auto plan = Op::plan(log_n, cpu.properties());
      const auto coefficients = random_elements(random, domain.size());
      check_all(plan, twiddles, Fr::one(), coefficients,
                zkgpu::dft_reference<Fr>(domain, coefficients));
      const Fr shift = log_n % 2 == 0 ? Fr(generator) : random_element(random);
      check_all(plan, twiddles, shift, coefficients,
                zkgpu::dft_reference<Fr>(domain, coefficients, shift));
    }
  }
}

TEST_CASE("every size of tile gives the same transform", "[ntt][agreement]") {
  std::mt19937_64 random(3);
  for (unsigned log_n = 0; log_n <= 9; ++log_n) {
    const NttDomain<Fr> domain(log_n);
    const NttTwiddles<Fr> twiddles(domain);
    const auto coefficients = random_elements(random, domain.size());
    const Fr shift = random_element(random);
    const auto values = zkgpu::dft_reference<Fr>(domain, coefficients, shift);
    for (unsigned log_tile = 0; log_tile <= log_n; ++log_tile) {
      CAPTURE(log_n, log_tile);
      check_all({.log_n = log_n, .log_tile = log_tile, .task_pairs = 8}, twiddles, shift,
                coefficients, values);
    }
  }
}

/// Is y, in bit-reversed order, the transform of x? By one random linear functional: for weights
/// t^i in natural order, Σ t^i·y_i = Σ_j x_j·s^j·((t·w^j)^n - 1)/(t·w^j - 1).
bool is_transform(const NttDomain<Fr>& domain, const Fr& shift, const std::vector<Fr>& x,
                  std::vector<Fr> y, const Fr& t) {
  zkgpu::bit_reverse_reference(std::span(y));
  Fr numerator = t;  // (t w^j)^n = t^n
  for (unsigned i = 0; i < domain.log_n; ++i) numerator = numerator.square();
  numerator -= Fr::one();
  std::vector<Fr> denominators(x.size());
  std::vector<Fr> scratch(x.size());
  Fr point = t;
  for (Fr& d : denominators) {
    d = point - Fr::one();
    point *= domain.root;
  }
  zkgpu::batch_inverse(std::span(denominators), std::span(scratch));
  Fr expected = Fr::zero();
  Fr power = numerator;
  for (std::size_t j = 0; j < x.size(); ++j) {
    expected += x[j] * power * denominators[j];
    power *= shift;
  }
  return expected == zkgpu::evaluate_polynomial<Fr>(y, t);
}

void check_large(unsigned log_n, std::mt19937_64& random) {
  CAPTURE(log_n);
  const Cpu<> cpu;
  const auto domain = NttDomain<Fr>::from_generator(log_n, Fr(log_n % 2 == 0 ? 5 : 7));
  const NttTwiddles<Fr> twiddles(domain);
  const auto plan = Op::plan(log_n, cpu.properties());
  const Fr shift = random_element(random);
  const Fr seed = random_element(random);
  std::vector<Fr> x(domain.size());
  Fr value = seed;
  for (Fr& e : x) e = value = value.square() + seed;
  auto y = x;
  run(plan, twiddles, {NttDirection::forward, NttOrder::natural_to_reversed, shift}, y);
  CHECK(is_transform(domain, shift, x, y, random_element(random)));
  run(plan, twiddles, {NttDirection::inverse, NttOrder::reversed_to_natural, shift}, y);
  CHECK(y == x);
  run(plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_reversed, shift}, y);
  run(plan, twiddles, {NttDirection::forward, NttOrder::reversed_to_natural, shift}, y);
  CHECK(y == x);
  // y = D x with D the inverse transform: its own transform is x again, at a random point.
  run(plan, twiddles, {NttDirection::inverse, NttOrder::natural_to_natural, shift}, y);
  CHECK(is_transform(domain, shift, y, reversed(x), random_element(random)));
}

TEST_CASE("large transforms have the right value at a random point", "[ntt][oracle]") {
  std::mt19937_64 random(4);
  for (unsigned log_n = 11; log_n <= 17; ++log_n) check_large(log_n, random);
}

TEST_CASE("transforms up to 2^24 have the right value at a random point", "[ntt][oracle][slow]") {
  std::mt19937_64 random(5);
  for (unsigned log_n = 18; log_n <= 24; ++log_n) check_large(log_n, random);
}

TEST_CASE("transforms of zeros, of one and of a single power are what the definition says",
          "[ntt][law]") {
  for (unsigned log_n = 0; log_n <= 12; ++log_n) {
    const NttDomain<Fr> domain(log_n);
    const NttTwiddles<Fr> twiddles(domain);
    const auto plan = Op::plan(log_n, Cpu<>().properties());
    std::vector<Fr> x(domain.size(), Fr::zero());
    run(plan, twiddles, {}, x);
    CHECK(x == std::vector<Fr>(domain.size(), Fr::zero()));
    x[0] = Fr::one();
    run(plan, twiddles, {}, x);
    CHECK(x == std::vector<Fr>(domain.size(), Fr::one()));
    x.assign(domain.size(), Fr::zero());
    x[domain.size() / 2] = Fr::one();  // X^(n/2) alternates between 1 and -1
    run(plan, twiddles, {}, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (log_n > 0) REQUIRE(x[i] == (i % 2 == 0 ? Fr::one() : -Fr::one()));
    }
  }
}

TEST_CASE("a transform does not depend on the number of threads", "[ntt][agreement]") {
  std::mt19937_64 random(6);
  constexpr unsigned log_n = 14;
  const NttDomain<Fr> domain(log_n);
  const NttTwiddles<Fr> twiddles(domain);
  const auto x = random_elements(random, domain.size());
  std::vector<Fr> first;
  const oneapi::tbb::global_control more_threads_than_cores(
      oneapi::tbb::global_control::max_allowed_parallelism, 8);
  for (const int threads : {1, 2, 5}) {
    oneapi::tbb::task_arena arena(threads);
    auto y = x;
    arena.execute([&] {
      const auto machine = zkgpu::DeviceProperties{
          .compute_units = static_cast<std::size_t>(threads), .unit_cache_bytes = 1 << 16};
      run(Op::plan(log_n, machine), twiddles, {}, y);
    });
    if (first.empty()) first = y;
    CHECK(y == first);
  }
}

TEST_CASE("twiddles are the powers of the root in reversed order, and mirror to their inverses",
          "[ntt][law]") {
  for (unsigned log_n = 1; log_n <= 8; ++log_n) {
    const auto domain = NttDomain<Fr>::from_generator(log_n, Fr(5));
    const NttTwiddles<Fr> twiddles(domain);
    REQUIRE(twiddles.table().size() == domain.size() / 2);
    for (std::size_t k = 0; k < domain.size() / 2; ++k) {
      const auto exponent = zkgpu::reverse_bits(k, log_n - 1);
      CHECK(twiddles.table()[k] == domain.root.pow(zkgpu::Limbs<1>::from_uint64(exponent)));
      if (k == 0) continue;
      CHECK(twiddles.table()[k] * -twiddles.table()[zkgpu::mirrored_twiddle(k)] == Fr::one());
    }
    CHECK(twiddles.inverse_size() * Fr(1 << log_n) == Fr::one());
  }
}

TEST_CASE("domains carry their root, and refuse what the field does not have", "[ntt][law]") {
  CHECK(NttDomain<Fr>(32).root == Fr::root_of_unity(32));
  CHECK(NttDomain<Fr>(3) == NttDomain<Fr>::from_generator(3, Fr(7)));
  CHECK_FALSE(NttDomain<Fr>(3) == NttDomain<Fr>::from_generator(3, Fr(5)));
  const auto seven = NttDomain<Fr>::from_generator(32, Fr(7));
  const auto five = NttDomain<Fr>::from_generator(32, Fr(5));
  CHECK(seven.root.pow(zkgpu::Limbs<1>::from_uint64(3797895509U)) == five.root);
  CHECK(NttDomain<Fr>::at_least(0).log_n == 0);
  CHECK(NttDomain<Fr>::at_least(1).log_n == 0);
  CHECK(NttDomain<Fr>::at_least(2).log_n == 1);
  CHECK(NttDomain<Fr>::at_least(5).log_n == 3);
  CHECK(NttDomain<Fr>::at_least(8).log_n == 3);
  CHECK_THROWS_AS(NttDomain<Fr>(33), InvalidArgument);
  CHECK_THROWS_AS(NttDomain<Fr>::at_least((std::size_t{1} << 32) + 1), InvalidArgument);
  CHECK_THROWS_AS(NttDomain<Fr>::at_least(~std::size_t{0}), InvalidArgument);
  CHECK_THROWS_AS(Op::plan(33, Cpu<>().properties()), InvalidArgument);
  CHECK_THROWS_AS(NttDomain<Fr>::from_generator(4, Fr(4)), InvalidArgument);
  CHECK_THROWS_AS(NttDomain<Fr>::from_generator(4, Fr::zero()), InvalidArgument);
}

TEST_CASE("a transform refuses sizes that disagree and a coset through zero", "[ntt][law]") {
  const NttTwiddles<Fr> twiddles{NttDomain<Fr>(3)};
  std::vector<Fr> x(8, Fr::one());
  const auto plan = Op::plan(3, Cpu<>().properties());
  std::vector<Fr> shorter(7, Fr::one());
  CHECK_THROWS_AS(run(plan, twiddles, {}, shorter), InvalidArgument);
  CHECK_THROWS_WITH(run(plan, twiddles, {}, shorter),
                    "ntt: plan is for 8 elements, got 7 in 'values'");
  CHECK_THROWS_WITH(run(Op::plan(4, Cpu<>().properties()), twiddles, {}, x),
                    "ntt: plan is for 2^4 elements, the domain has 2^3");
  auto large_tiles = plan;
  large_tiles.log_tile = 4;
  CHECK_THROWS_WITH(run(large_tiles, twiddles, {}, x),
                    "ntt: plan has tiles of 2^4 elements, of 2^3");
  NttTransform<Fr> through_zero;
  through_zero.shift = Fr::zero();
  CHECK_THROWS_AS(run(plan, twiddles, through_zero, x), InvalidArgument);
  CHECK(x == std::vector<Fr>(8, Fr::one()));
}

TEST_CASE("plans cover the transform: tiles fit the cache, and there are enough for the threads",
          "[ntt][plan]") {
  for (unsigned log_n = 0; log_n <= 32; ++log_n) {
    for (const std::size_t threads : std::initializer_list<std::size_t>{1, 2, 3, 64, 1000}) {
      for (const std::size_t cache : {std::size_t{0}, std::size_t{1} << 8, std::size_t{1} << 21}) {
        const zkgpu::DeviceProperties machine{.compute_units = threads, .unit_cache_bytes = cache};
        const NttPlan plan = zkgpu::plan_ntt(log_n, 32, machine);
        CAPTURE(to_string(plan), threads, cache);
        CHECK(plan == zkgpu::plan_ntt(log_n, 32, machine));
        CHECK(plan.log_tile <= log_n);
        CHECK(plan.tiles() << plan.log_tile == plan.size());
        if (cache != 0) CHECK((plan.log_tile == 0 || (32U << plan.log_tile) <= cache));
        if (threads > 1 && log_n >= 20 && threads <= 64) CHECK(plan.tiles() >= 4 * threads);
      }
    }
  }
  CHECK(to_string(zkgpu::plan_ntt(20, 32, {.compute_units = 2, .unit_cache_bytes = 1 << 21})) ==
        "ntt 2^20: 64 tiles of 2^14");
}

}  // namespace
