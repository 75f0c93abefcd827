// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/prover/circuit/boolean.hpp>

namespace zkgpu {

/// A 32-bit word of a circuit, least significant bit first, and its value where there is one.
struct Word32 {
  std::array<Boolean, 32> bits{};
  std::uint32_t value =
      0;  ///< meaningless in a system without values, unless all bits are constant

  static constexpr Word32 constant(std::uint32_t value) noexcept {
    Word32 word{{}, value};
    for (std::size_t i = 0; i < 32; ++i) word.bits[i] = Boolean::constant(((value >> i) & 1) != 0);
    return word;
  }

  /// From 32 bits, most significant first: how hashes read their bytes.
  template <ConstraintSystem CS>
  static Word32 from_big_endian(const CS& cs, std::span<const Boolean> from) {
    Word32 word;
    for (std::size_t i = 0; i < 32; ++i) {
      word.bits[i] = from[31 - i];
      if constexpr (CS::has_values) {
        word.value |= std::uint32_t{word.bits[i].value(cs)} << i;
      } else if (word.bits[i].is_constant()) {
        word.value |= std::uint32_t{word.bits[i].constant_value} << i;
      }
    }
    return word;
  }

  [[nodiscard]] constexpr bool is_constant() const noexcept {
    return std::all_of(bits.begin(), bits.end(), [](const Boolean& b) { return b.is_constant(); });
  }
  [[nodiscard]] constexpr bool bit_value(std::size_t i) const noexcept {
    return ((value >> i) & 1) != 0;
  }
  [[nodiscard]] constexpr Word32 rotated_right(unsigned count) const noexcept {
    Word32 word{{}, std::rotr(value, static_cast<int>(count))};
    for (std::size_t i = 0; i < 32; ++i) word.bits[i] = bits[(i + count) % 32];
    return word;
  }
  /// Zeros come in.
  [[nodiscard]] constexpr Word32 shifted_right(unsigned count) const noexcept {
    Word32 word{{}, value >> count};
    for (std::size_t i = 0; i + count < 32; ++i) word.bits[i] = bits[i + count];
    return word;
  }
};

/// a ⊕ b, bit by bit from the lowest.
template <ConstraintSystem CS>
Word32 xor_words(CS& cs, const Word32& a, const Word32& b) {
  Word32 word{{}, a.value ^ b.value};
  for (std::size_t i = 0; i < 32; ++i) {
    word.bits[i] = logical_xor(cs, a.bits[i], b.bits[i], [&] { return word.bit_value(i); });
  }
  return word;
}

/// a ? b : c. Three variable bits cost one variable h and one constraint, (b − c)·a = h − c.
/// @param value  of the result
template <ConstraintSystem CS, std::invocable Value>
Boolean choose_bit(CS& cs, const Boolean& a, const Boolean& b, const Boolean& c,
                   const Value& value) {
  using F = typename CS::Scalar;
  const auto negated = [&] { return !value(); };
  if (a.is_constant() && b.is_constant() && c.is_constant()) {
    return Boolean::constant(a.constant_value ? b.constant_value : c.constant_value);
  }
  const auto is = [](const Boolean& bit, bool wanted) {
    return bit.is_constant() && bit.constant_value == wanted;
  };
  if (is(a, false)) return c;
  if (is(b, false)) return logical_and(cs, !a, c, value);
  if (is(c, false)) return logical_and(cs, a, b, value);
  if (is(c, true)) return !logical_and(cs, a, !b, negated);
  if (is(b, true)) return !logical_and(cs, !a, !c, negated);
  const Variable h = allocate_as_bit(cs, value);
  enforce_as(
      cs,
      [&] {
        const LinearCombination<F> minus_c = c.scaled(-F::one());
        cs.enforce(b.scaled(F::one()) + minus_c, a.scaled(F::one()),
                   LinearCombination<F>(h) + minus_c);
      },
      [&] {
        const bool is_b = b.value(cs), is_c = c.value(cs);
        const F difference = is_b == is_c ? F::zero() : is_b ? F::one() : -F::one();
        return RowValues<F>{difference, bit_element<F>(a.value(cs))};
      });
  return Boolean::is(h);
}

/// The bit that at least two of a, b, c have. Three variable bits cost two variables, the result m
/// and then b∧c, and two constraints, that of b∧c and (2(b∧c) − b − c)·a = b∧c − m.
/// @param value    of the result
/// @param b_and_c  value of b∧c
template <ConstraintSystem CS, std::invocable Value, std::invocable AndValue>
Boolean majority_bit(CS& cs, const Boolean& a, const Boolean& b, const Boolean& c,
                     const Value& value, const AndValue& b_and_c) {
  using F = typename CS::Scalar;
  const auto negated = [&] { return !value(); };
  if (a.is_constant() && b.is_constant() && c.is_constant()) {
    const int ones = int{a.constant_value} + int{b.constant_value} + int{c.constant_value};
    return Boolean::constant(ones >= 2);
  }
  const auto is = [](const Boolean& bit, bool wanted) {
    return bit.is_constant() && bit.constant_value == wanted;
  };
  if (is(a, false)) return logical_and(cs, b, c, value);
  if (is(b, false)) return logical_and(cs, a, c, value);
  if (is(c, false)) return logical_and(cs, a, b, value);
  if (is(c, true)) return !logical_and(cs, !a, !b, negated);
  if (is(b, true)) return !logical_and(cs, !a, !c, negated);
  if (is(a, true)) return !logical_and(cs, !b, !c, negated);
  const Variable m = allocate_as_bit(cs, value);
  const Boolean both = logical_and(cs, b, c, b_and_c);
  enforce_as(
      cs,
      [&] {
        cs.enforce(both.scaled(F(2)) + b.scaled(-F::one()) + c.scaled(-F::one()),
                   a.scaled(F::one()), both.scaled(F::one()).add(-F::one(), m));
      },
      [&] {  // 2·bc − b − c = −(b ⊕ c)
        return RowValues<F>{b.value(cs) == c.value(cs) ? F::zero() : -F::one(),
                            bit_element<F>(a.value(cs))};
      });
  return Boolean::is(m);
}

template <ConstraintSystem CS>
Word32 choose_words(CS& cs, const Word32& a, const Word32& b, const Word32& c) {
  Word32 word{{}, (a.value & b.value) | (~a.value & c.value)};
  for (std::size_t i = 0; i < 32; ++i) {
    word.bits[i] =
        choose_bit(cs, a.bits[i], b.bits[i], c.bits[i], [&] { return word.bit_value(i); });
  }
  return word;
}

template <ConstraintSystem CS>
Word32 majority_words(CS& cs, const Word32& a, const Word32& b, const Word32& c) {
  Word32 word{{}, (a.value & b.value) | (a.value & c.value) | (b.value & c.value)};
  for (std::size_t i = 0; i < 32; ++i) {
    word.bits[i] = majority_bit(
        cs, a.bits[i], b.bits[i], c.bits[i], [&] { return word.bit_value(i); },
        [&] { return b.bit_value(i) && c.bit_value(i); });
  }
  return word;
}

}  // namespace zkgpu
