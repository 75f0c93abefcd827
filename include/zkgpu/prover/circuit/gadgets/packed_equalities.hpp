// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <zkgpu/prover/circuit/boolean.hpp>
#include <zkgpu/prover/circuit/gadgets/word32.hpp>
#include <zkgpu/prover/circuit/linear_combination.hpp>

namespace zkgpu {

/// Equalities of small numbers, many in one constraint: each gets its own bits of a field element.
///
/// Which equalities share a constraint follows from their order and widths alone, and where the
/// constraint stands from the equality that no longer fits. bellman calls it MultiEq.
template <ConstraintSystem CS>
class PackedEqualities {
 public:
  using F = typename CS::Scalar;

  explicit PackedEqualities(CS& cs) : cs_(cs) {}
  PackedEqualities(const PackedEqualities&) = delete;
  PackedEqualities& operator=(const PackedEqualities&) = delete;

  /// States Σ of the words = Σ 2^i of the bits, both below 2^bits.size().
  void add(std::span<const Word32> words, std::span<const Boolean> bits) {
    constexpr std::size_t capacity = F::bits - 1;
    if (used_ + bits.size() >= capacity) flush();
    if constexpr (wants_sum) {
      for (std::size_t i = 0; i < bits.size(); ++i) {
        sum_.limb[(used_ + i) / 64] |= std::uint64_t{bits[i].value(cs_)} << ((used_ + i) % 64);
      }
    } else if constexpr (wants_rows<CS>) {
      for (const Word32& word : words) append(left_, word.bits);
      append(right_, bits);
    }
    used_ += bits.size();
  }

  /// Writes what has gathered as one constraint, left·1 = right; none if there is nothing.
  void flush() {
    if (used_ == 0) return;
    enforce_as(
        cs_, [&] { cs_.enforce(left_, Variable::one(), right_); },
        [&] {
          return RowValues<F>{F::from_integer(sum_), F::one()};
        });
    left_ = right_ = {};
    sum_ = {};
    used_ = 0;
  }

 private:
  void append(LinearCombination<F>& sum, std::span<const Boolean> bits) {
    F weight = powers()[used_];
    for (const Boolean& bit : bits) {
      if (!bit.is_constant()) {
        const bool negated = bit.kind == Boolean::Kind::is_not;
        if (negated) sum.add(weight, Variable::one());
        sum.add(negated ? -weight : weight, bit.variable);
      } else if (bit.constant_value) {
        sum.add(weight, Variable::one());
      }
      weight = weight.doubled();
    }
  }
  static const std::array<F, F::bits>& powers() {
    static const std::array<F, F::bits> all = [] {
      std::array<F, F::bits> made;
      F power = F::one();
      for (F& p : made) {
        p = power;
        power = power.doubled();
      }
      return made;
    }();
    return all;
  }

  /// Both sides hold the same bits side by side: where values are asked for, they are the row.
  static constexpr bool wants_sum = requires(CS & cs, const F& x) { cs.append_row(x, x); };

  CS& cs_;
  LinearCombination<F> left_, right_;
  typename F::Integer sum_{};
  std::size_t used_ = 0;
};

/// Σ words modulo 2^32. Constant words give a constant; otherwise all bits of the full sum are new
/// variables, each a bit, and the equality goes to `equalities`.
/// @param words  2 to 10 of them
template <ConstraintSystem CS>
Word32 add_words(CS& cs, std::span<const Word32> words, PackedEqualities<CS>& equalities) {
  std::uint64_t sum = 0;
  bool constant = true;
  for (const Word32& word : words) {
    sum += word.value;
    constant = constant && word.is_constant();
  }
  const auto low = static_cast<std::uint32_t>(sum);
  if (constant) return Word32::constant(low);
  constexpr std::size_t most_bits = 36;  // ten words
  const std::uint64_t largest = words.size() * std::uint64_t{0xffffffff};
  const auto width = static_cast<std::size_t>(std::bit_width(largest));
  std::array<Boolean, most_bits> bits;
  for (std::size_t i = 0; i < width; ++i) {
    bits[i] = Boolean::is(allocate_bit(cs, [&] { return ((sum >> i) & 1) != 0; }));
  }
  equalities.add(words, std::span<const Boolean>(bits).first(width));
  Word32 word{{}, low};
  std::copy_n(bits.begin(), 32, word.bits.begin());
  return word;
}

}  // namespace zkgpu
