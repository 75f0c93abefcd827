// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <zkgpu/core/arch.hpp>
#include <zkgpu/curve/bls12_381.hpp>
#include <zkgpu/curve/jacobian.hpp>
#include <zkgpu/msm/bucket.hpp>

#include "field/lanes/lanes_here.hpp"
#include "msm_cases.hpp"

#if defined(__x86_64__)
#include <zkgpu/msm/cpu/lane_engine.hpp>

// Oracle: scalar additions of Jacobian points, one by one.
namespace {

using namespace zkgpu::test;
using zkgpu::Bls12_381;
using Groups = std::tuple<Bls12_381::G1, Bls12_381::G2>;
using Arch = zkgpu::arch::avx512ifma;
template <class G>
using Engine = zkgpu::msm_cpu::Engine<G, Arch>;

constexpr std::size_t width = 8;
/// Up to so many elements of every array are written by a batch of n pairs.
constexpr std::size_t room_for(std::size_t n) { return (n + width - 1) / width * width + width; }

template <class G>
class Memory {
 public:
  explicit Memory(std::size_t n) : differences_(room_for(n)), products_(room_for(n)), marks_(n) {}
  zkgpu::PairScratch<typename Engine<G>::Element> scratch() {
    return {differences_.data(), products_.data(), marks_.data()};
  }

 private:
  std::vector<typename Engine<G>::Element> differences_, products_;
  std::vector<std::uint32_t> marks_;
};

template <class G>
typename G::Affine sum_of(const typename G::Affine& p, const typename G::Affine& q) {
  return (G::Jacobian::from_affine(p) + q).to_affine();
}

/// How the right operand comes from the left one, or both from nothing.
enum class Kind { random, left_infinite, right_infinite, equal, opposite, both_infinite };
constexpr unsigned kinds = 6;

/// One kind for a whole batch, any in any lane, or random ones and here and there another: alone
/// among plain sums, which the lanes beside it then are.
Kind kind_of(unsigned round, std::mt19937_64& random) {
  if (round % 3 == 0) return static_cast<Kind>(round / 3 % kinds);
  if (round % 3 == 1 && random() % width != 0) return Kind::random;
  return static_cast<Kind>(random() % kinds);
}

/// Sizes around whole groups, the empty batch among them.
std::size_t size_of(unsigned round, std::mt19937_64& random) {
  return round < 20 ? round : 1 + random() % 60;
}

template <class G>
struct Operands {
  std::vector<typename G::Affine> left, right;

  Operands(std::size_t n, unsigned round, const KnownBases<G>& pool, std::mt19937_64& random) {
    const auto any = [&] { return pool.bases()[random() % pool.size()]; };
    for (std::size_t i = 0; i < n; ++i) {
      auto p = any(), q = any();
      switch (kind_of(round, random)) {
        case Kind::random: break;
        case Kind::left_infinite: p = G::Affine::infinity(); break;
        case Kind::right_infinite: q = G::Affine::infinity(); break;
        case Kind::equal: q = p; break;
        case Kind::opposite: q = -p; break;
        case Kind::both_infinite: p = q = G::Affine::infinity(); break;
      }
      left.push_back(p);
      right.push_back(q);
    }
  }
};

/// The same element, its digits those of the next representative: a multiple of the modulus.
template <std::size_t Degree>
void add_modulus(zkgpu::msm_cpu::LaneElement<Degree>& x) {
  constexpr unsigned bits = zkgpu::msm_cpu::lane_digit_bits;
  for (auto& digit : x.digit) {
    std::uint64_t carry = 0;
    for (unsigned i = 0; i < width; ++i) {
      carry += digit[i] + Bls12_381::Fq::modulus().bits(bits * i, bits);
      digit[i] = carry & ((std::uint64_t{1} << bits) - 1);
      carry >>= bits;
    }
  }
}
/// In lanes, each coordinate below the modulus or below twice that.
template <class G>
typename Engine<G>::Point in_lanes(const typename G::Affine& p, bool negative,
                                   std::mt19937_64& random) {
  auto point = Engine<G>::from_base(p, negative);
  if (p.is_infinity()) return point;
  if (random() % 2 == 0) add_modulus(point.x);
  if (random() % 2 == 0) add_modulus(point.y);
  return point;
}

/// left[i] += right[i] in lanes.
template <class G>
void add(std::vector<typename Engine<G>::Point>& left,
         const std::vector<typename Engine<G>::Point>& right) {
  std::vector<zkgpu::PointPair<typename Engine<G>::Point>> pairs(room_for(left.size()));
  for (std::size_t i = 0; i < left.size(); ++i) pairs[i] = {&left[i], &right[i]};
  Memory<G> memory(left.size());
  Engine<G>::add_pairs(left.size(), pairs.data(), memory.scratch());
}

}  // namespace

TEMPLATE_LIST_TEST_CASE(
    "pairs are added in lanes as one by one: equal, opposite, infinite anywhere",
    "[msm][lanes][oracle]", Groups) {
  using E = Engine<TestType>;
  if (!lanes_run_here()) return;
  std::mt19937_64 random(51);
  const KnownBases<TestType> pool(64, random);
  for (unsigned round = 0; round < 120; ++round) {
    const std::size_t n = size_of(round, random);
    const Operands<TestType> of(n, round, pool, random);
    std::vector<typename E::Point> left, right;
    for (std::size_t i = 0; i < n; ++i) {
      const bool negated = random() % 2 == 0;  // a negative of the negative is the point
      left.push_back(in_lanes<TestType>(of.left[i], false, random));
      right.push_back(in_lanes<TestType>(negated ? -of.right[i] : of.right[i], negated, random));
    }
    add<TestType>(left, right);
    for (std::size_t i = 0; i < n; ++i) {
      CAPTURE(round, n, i);
      REQUIRE(E::to_affine(left[i]) == sum_of<TestType>(of.left[i], of.right[i]));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("sums are operands of the next sums in lanes", "[msm][lanes][oracle]",
                        Groups) {
  using E = Engine<TestType>;
  using Affine = typename TestType::Affine;
  if (!lanes_run_here()) return;
  std::mt19937_64 random(52);
  const KnownBases<TestType> pool(64, random);
  for (unsigned round = 0; round < 90; ++round) {
    const std::size_t n = 1 + random() % 60;
    const Operands<TestType> of(n, round, pool, random);
    std::vector<typename E::Point> sums, right;
    std::vector<Affine> expected, next;
    for (std::size_t i = 0; i < n; ++i) {
      sums.push_back(E::from_base(of.left[i], false));
      right.push_back(E::from_base(of.right[i], false));
      expected.push_back(sum_of<TestType>(of.left[i], of.right[i]));
    }
    add<TestType>(sums, right);
    for (std::size_t i = 0; i < n; ++i) {  // of another one, of itself, or of its negative
      const bool negative = random() % 2 == 0;
      right[i] = random() % 3 == 0 ? sums[random() % n]
                                   : in_lanes<TestType>(expected[i], negative, random);
      next.push_back(E::to_affine(right[i]));
    }
    add<TestType>(sums, right);
    for (std::size_t i = 0; i < n; ++i) {
      CAPTURE(round, n, i);
      REQUIRE(E::to_affine(sums[i]) == sum_of<TestType>(expected[i], next[i]));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("pairs of entries are added in lanes where their bases stand",
                        "[msm][lanes][oracle]", Groups) {
  using E = Engine<TestType>;
  if (!lanes_run_here()) return;
  std::mt19937_64 random(53);
  const KnownBases<TestType> pool(64, random);
  for (unsigned round = 1; round < 120; ++round) {
    const std::size_t n = size_of(round, random);
    const Operands<TestType> of(n, round, pool, random);
    std::vector<typename TestType::Affine> bases;
    std::vector<std::uint32_t> entries;
    std::vector<std::uint32_t> first(room_for(n));
    for (std::size_t i = 0; i < n; ++i) {
      if (random() % 3 == 0) entries.push_back(0);  // of no pair
      first[i] = static_cast<std::uint32_t>(entries.size());
      for (const auto* operand : {&of.left[i], &of.right[i]}) {
        const auto negative = static_cast<std::uint32_t>(random() % 2);
        entries.push_back(negative << 31 | static_cast<std::uint32_t>(bases.size()));
        bases.push_back(negative != 0 ? -*operand : *operand);
      }
    }
    std::vector<typename E::Point> sums(room_for(n));
    Memory<TestType> memory(n);
    E::add_entry_pairs(n, bases.data(), entries.data(), first.data(), sums.data(),
                       memory.scratch());
    for (std::size_t i = 0; i < n; ++i) {
      CAPTURE(round, n, i);
      REQUIRE(E::to_affine(sums[i]) == sum_of<TestType>(of.left[i], of.right[i]));
    }
  }
}
#endif
