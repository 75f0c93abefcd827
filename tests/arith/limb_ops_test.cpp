// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <zkgpu/arith/limb_ops.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <thread>
#include <tuple>
#include <vector>

#include <zkgpu/arith/montgomery.hpp>
#include <zkgpu/curve/bls12_381.hpp>

#include "product_forms.hpp"
#include "random_fields.hpp"

namespace {

using namespace zkgpu;
using test::Random;

/// 4 limbs with one spare bit, 4 limbs with many, 6 limbs with two and with three.
struct Bn254FqParams {
  ZKGPU_HD static constexpr Limbs<4> modulus() noexcept {
    return Limbs<4>{
        {0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}};
  }
  ZKGPU_HD static constexpr int generator() noexcept { return 3; }
};
/// No prime, but odd and just below 2^382: the primitives only need that.
struct Odd382Params {
  ZKGPU_HD static constexpr Limbs<6> modulus() noexcept {
    return Limbs<6>{{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0},
                     ~std::uint64_t{0}, 0x3fffffffffffffff}};
  }
  ZKGPU_HD static constexpr int generator() noexcept { return 1; }
};
using Moduli = std::tuple<Montgomery<bls12_381::FqParams>, Montgomery<bls12_381::FrParams>,
                          Montgomery<Bn254FqParams>, Montgomery<Odd382Params>>;

using RoomyModuli = std::tuple<Montgomery<bls12_381::FqParams>, Montgomery<Bn254FqParams>,
                               Montgomery<Odd382Params>>;
using LimbCounts = std::tuple<Limbs<1>, Limbs<4>, Limbs<6>, Limbs<12>>;

template <class M>
std::vector<typename M::Integer> samples(std::size_t count, std::uint64_t seed) {
  auto all = test::edge_residues(M::modulus(), M::r());
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) all.push_back(test::random_below(random, M::modulus()));
  return all;
}

/// Counts what differs, so that a million comparisons are one assertion.
struct Tally {
  std::size_t compared = 0, wrong = 0;
  template <class T>
  void operator()(const T& is, const T& should_be) {
    ++compared;
    if (!(is == should_be)) ++wrong;
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("each form of the products agrees with the portable text",
                        "[arith][agreement]", Moduli) {
  using M = TestType;
  using Integer = typename M::Integer;
  constexpr std::size_t N = M::limb_count;
  constexpr std::uint64_t inverse = M::montgomery_inverse();
  const auto all = samples<M>(400, 1);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    Tally tally;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all.size(); ++j) {
        const Integer &a = all[i], &b = all[j], &c = all[(i + j) % all.size()], &d = all[j / 2];
        Integer r;
        limb_ops::montgomery_product<M>(r, a, b);
        tally(r, limb_ops::portable::montgomery_product<N>(a, b, M::modulus(), inverse));
        Limbs<2 * N> wide;
        limb_ops::wide_product<M>(wide, a, b);
        tally(wide, limb_ops::portable::wide_product<N>(a, b));
        Integer reduced;
        limb_ops::montgomery_reduce<M>(reduced, wide);
        tally(reduced, r);
        if constexpr (M::spare_bits >= 2) {
          const Integer *const x[] = {&a, &c}, *const y[] = {&b, &d};
          limb_ops::sum_of_products<M>(r, x, y);
          tally(r, limb_ops::portable::sum_of_products<N, 2>(x, y, M::modulus(), inverse));
        }
      }
      Integer r;
      limb_ops::montgomery_square<M>(r, all[i]);
      tally(r, limb_ops::portable::montgomery_product<N>(all[i], all[i], M::modulus(), inverse));
    }
    CHECK(tally.compared > 3 * all.size() * all.size());
    CHECK(tally.wrong == 0);
  });
}

TEMPLATE_LIST_TEST_CASE("results are fully reduced", "[arith][law]", Moduli) {
  using M = TestType;
  using Integer = typename M::Integer;
  const auto all = samples<M>(100, 2);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    std::size_t wrong = 0;
    const auto check = [&](const Integer& r) { wrong += compare(r, M::modulus()) < 0 ? 0u : 1u; };
    for (const Integer& a : all) {
      Integer r;
      limb_ops::montgomery_square<M>(r, a);
      check(r);
      for (const Integer& b : all) {
        limb_ops::montgomery_product<M>(r, a, b);
        check(r);
        limb_ops::modular_add<M>(r, a, b);
        check(r);
        limb_ops::modular_subtract<M>(r, a, b);
        check(r);
        if constexpr (M::spare_bits >= 2) {
          limb_ops::sum_of_products<M>(r, {&a, &b}, {&b, &a});
          check(r);
        }
      }
    }
    CHECK(wrong == 0);
  });
}

TEMPLATE_LIST_TEST_CASE("sums and differences agree with the portable text", "[arith][agreement]",
                        Moduli) {
  using M = TestType;
  using Integer = typename M::Integer;
  const auto all = samples<M>(300, 3);
  Tally tally;
  for (const Integer& a : all) {
    for (const Integer& b : all) {
      Integer sum{}, reduced{}, r;
      limb_ops::portable::add(sum, a, b);
      const bool below = limb_ops::portable::subtract(reduced, sum, M::modulus()) != 0;
      limb_ops::modular_add<M>(r, a, b);
      tally(r, below ? sum : reduced);
      Integer difference{};
      if (limb_ops::portable::subtract(difference, a, b) != 0) {
        limb_ops::portable::add(difference, difference, M::modulus());
      }
      limb_ops::modular_subtract<M>(r, a, b);
      tally(r, difference);
    }
  }
  CHECK(tally.compared > 100000);
  CHECK(tally.wrong == 0);
}

TEMPLATE_LIST_TEST_CASE("carries and borrows agree with the portable text", "[arith][agreement]",
                        LimbCounts) {
  using L = TestType;
  Random random(4);
  Tally tally;
  for (int i = 0; i < 100000; ++i) {
    const L a = test::random_limbs<L::limb_count>(random);
    const L b = random() % 8 == 0 ? a : test::random_limbs<L::limb_count>(random);
    L r{}, expected{};
    const std::uint64_t carry = limb_ops::add(r, a, b);
    tally(carry, limb_ops::portable::add(expected, a, b));
    tally(r, expected);
    const std::uint64_t borrow = limb_ops::subtract(r, a, b);
    tally(borrow, limb_ops::portable::subtract(expected, a, b));
    tally(r, expected);
    tally(limb_ops::select(i % 2 == 0, a, b), i % 2 == 0 ? a : b);
  }
  CHECK(tally.wrong == 0);
}

TEMPLATE_LIST_TEST_CASE("a result may be written over its operands", "[arith][law]", Moduli) {
  using M = TestType;
  using Integer = typename M::Integer;
  const auto all = samples<M>(50, 5);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    Tally tally;
    const auto over_each = [&tally](const Integer& a, const Integer& b, auto&& operation) {
      Integer apart, first = a, second = b, both = a, both_apart;
      operation(apart, a, b);
      operation(first, first, b);
      operation(second, a, second);
      operation(both, both, both);
      operation(both_apart, a, a);
      tally(first, apart);
      tally(second, apart);
      tally(both, both_apart);
    };
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const Integer &a = all[i], &b = all[i + 1];
      over_each(a, b, [](auto& r, auto& x, auto& y) { limb_ops::montgomery_product<M>(r, x, y); });
      over_each(a, b, [](auto& r, auto& x, auto& y) { limb_ops::modular_add<M>(r, x, y); });
      over_each(a, b, [](auto& r, auto& x, auto& y) { limb_ops::modular_subtract<M>(r, x, y); });
      over_each(a, b, [](auto& r, auto& x, auto&) { limb_ops::montgomery_square<M>(r, x); });
      if constexpr (M::spare_bits >= 2) {
        over_each(a, b, [](auto& r, auto& x, auto& y) {
          limb_ops::sum_of_products<M>(r, {&x, &y}, {&y, &y});
        });
      }
    }
    CHECK(tally.wrong == 0);
  });
}

TEMPLATE_LIST_TEST_CASE("with two spare bits, factors may be sums of two elements", "[arith][law]",
                        RoomyModuli) {
  using M = TestType;
  using Integer = typename M::Integer;
  static_assert(M::spare_bits >= 2);
  const auto all = samples<M>(100, 6);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    Tally tally;
    for (std::size_t i = 0; i + 3 < all.size(); ++i) {
      Integer a{}, b{}, reduced_a, reduced_b, r, expected;
      limb_ops::add(a, all[i], all[i + 1]);
      limb_ops::add(b, all[i + 2], all[i + 3]);
      limb_ops::modular_add<M>(reduced_a, all[i], all[i + 1]);
      limb_ops::modular_add<M>(reduced_b, all[i + 2], all[i + 3]);
      limb_ops::montgomery_product<M>(r, a, b);
      limb_ops::montgomery_product<M>(expected, reduced_a, reduced_b);
      tally(r, expected);
    }
    // The largest: (2p - 1)², and sums of products with every factor p itself, which stands for 0.
    Integer most{}, r, expected;
    limb_ops::add(most, M::modulus(), M::modulus());
    most.limb[0] -= 1;
    limb_ops::montgomery_product<M>(r, most, most);
    Integer minus_one = M::modulus();
    minus_one.limb[0] -= 1;
    limb_ops::montgomery_product<M>(expected, minus_one, minus_one);
    tally(r, expected);
    const Integer p = M::modulus();
    limb_ops::sum_of_products<M>(r, {&p, &p}, {&p, &p});
    tally(r, Integer::zero());
    constexpr std::size_t most_products = M::spare_bits >= 3 ? 7 : 3;
    const Integer *largest[most_products], *largest_reduced[most_products];
    for (std::size_t k = 0; k < most_products; ++k) {
      largest[k] = &p;
      largest_reduced[k] = &minus_one;
    }
    limb_ops::sum_of_products<M>(r, largest, largest);
    tally(r, Integer::zero());
    limb_ops::sum_of_products<M>(r, largest_reduced, largest_reduced);
    Integer sum = expected;
    for (std::size_t k = 1; k < most_products; ++k) limb_ops::modular_add<M>(sum, sum, expected);
    tally(r, sum);
    CHECK(tally.wrong == 0);
  });
}

TEMPLATE_LIST_TEST_CASE("the reduction takes every number below modulus * 2^(64N)", "[arith][law]",
                        Moduli) {
  using M = TestType;
  using Integer = typename M::Integer;
  constexpr std::size_t N = M::limb_count;
  Random random(7);
  test::for_each_product_form([&](const char* form) {
    INFO(form);
    Tally tally;
    for (int i = 0; i < 20000; ++i) {
      Integer high = test::random_below(random, M::modulus());
      Integer low = test::random_limbs<N>(random);
      if (i == 0) {  // the largest
        high = M::modulus();
        high.limb[0] -= 1;
        for (auto& limb : low.limb) limb = ~std::uint64_t{0};
      }
      Limbs<2 * N> wide{};
      for (std::size_t k = 0; k < N; ++k) {
        wide.limb[k] = low.limb[k];
        wide.limb[N + k] = high.limb[k];
      }
      Integer r, back, expected;
      limb_ops::montgomery_reduce<M>(r, wide);
      tally(compare(r, M::modulus()) < 0, true);
      // r · R = low + high · R: compare r with low · R^-1 + high, where low may exceed the modulus.
      limb_ops::montgomery_product<M>(back, Integer::from_uint64(1), M::r_squared());  // R
      while (compare(low, M::modulus()) >= 0) limb_ops::subtract(low, low, M::modulus());
      limb_ops::montgomery_product<M>(expected, low, Integer::from_uint64(1));
      limb_ops::modular_add<M>(expected, expected, high);
      tally(r, expected);
      tally(back, M::r());
    }
    CHECK(tally.wrong == 0);
  });
}

#if defined(__x86_64__)
TEST_CASE("the switch to portable products says whether assembly is in use", "[arith]") {
  namespace x86 = limb_ops::x86;
  CHECK_FALSE(x86::set_mulx_adx(false));
  CHECK_FALSE(x86::mulx_adx_enabled());
  CHECK(x86::set_mulx_adx(true) == x86::mulx_adx_supported());
  CHECK(x86::mulx_adx_enabled() == x86::mulx_adx_supported());
}

TEST_CASE("many threads may make the first product", "[arith]") {
  namespace x86 = limb_ops::x86;
  using M = Montgomery<bls12_381::FqParams>;
  const auto expected = limb_ops::portable::montgomery_product<6>(
      M::r(), M::r_squared(), M::modulus(), M::montgomery_inverse());
  __atomic_store_n(&x86::product_form, x86::ProductForm::unknown, __ATOMIC_RELAXED);
  std::vector<std::thread> threads;
  std::vector<Limbs<6>> results(4);
  for (auto& result : results) {
    threads.emplace_back(
        [&result] { limb_ops::montgomery_product<M>(result, M::r(), M::r_squared()); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) CHECK(result == expected);
  CHECK(x86::mulx_adx_enabled() == x86::mulx_adx_supported());
}
#endif
