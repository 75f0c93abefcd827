// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>
#include "msm_cases.hpp"

#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/msm/cpu/straus_impl.hpp>
#include <zkgpu/msm/digits.hpp>

namespace {

using namespace zkgpu::test;
using zkgpu::Bls12_381;
using zkgpu::Limbs;
using zkgpu::MsmScalarParts;
using Fr = Bls12_381::Fr;
using Groups = std::tuple<Bls12_381::G1, Bls12_381::G2>;

std::vector<Fr::Integer> edge_scalars(std::mt19937_64& random) {
  std::vector<Fr::Integer> all;
  for (unsigned kind = 0; kind < scalar_kinds; ++kind) {
    for (const auto& k : make_scalars<Fr>(kind, 24, random)) all.push_back(k);
  }
  const Fr z = Fr::from_integer(Fr::Integer::from_uint64(Bls12_381::z_magnitude));
  Fr power = Fr::one();
  for (int i = 0; i < 5; ++i, power *= z) {  // where the digits of a split wrap around
    for (int d = -2; d <= 2; ++d) {
      all.push_back((power + Fr(d)).to_integer());
      all.push_back((power * Fr(2).inverse() + Fr(d)).to_integer());
      all.push_back((-power + Fr(d)).to_integer());
    }
  }
  return all;
}

TEMPLATE_LIST_TEST_CASE("the parts of a scalar times the images of a point are the product",
                        "[msm][law]", Groups) {
  using Parts = MsmScalarParts<TestType>;
  using Jacobian = typename TestType::Jacobian;
  std::mt19937_64 random(1);
  const KnownBases<TestType> bases(1, random);
  const auto p = bases.bases()[0];
  for (const auto& k : edge_scalars(random)) {
    typename Parts::Part parts[Parts::count];
    Parts::split(k, parts);
    Jacobian sum = Jacobian::infinity();
    auto image = p;
    for (const auto& part : parts) {
      CHECK(part.magnitude.bit_length() < Parts::bits);
      const auto product =
          zkgpu::scalar_mul_double_and_add(Jacobian::from_affine(image), part.magnitude);
      sum += part.negative ? -product : product;
      image = Parts::next_image(image);
    }
    REQUIRE(sum == bases.expected(std::span(&k, 1)));
  }
}

/// Σ digit·2^(cw) in two's complement of one word more than the value has.
template <std::size_t Words>
Limbs<Words + 1> recompose(const zkgpu::SignedDigits<Words>& digits, const Limbs<Words>& shifted,
                           unsigned c) {
  Limbs<Words + 1> sum{};
  for (unsigned w = digits.windows(); w-- > 0;) {
    for (unsigned i = 0; i < c; ++i) zkgpu::limb_ops::portable::add(sum, sum, sum);
    const std::int64_t digit = digits.digit(shifted, w);
    Limbs<Words + 1> term{};
    for (auto& limb : term.limb) limb = digit < 0 ? ~std::uint64_t{0} : 0;
    term.limb[0] = static_cast<std::uint64_t>(digit);
    zkgpu::limb_ops::portable::add(sum, sum, term);
  }
  return sum;
}

template <std::size_t Words>
void check_digits(unsigned bits, std::mt19937_64& random) {
  for (unsigned c = 1; c <= zkgpu::MsmPlan::max_window_bits; ++c) {
    const zkgpu::SignedDigits<Words> digits(bits, c);
    REQUIRE(digits.windows() == zkgpu::MsmPlan::windows_for(bits, c));
    std::vector<Limbs<Words>> values{Limbs<Words>::zero(), Limbs<Words>::from_uint64(1)};
    Limbs<Words> ones{};  // the largest magnitude: bits - 1 ones
    for (unsigned i = 0; i + 1 < bits; ++i) ones.limb[i / 64] |= std::uint64_t{1} << (i % 64);
    for (int i = 0; i < 40; ++i) {
      Limbs<Words> value{};
      for (std::size_t j = 0; j < Words; ++j) value.limb[j] = random() & ones.limb[j];
      values.push_back(value);
    }
    values.push_back(ones);
    for (const int offset : {-1, 0, 1}) {  // every window at the edge of its range
      Limbs<Words> value{};
      for (unsigned at = 0; at + c < bits; at += c) {
        const auto digit = (std::int64_t{1} << (c - 1)) + offset;
        for (unsigned i = 0; i < c; ++i) {
          const auto bit = static_cast<std::uint64_t>(digit >> i & 1);
          value.limb[(at + i) / 64] |= bit << ((at + i) % 64);
        }
      }
      values.push_back(value);
    }
    for (const auto& value : values) {
      const auto shifted = digits.shifted(value);
      for (unsigned w = 0; w < digits.windows(); ++w) {
        const std::int64_t digit = digits.digit(shifted, w);
        REQUIRE(digit <= std::int64_t{1} << (c - 1));
        REQUIRE(digit >= -(std::int64_t{1} << (c - 1)));
      }
      Limbs<Words + 1> wide{};
      for (std::size_t j = 0; j < Words; ++j) wide.limb[j] = value.limb[j];
      REQUIRE(recompose(digits, shifted, c) == wide);
    }
  }
}

TEST_CASE("signed digits recompose to the scalar, in every width", "[msm][law]") {
  std::mt19937_64 random(2);
  for (const unsigned bits : {1U, 2U, 3U, 17U, 63U, 64U}) check_digits<1>(bits, random);
  for (const unsigned bits : {65U, 100U, 127U, 128U}) check_digits<2>(bits, random);
  for (const unsigned bits : {200U, 255U, 256U}) check_digits<4>(bits, random);
}

TEST_CASE("non-adjacent forms recompose, and are sparse", "[msm][law]") {
  std::mt19937_64 random(3);
  for (const unsigned width : {2U, 3U, 4U, 5U, 6U}) {
    for (int i = 0; i < 200; ++i) {
      Limbs<1> value{{i < 4 ? ~std::uint64_t{0} - static_cast<std::uint64_t>(i)
                            : random() >> (random() % 64)}};
      const auto digits = zkgpu::msm_cpu::non_adjacent_form(value, width);
      __int128 sum = 0;
      std::size_t last = digits.size() + width;
      for (std::size_t d = digits.size(); d-- > 0;) {
        sum = 2 * sum + digits[d];
        if (digits[d] == 0) continue;
        REQUIRE(digits[d] % 2 != 0);
        REQUIRE(std::abs(digits[d]) < 1 << (width - 1));
        REQUIRE(last - d >= width);
        last = d;
      }
      REQUIRE(sum == __int128{value.limb[0]});
    }
  }
}

TEST_CASE("no part has more digits than the bound on entries", "[msm][law]") {
  std::mt19937_64 random(5);
  constexpr unsigned most_bits = 63;
  for (unsigned c = 2; c <= 16; ++c) {  // of 1 bit, digits are 0 and -1
    const zkgpu::SignedDigits<1> digits(most_bits + 1, c);
    std::uint64_t halves = 0;  // every digit is 2^(c-1), which becomes its negative and a carry
    for (unsigned at = c - 1; at < 64; at += c) halves |= std::uint64_t{1} << at;
    for (unsigned bits = 1; bits <= most_bits; ++bits) {
      const std::uint64_t below = ~std::uint64_t{0} >> (64 - bits);
      zkgpu::PartLengths lengths;
      ++lengths.count[most_bits];  // so many windows there are
      const std::size_t others = lengths.entries(c);
      ++lengths.count[bits];
      const std::size_t bound = lengths.entries(c) - others;
      std::vector<std::uint64_t> values{below, halves & below, below ^ 1};
      for (int i = 0; i < 50; ++i) values.push_back(random() & below);
      for (const std::uint64_t value : values) {
        const auto shifted =
            digits.shifted(Limbs<1>::from_uint64(value | std::uint64_t{1} << (bits - 1)));
        std::size_t count = 0;
        for (unsigned w = 0; w < digits.windows(); ++w)
          count += digits.digit(shifted, w) != 0 ? 1 : 0;
        CHECK(count <= bound);
      }
    }
  }
}

}  // namespace
