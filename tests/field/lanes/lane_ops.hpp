// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/curve/bls12_381.hpp>

/// The operations of `Lanes` as functions of digits in memory, for a program that any x86-64 can
/// load: the unit that defines them is compiled for AVX-512 IFMA, and a test calls into it only
/// where the processor has that.
namespace zkgpu::test {

inline constexpr std::size_t lane_width = 8;
/// Digits in radix 2^52 of an element of F: four bits to spare at least.
template <class F>
inline constexpr std::size_t lane_limbs = (F::bits + 4 + 51) / 52;

/// Eight elements limb-major, as the lanes hold them.
template <class F>
struct alignas(64) LaneBlock {
  std::uint64_t digit[lane_limbs<F>][lane_width];
};

enum class LaneOp {
  add,
  subtract,
  multiply,
  square,
  negate,
  twice,
  reduce,
  canonical,
  product_less,         ///< a·b - b
  square_less,          ///< a² - b - b
  scale,                ///< 2^16 · a
  product_less_signed,  ///< a·b - b, limbs of what is subtracted of both signs
  square_less_signed    ///< a² - b - b, likewise
};

/// One operation at one pair of bounds: a at most bound_a · modulus, b at most bound_b · modulus.
/// An operation of one operand ignores b, and then bound_b is 1.
template <class F>
struct LaneCase {
  LaneOp op;
  unsigned bound_a, bound_b, bound_result;
  void (*run)(const LaneBlock<F>& a, const LaneBlock<F>& b, LaneBlock<F>& result);
};
template <class F>
std::span<const LaneCase<F>> lane_cases();

/// The same for the quadratic extension over F: coordinates 0 and 1.
template <class F>
struct LaneCase2 {
  LaneOp op;
  unsigned bound_a, bound_b, bound_result;
  void (*run)(const LaneBlock<F> (&a)[2], const LaneBlock<F> (&b)[2], LaneBlock<F> (&result)[2]);
};
template <class F>
std::span<const LaneCase2<F>> lane_cases2();

/// What has a form of its own.
template <class F>
struct LaneFunctions {
  std::uint64_t max_bound_product;
  void (*load)(const F* const (&from)[lane_width], LaneBlock<F>& to);
  void (*store)(const LaneBlock<F>& from, F* const (&to)[lane_width]);
  /// Bit k: is element k, below 8 · modulus, congruent to zero?
  unsigned (*zero_mask)(const LaneBlock<F>& a);
  void (*select)(unsigned mask, const LaneBlock<F>& a, const LaneBlock<F>& b, LaneBlock<F>& to);
  /// One signed carry pass; what the highest limb gave out.
  void (*carry)(LaneBlock<F>& a, std::uint64_t (&out)[lane_width]);
  /// Every element to its inverse, zero to zero; elements below 2 · modulus.
  /// @param invert  does the same to eight elements of F
  void (*batch_inverse)(std::span<LaneBlock<F>> elements, std::span<LaneBlock<F>> scratch,
                        void (*invert)(F (&ends)[lane_width]));
};
template <class F>
LaneFunctions<F> lane_functions();

/// Rows to columns.
void lane_transpose(std::uint64_t (&rows)[8][8]);

template <>
std::span<const LaneCase<Bls12_381::Fq>> lane_cases<Bls12_381::Fq>();
template <>
std::span<const LaneCase<Bls12_381::Fr>> lane_cases<Bls12_381::Fr>();
template <>
std::span<const LaneCase2<Bls12_381::Fq>> lane_cases2<Bls12_381::Fq>();
extern template LaneFunctions<Bls12_381::Fq> lane_functions<Bls12_381::Fq>();
extern template LaneFunctions<Bls12_381::Fr> lane_functions<Bls12_381::Fr>();

}  // namespace zkgpu::test
