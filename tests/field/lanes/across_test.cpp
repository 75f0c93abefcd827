// SPDX-License-Identifier: Apache-2.0 OR MIT
#if defined(__x86_64__)
#include <array>
#include <catch2/catch.hpp>
#include <string>

#include <zkgpu/curve/pairing.hpp>
#include <zkgpu/field/lanes/radix52.hpp>

#include "across_ops.hpp"
#include "lanes_here.hpp"
#include "support/random_fields.hpp"

// Oracle: the scalar tower. Results are read from their digits, so that a digit out of range or a
// value above its bound is seen and not reduced away.
namespace {

using namespace zkgpu;
using namespace zkgpu::test;
using Fq = Bls12_381::Fq;
using Fq2 = Bls12_381::Fq2;
using Fq12 = Bls12_381::Fq12;
using Radix = Radix52<Fq>;
constexpr std::size_t coefficients = 6;

/// 2^(52·limbs) in Fq.
Fq lane_factor() {
  Fq r = Fq::one();
  for (unsigned i = 0; i < Radix::limb_bits * Radix::limbs; ++i) r = r.doubled();
  return r;
}

Fq2& coefficient(Fq12& f, std::size_t n) {
  auto& half = n % 2 == 0 ? f.c0 : f.c1;
  return n / 2 == 0 ? half.c0 : n / 2 == 1 ? half.c1 : half.c2;
}

/// Lane k of the block: x in the form of lanes, plus `multiple` times the modulus.
void put(LaneBlock<Fq>& block, std::size_t k, const Fq& x, unsigned multiple) {
  const auto value = Radix::digits((x * lane_factor()).to_integer());
  const auto added = Radix::multiple(multiple);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < Radix::limbs; ++i) {
    carry += value[i] + added[i];
    block.digit[i][k] = carry & Radix::limb_mask;
    carry >>= Radix::limb_bits;
  }
}

/// The element in lane k; its digits are in range, and it is at most `bound` times the modulus.
Fq get(const LaneBlock<Fq>& block, std::size_t k, unsigned bound) {
  const auto most = Radix::multiple(bound);
  Fq power = Fq::one(), value = Fq::zero();
  const Fq base = Fq::from_integer(Fq::Integer::from_uint64(std::uint64_t{1} << 52));
  bool below = true, equal = true;
  for (std::size_t i = Radix::limbs; i-- > 0;) {
    REQUIRE(block.digit[i][k] <= Radix::limb_mask);
    if (equal && block.digit[i][k] != most[i]) {
      below = block.digit[i][k] < most[i];
      equal = false;
    }
  }
  REQUIRE(below);
  for (std::size_t i = 0; i < Radix::limbs; ++i) {
    value += Fq::from_integer(Fq::Integer::from_uint64(block.digit[i][k])) * power;
    power *= base;
  }
  static const Fq inverse = lane_factor().inverse();
  return value * inverse;
}

/// What multiples of the modulus are added.
enum class Lift { none, most, random };

AcrossBlock block_of(Fq12 f, unsigned bound, Lift lift, Random& random) {
  const auto multiple = [&] {
    if (lift == Lift::none) return 0U;
    return lift == Lift::most ? bound - 1 : static_cast<unsigned>(random() % bound);
  };
  AcrossBlock block;
  for (std::size_t k = 0; k < lane_width; ++k) {  // the unused lanes hold what the first ones do
    const Fq2 c = coefficient(f, k % coefficients);
    put(block.part[0], k, c.c0, multiple());
    put(block.part[1], k, c.c1, multiple());
  }
  return block;
}

Fq12 expected(AcrossOp op, const Fq12& a, const Fq12& b) {
  switch (op) {
    case AcrossOp::multiply: return a * b;
    case AcrossOp::square: return a.square();
    case AcrossOp::cyclotomic_square: return a.cyclotomic_square();
    case AcrossOp::conjugate: return a.conjugate();
    case AcrossOp::frobenius: return a.frobenius();
    case AcrossOp::line: return a.multiply_by_line(b.c0.c0, b.c0.c1, b.c1.c1);
  }
  return Fq12::zero();
}

/// Coefficients that are random, or 0, 1 or -1.
Fq12 element(bool extreme, Random& random) {
  const auto coordinate = [&] {
    if (!extreme) return random_element<Fq>(random);
    const auto kind = random() % 3;
    return kind == 0 ? Fq::zero() : kind == 1 ? Fq::one() : -Fq::one();
  };
  Fq12 f;
  for (std::size_t n = 0; n < coefficients; ++n) {
    coefficient(f, n).c0 = coordinate();
    coefficient(f, n).c1 = coordinate();
  }
  return f;
}

}  // namespace

TEST_CASE("operations across lanes give the scalar tower's elements, within their bounds",
          "[field][lanes][fq12]") {
  if (!lanes_run_here()) return;
  Random random(61);
  for (const AcrossCase& op : across_cases()) {
    for (int i = 0; i < 150; ++i) {
      const auto lift = i % 3 == 0 ? Lift::none : i % 3 == 1 ? Lift::most : Lift::random;
      const Fq12 a = element(i % 2 == 0, random), b = element(i % 5 == 0, random);
      INFO(std::string(op.name) << ", case " << i);
      AcrossBlock result;
      op.run(block_of(a, op.bound_a, lift, random), block_of(b, op.bound_b, lift, random), result);
      Fq12 f;
      for (std::size_t k = 0; k < lane_width; ++k) {
        const Fq2 c{get(result.part[0], k, op.bound_a), get(result.part[1], k, op.bound_a)};
        if (k < coefficients) coefficient(f, k) = c;
      }
      REQUIRE(f == expected(op.op, a, b));
    }
  }
}

TEST_CASE("a long chain of cyclotomic squares stays within its bounds", "[field][lanes][fq12]") {
  if (!lanes_run_here()) return;
  Random random(62);
  // Not of the cyclotomic subgroup: the formula is the same, and its values are as wild.
  Fq12 f = element(false, random);
  AcrossBlock block = block_of(f, across_cases()[0].bound_a, Lift::most, random);
  for (const AcrossCase& op : across_cases()) {
    if (op.op != AcrossOp::cyclotomic_square) continue;
    for (int i = 0; i < 300; ++i) {
      AcrossBlock next;
      op.run(block, block, next);
      block = next;
      f = f.cyclotomic_square();
      for (std::size_t k = 0; k < coefficients; ++k) {
        REQUIRE(get(block.part[0], k, op.bound_a) == coefficient(f, k).c0);
        REQUIRE(get(block.part[1], k, op.bound_a) == coefficient(f, k).c1);
      }
    }
  }
}
#endif
